import { describe, expect, it } from "vitest";
import { type ManualClock, manualClock, minuteMs } from "../clock.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { type OpenAIChatSimulatorOptions, openaiChatSimulator } from "./server.ts";

type Body = Record<string, unknown>;

const words = (tokens: number) => "word ".repeat((tokens * 4) / 5);
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const developer = (content: string) => ({ role: "developer", content });
const breakpoint = { prompt_cache_breakpoint: { mode: "explicit" } };

type Send = (messages: unknown[], extra?: Body) => Promise<CacheAccount>;

function setup(model: string, options: OpenAIChatSimulatorOptions = {}): { send: Send; clock: ManualClock } {
  const clock = manualClock();
  const sim = openaiChatSimulator({ clock, ...options });
  const send: Send = async (messages, extra = {}) => {
    const { refusal, cache } = await sim.handle({ model, messages, ...extra });
    expect(refusal).toBeUndefined();
    return cache as CacheAccount;
  };
  return { send, clock };
}

describe("GPT-5.6 and later: exact breakpoints", () => {
  const start = [developer(words(1_100)), user("First?")];

  it("of an append-only conversation add up", async () => {
    const { send } = setup("gpt-5.6-sol");
    const messages: unknown[] = [...start];
    let before: CacheAccount | undefined;
    for (let turn = 0; turn < 8; turn++) {
      const account = await send(messages);
      if (before !== undefined) expect(account.read).toBe(before.read + before.written);
      expect(account.read + account.written + account.uncached).toBe(account.prompt);
      before = account;
      messages.push(assistant(`Answer ${turn}.`), user(`Question ${turn}?`));
    }
  });

  it("read nothing shorter than what was written, and lose a message that is extended", async () => {
    const { send } = setup("gpt-5.6-sol");
    await send([...start, assistant("a"), user("b")]);
    expect((await send([...start, assistant("other"), user("b")])).read).toBe(0);
    await send([...start]);
    expect((await send([developer(words(1_100)), user("First? And more.")])).read).toBe(0);
  });

  it("end at the last answer of a batch, and not at later developer messages", async () => {
    const { send } = setup("gpt-5.6-sol");
    const calls = ["call_1", "call_2"].map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } }));
    const batch = [
      { role: "assistant", content: null, tool_calls: calls },
      ...["call_1", "call_2"].map((id) => ({ role: "tool", tool_call_id: id, content: "ok" })),
    ];
    const first = await send([...start, ...batch, developer("Be brief.")]);
    expect(first.uncached).toBeGreaterThan(0);
    expect((await send([...start, ...batch, developer("Be long.")])).read).toBe(first.written);
  });

  it("can be set on parts, and are then the only ones in explicit mode", async () => {
    const { send } = setup("gpt-5.6-sol");
    const parts = (tail: string) => [
      user([
        { type: "text", text: words(1_100), ...breakpoint },
        { type: "text", text: tail },
      ]),
    ];
    const explicit = { prompt_cache_options: { mode: "explicit" } };
    const first = await send(parts("a"), explicit);
    expect(first.written).toBeLessThan(first.prompt);
    expect((await send(parts("b"), explicit)).read).toBe(first.written);
    expect(await send([user(words(1_100))], explicit)).toMatchObject({ read: 0, written: 0 });
  });

  it("start at 1,024 tokens and live for half an hour after their last use", async () => {
    const { send, clock } = setup("gpt-5.6-sol");
    await send([user(words(1_000))]);
    expect(await send([user(words(1_000))])).toMatchObject({ read: 0, written: 0 });
    const first = await send([user(words(1_100))]);
    clock.advance(29 * minuteMs);
    expect((await send([user(words(1_100))])).read).toBe(first.written);
    clock.advance(30 * minuteMs);
    expect((await send([user(words(1_100))])).read).toBe(0);
  });

  it("are lost when a setting of the prefix changes, and not when another does", async () => {
    const { send } = setup("gpt-5.6-sol");
    const first = await send(start, { reasoning_effort: "low" });
    expect((await send(start, { reasoning_effort: "low", metadata: { a: "b" }, max_completion_tokens: 9 })).read).toBe(first.written);
    expect((await send(start, { reasoning_effort: "high" })).read).toBe(0);
    expect((await send(start, { reasoning_effort: "low", prompt_cache_key: "other" })).read).toBe(0);
  });
});

describe("earlier models: the longest common prefix in blocks", () => {
  it("is read in steps of 128 tokens from 1,024 on, without a fee for writing", async () => {
    const { send } = setup("gpt-5.4");
    const first = await send([user(words(1_500))]);
    expect(first).toMatchObject({ read: 0, written: 0, uncached: first.prompt });
    const second = await send([user(words(1_500)), assistant("a"), user("b")]);
    expect(second.read % 128).toBe(0);
    expect(second.read).toBeGreaterThan(1_300);
    expect((await send([user(`${words(1_100)}other`)])).read).toBe(1_024);
    expect((await send([user(`${words(900)}other`)])).read).toBe(0);
  });

  it("is lost from a changed tool on, key order included", async () => {
    const tool = (parameters: Body) => [{ type: "function", function: { name: "read", parameters } }];
    const { send } = setup("gpt-5.4");
    await send([user(words(1_500))], { tools: tool({ type: "object", properties: {} }) });
    expect((await send([user(words(1_500))], { tools: tool({ properties: {}, type: "object" }) })).read).toBe(0);
  });

  it("lives five minutes, or a day where that is asked for", async () => {
    const { send, clock } = setup("gpt-5.4");
    const day = { prompt_cache_retention: "24h" };
    await send([user(words(1_500))]);
    clock.advance(5 * minuteMs);
    expect((await send([user(words(1_500))], day)).read).toBe(0);
    clock.advance(23 * 60 * minuteMs);
    expect((await send([user(words(1_500))], day)).read).toBeGreaterThan(1_000);
  });

  it("is not helped by a request that was sent together with it", async () => {
    const { send } = setup("gpt-5.4");
    const both = await Promise.all([send([user(words(1_500))]), send([user(words(1_500))])]);
    expect(both.map(({ read }) => read)).toEqual([0, 0]);
  });
});

describe("other servers", () => {
  it("Claude behind a router caches nothing that is not marked", async () => {
    const { send } = setup("anthropic/claude-opus-5.5", { dialect: "openrouter" });
    const plain = [user([{ type: "text", text: words(1_500) }])];
    await send(plain);
    expect((await send(plain)).read).toBe(0);
    const marked = [user([{ type: "text", text: words(1_500), cache_control: { type: "ephemeral" } }])];
    await send(marked);
    expect((await send(marked)).read).toBeGreaterThan(1_000);
  });
});
