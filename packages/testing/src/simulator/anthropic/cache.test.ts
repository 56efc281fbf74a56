import { describe, expect, it } from "vitest";
import { hourMs, type ManualClock, manualClock, minuteMs } from "../clock.ts";
import type { CacheAccount } from "../simulated-request.ts";
import type { Simulator } from "../simulator.ts";
import { type AnthropicSimulatorOptions, anthropicSimulator } from "./server.ts";

type Block = Record<string, unknown>;
type Message = { role: string; content: Block[] };

const mark = { type: "ephemeral" };
const words = (tokens: number) => "word ".repeat((tokens * 4) / 5);
const text = (words: string, marked = false): Block => ({ type: "text", text: words, ...(marked && { cache_control: mark }) });
const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const model = "claude-opus-5-5";

type Setup = { sim: Simulator; clock: ManualClock; send: (messages: Message[], extra?: Block, beta?: string) => Promise<CacheAccount> };

function setup(options: AnthropicSimulatorOptions = {}): Setup {
  const clock = manualClock();
  const sim = anthropicSimulator({ clock, ...options });
  const send = async (messages: Message[], extra: Block = {}, beta?: string) => {
    const headers = beta === undefined ? {} : { headers: { "anthropic-beta": beta } };
    const answer = await sim.handle({ model, max_tokens: 100, messages, ...extra }, headers);
    expect(answer.refusal).toBeUndefined();
    const account = answer.cache as CacheAccount;
    expect(account.read + account.written + account.uncached).toBe(account.prompt);
    expect(Object.values(account.writtenByLifetime).every((tokens) => tokens > 0)).toBe(true);
    expect(Math.min(account.read, account.written, account.uncached)).toBeGreaterThanOrEqual(0);
    return account;
  };
  return { sim, clock, send };
}

const long = [user(text(words(1_000), true))];

describe("reads and writes", () => {
  it("of an append-only loop add up: what is read is what was read and written before", async () => {
    const { sim, send } = setup({
      script: (_request, n) => ({ thinking: "So.", calls: [{ name: "read", input: { n }, id: `toolu_${n}` }] }),
    });
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const messages: Message[] = [user(text(words(800)))];
    let before: CacheAccount | undefined;
    for (let turn = 0; turn < 12; turn++) {
      const account = await send(messages, { cache_control: mark, system: words(300), tools });
      if (before !== undefined) expect(account.read).toBe(before.read + before.written);
      expect(account.uncached).toBe(0);
      before = account;
      const content = sim.requests.at(-1)?.reply.content as unknown as Block[];
      messages.push(assistant(...content), user({ type: "tool_result", tool_use_id: `toolu_${turn}`, content: words(50) }));
    }
    expect(before?.read).toBeGreaterThan(1_000);
  });

  it("stand in the reply's usage, split by time to live", async () => {
    const { sim, send } = setup();
    const both = [
      user(
        text(words(700), false),
        { ...text(words(700)), cache_control: { type: "ephemeral", ttl: "1h" } },
        text(words(300), true),
        text("tail"),
      ),
    ];
    const account = await send(both);
    expect(account.writtenByLifetime).toEqual({ "1h": expect.any(Number), "5m": expect.any(Number) });
    expect(sim.requests[0]?.reply.usage).toMatchObject({
      input_tokens: account.uncached,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: account.written,
      cache_creation: {
        ephemeral_5m_input_tokens: account.writtenByLifetime["5m"],
        ephemeral_1h_input_tokens: account.writtenByLifetime["1h"],
      },
    });
  });

  it("need a mark", async () => {
    const { send } = setup();
    const plain = [user(text(words(1_000)))];
    expect(await send(plain)).toMatchObject({ read: 0, written: 0 });
    expect(await send(plain)).toMatchObject({ read: 0, written: 0 });
  });

  it("start at the model's minimum", async () => {
    const { send } = setup();
    const short = [user(text(words(300), true))];
    await send(short);
    expect(await send(short)).toMatchObject({ read: 0, written: 0, breakpoints: [{ writable: false }] });
    expect(await send([user(text(words(520), true))])).toMatchObject({ read: 0, breakpoints: [{ writable: true }] });
  });

  it("do not mind where marks sit", async () => {
    const { send } = setup();
    const first = await send([user(text(words(700), true), text("b"))]);
    expect((await send([user(text(words(700)), text("b", true))])).read).toBe(first.written);
  });

  it("reach only what some request wrote: a longer common prefix without an entry is not read", async () => {
    const { send } = setup();
    await send([user(text(words(600)), text(words(600)), text("a", true))]);
    expect(await send([user(text(words(600)), text(words(600)), text("b", true))])).toMatchObject({ read: 0 });
  });
});

describe("the look-back", () => {
  const rows = (count: number) => Array.from({ length: count }, (_row, index) => text(`row ${index}`));

  it("finds an entry 20 positions before a breakpoint, and not 21", async () => {
    for (const [gap, found] of [
      [20, true],
      [21, false],
    ] as const) {
      const { send } = setup();
      const first = await send(long);
      const tail = rows(gap - 1);
      const account = await send([user(text(words(1_000)), ...tail, text("end", true))]);
      expect(account.read).toBe(found ? first.written : 0);
    }
  });

  it("counts a run of calls, or of results, as one position", async () => {
    const { send } = setup();
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const first = await send(long, { tools });
    const ids = Array.from({ length: 30 }, (_id, index) => `toolu_${index}`);
    const calls = assistant(...ids.map((id) => ({ type: "tool_use", id, name: "read", input: {} })));
    const results = user(...ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "ok" })), text("Go on.", true));
    expect((await send([user(text(words(1_000))), calls, results], { tools })).read).toBe(first.written);
  });
});

describe("time to live", () => {
  it("ends after five minutes, and is renewed by use", async () => {
    const { send, clock } = setup();
    const first = await send(long);
    clock.advance(4 * minuteMs);
    expect((await send(long)).read).toBe(first.written);
    clock.advance(4 * minuteMs);
    expect((await send(long)).read).toBe(first.written);
    clock.advance(5 * minuteMs);
    expect((await send(long)).read).toBe(0);
  });

  it("is an hour where the mark says so", async () => {
    const { send, clock } = setup();
    const hour = [user({ ...text(words(1_000)), cache_control: { type: "ephemeral", ttl: "1h" } })];
    const first = await send(hour);
    clock.advance(59 * minuteMs);
    expect((await send(hour)).read).toBe(first.written);
    clock.advance(hourMs);
    expect((await send(hour)).read).toBe(0);
  });
});

describe("when an entry can be read", () => {
  it("is when the response that writes it has begun: requests sent together do not help each other", async () => {
    const { send } = setup();
    const [one, two] = await Promise.all([send(long), send(long)]);
    expect([one?.read, two?.read]).toEqual([0, 0]);
    expect((await send(long)).read).toBe(one?.written);
  });

  it("is never, if the request failed", async () => {
    const { sim, send } = setup({ script: [{ error: { status: 529 } }, {}] });
    await sim.handle({ model, max_tokens: 100, messages: long });
    expect((await send(long)).read).toBe(0);
  });
});

describe("the invalidation matrix", () => {
  const tools = [
    { name: "read", description: words(700), input_schema: { type: "object", properties: { a: {}, b: {} } }, cache_control: mark },
  ];
  const system = [text(words(700), true)];
  const messages = [user(text(words(700), true))];
  const base = { tools, system };
  const thinking = { type: "adaptive", display: "omitted" };
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

  const changes: [string, "nothing" | "tools" | "system" | "all", Message[], Block, string?][] = [
    ["nothing", "all", messages, base],
    ["max_tokens and metadata", "all", messages, { ...base, max_tokens: 99, metadata: { user_id: "u" }, stop_sequences: ["x"] }],
    [
      "a default written out",
      "all",
      messages,
      { ...base, thinking: { type: "adaptive" }, output_config: { effort: "medium" }, tool_choice: { type: "auto" } },
    ],
    ["tool_choice", "system", messages, { ...base, tool_choice: { type: "none" } }],
    ["thinking", "system", messages, { ...base, thinking }],
    ["effort", "system", messages, { ...base, output_config: { effort: "low" } }],
    ["a picture", "system", [user(text(words(700)), picture, text("x", true))], base],
    ["the system text", "tools", messages, { ...base, system: [text(`${words(700)}!`, true)] }],
    ["speed", "tools", messages, { ...base, speed: "fast" }],
    ["a tool's description", "nothing", messages, { ...base, tools: [{ ...tools[0], description: words(710) }] }],
    [
      "the order of a schema's keys",
      "nothing",
      messages,
      { ...base, tools: [{ ...tools[0], input_schema: { type: "object", properties: { b: {}, a: {} } } }] },
    ],
    ["the model", "nothing", messages, { ...base, model: "claude-opus-5" }],
    ["the output format", "nothing", messages, { ...base, output_config: { format: { type: "json_schema", schema: { type: "object" } } } }],
    ["the set of betas", "nothing", messages, base, "context-management-2025-06-27"],
  ];
  it.each(changes)("%s: still reads %s", async (_name, reads, changed, extra, beta) => {
    const { send } = setup();
    const first = await send(messages, base);
    const [toolsEnd, systemEnd, messagesEnd] = first.breakpoints.map((point) => point.tokens);
    const account = await send(changed, extra, beta);
    if (reads === "all" && changed === messages) expect(account.written).toBe(0);
    expect(account.read).toBe({ nothing: 0, tools: toolsEnd, system: systemEnd, all: messagesEnd }[reads]);
  });

  it("leaves key order out when told to", async () => {
    const { send } = setup({ keyOrder: "ignored" });
    const first = await send(messages, base);
    const account = await send(messages, {
      ...base,
      tools: [{ ...tools[0], input_schema: { properties: { b: {}, a: {} }, type: "object" } }],
    });
    expect(account.read).toBe(first.written);
  });
});

describe("automatic marks", () => {
  it("sit on the last block that may bear one", async () => {
    const { send } = setup();
    const first = await send([user(text(words(800)))], { cache_control: mark });
    expect(first.written).toBe(first.prompt);
    const reminder = { role: "system", content: [text("Be brief.")], clear_at: "next_user_message" };
    const beta = "mid-conversation-system-clear-at-2026-08-21";
    const second = await send([user(text(words(900))), reminder as unknown as Message], { cache_control: mark }, beta);
    expect(second.uncached).toBe(second.prompt - second.written);
    expect(second.uncached).toBeGreaterThan(0);
    // Once cleared, the reminder is no part of the prompt.
    const third = await send(
      [user(text(words(900))), reminder as unknown as Message, assistant(text("Yes.")), user(text("Go on."))],
      { cache_control: mark },
      beta,
    );
    expect(third.read).toBe(second.written);
    const without = await send([user(text(words(900))), assistant(text("Yes.")), user(text("Go on."))], { cache_control: mark }, beta);
    expect([without.prompt, without.read]).toEqual([third.prompt, third.prompt]);
  });
});

describe("diagnostics", () => {
  const ask = async (sim: Simulator, body: Block, previous?: unknown) =>
    (await sim.handle({ model, max_tokens: 100, cache_control: mark, ...body, diagnostics: { previous_message_id: previous ?? null } }))
      .reply;

  it("name what changed first, or say nothing", async () => {
    const { sim } = setup();
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const body = { system: words(400), tools, messages: [user(text(words(700)))] };
    const first = await ask(sim, body);
    expect(first.diagnostics).toBeNull();
    const next = { ...body, messages: [...body.messages, assistant(text("Yes.")), user(text("And?"))] };
    expect((await ask(sim, next, first.id)).diagnostics).toBeNull();
    const reason = async (changed: Block) =>
      ((await ask(sim, { ...next, ...changed }, first.id)).diagnostics as unknown as { cache_miss_reason: Block }).cache_miss_reason;
    expect(await reason({ model: "claude-opus-5" })).toMatchObject({
      type: "model_changed",
      cache_missed_input_tokens: expect.any(Number),
    });
    expect((await reason({ tools: [{ ...tools[0], name: "write" }] })).type).toBe("tools_changed");
    expect((await reason({ system: words(410) })).type).toBe("system_changed");
    expect((await reason({ messages: [user(text("Other.")), ...next.messages.slice(1)] })).type).toBe("messages_changed");
    expect(await reason({ tool_choice: { type: "none" } })).toEqual({ type: "unavailable" });
    expect((await ask(sim, next, "msg_unknown")).diagnostics).toEqual({ cache_miss_reason: { type: "previous_message_not_found" } });
  });
});

it("a prompt over the model's window is refused (AN-25)", async () => {
  const sim = anthropicSimulator({ profiles: { [model]: { context: 1_000 } } });
  const refused = await sim.handle({ model, max_tokens: 100, messages: [user(text(words(1_200)))] });
  expect(refused).toMatchObject({ status: 400, refusal: { rule: "AN-25" } });
  expect(refused.refusal?.message).toMatch(/^prompt is too long: \d+ tokens > 1000 maximum$/);
  expect((await sim.handle({ model, max_tokens: 100, messages: [user(text(words(900)))] })).status).toBe(200);
});

it("a prewarming request fills the cache and says nothing", async () => {
  const { sim, send } = setup();
  const warm = await sim.handle({ model, max_tokens: 0, messages: long });
  expect(warm.reply).toMatchObject({ content: [], stop_reason: "max_tokens" });
  expect((await send(long)).read).toBe(warm.cache?.written);
});
