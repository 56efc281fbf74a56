import { describe, expect, test } from "vitest";
import type { Body } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { announcement } from "../sources/announcement.ts";
import { createSession, restoreSession, type Session } from "./create-session.ts";
import type { Turn } from "./turn.ts";

const options = { wire: openaiResponses(), strict: true, selfCheck: true } as const;
const reply = (text: string, id: string) => ({
  status: "completed",
  output: [
    { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: `code ${id}` },
    { type: "message", id: `msg_${id}`, role: "assistant", content: [{ type: "output_text", text }] },
  ],
});

/** A host that changes its settings from request to request. */
class Host {
  session: Session = createSession(options);
  readonly input: object[] = [];
  /** What the replies have beside reasoning and text. */
  parts: readonly object[] = [];
  #replies = 0;

  async ask(text: string | undefined, settings: object, model = "gpt-6.2-sol") {
    if (text !== undefined) this.input.push({ role: "user", content: text });
    const turn = await this.session.prepare({ model, store: false, ...settings, input: this.input });
    const said = reply(`So ${this.#replies}.`, String(this.#replies++));
    const answer = { ...said, output: [...said.output, ...this.parts] };
    turn.settle(answer);
    this.input.push(...answer.output);
    const request = turn.request as unknown as {
      readonly instructions?: string;
      readonly input: readonly { readonly type: string; readonly encrypted_content?: string }[];
      readonly reasoning?: object;
      readonly text?: object;
    };
    return { ...turn, sent: request, updates: request.input.filter(({ type }) => type === "configuration_update") };
  }
}

const effort = (name: string) => ({ reasoning: { effort: name } });
const format = { text: { format: { type: "json_object" } } };

describe("a setting that changes in mid-conversation (rule 25)", () => {
  test("is said once, and the request keeps the first one", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    const low = await host.ask("b", effort("low"));
    expect(low.continuity.checkpoints).toEqual([]);
    expect(low.sent.reasoning).toEqual({ effort: "high" });
    expect(low.updates).toEqual([{ type: "configuration_update", reasoning: { effort: "low" } }]);
    expect(low.said).toMatchObject([{ value: { effort: "low" }, revision: 1 }]);
    const still = await host.ask("c", effort("low"));
    expect(still.updates).toHaveLength(1);
    expect(still.said).toEqual([]);
    const back = await host.ask("d", effort("high"));
    expect(back.updates.at(-1)).toEqual({ type: "configuration_update", reasoning: { effort: "high" } });
    expect(back.continuity.checkpoints).toEqual([]);
  });

  test("goes into one item with others, and holds over a restart", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    const both = await host.ask("b", { ...effort("low"), ...format });
    expect(both.updates).toEqual([
      { type: "configuration_update", reasoning: { effort: "low" }, text: { format: { type: "json_object" } } },
    ]);
    host.session = restoreSession(JSON.parse(JSON.stringify(host.session.snapshot())), options);
    const next = await host.ask("c", { ...effort("low"), ...format });
    expect(next.updates).toHaveLength(1);
    expect(next.continuity.checkpoints).toEqual([]);
  });

  test("is a checkpoint where it cannot be said: gone, beside another parameter, on an earlier model", async () => {
    for (const [first, then, model] of [
      [effort("high"), {}, "gpt-6.2-sol"],
      [effort("high"), { ...effort("low"), service_tier: "priority" }, "gpt-6.2-sol"],
      [effort("high"), effort("low"), "gpt-5.5"],
    ] as const) {
      const host = new Host();
      await host.ask("a", first, model);
      const changed = await host.ask("b", then, model);
      expect(changed.continuity.checkpoints.map(({ reason }) => reason)).toEqual(["params"]);
      expect(changed.updates).toEqual([]);
    }
  });

  test("that nobody has answered is said anew", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    host.input.push({ role: "user", content: "b" });
    await host.session.prepare({ model: "gpt-6.2-sol", store: false, ...effort("low"), input: host.input });
    host.input.pop();
    const medium = await host.ask("c", effort("medium"));
    expect(medium.updates).toEqual([{ type: "configuration_update", reasoning: { effort: "medium" } }]);
  });
});

test("a route that is not known to take such items gets the settings in the request, and tools in its list (rule 61)", async () => {
  const session = createSession({ ...options, wire: openaiResponses({ route: "xai" }), toolChanges: "append" });
  const tool = (name: string): object => ({ type: "function", name, parameters: { type: "object", properties: {} }, strict: false });
  const ask = (level: string, names: readonly string[]) =>
    session.prepare({
      model: "gpt-6.2-sol",
      store: false,
      ...effort(level),
      tools: names.map(tool),
      input: [{ role: "user", content: "a" }],
    });
  await ask("high", ["read"]);
  const { request, continuity } = await ask("low", ["read", "write"]);
  expect(request).toMatchObject({ reasoning: { effort: "low" }, tools: [{ name: "read" }, { name: "write" }] });
  expect([request.input, continuity.checkpoints.map(({ reason }) => reason)]).toEqual([
    [expect.objectContaining({ role: "user" })],
    ["tools", "params"],
  ]);
});

test("a setting that is gone takes what was said of it along: it would hold on (rule 25)", async () => {
  const host = new Host();
  await host.ask("a", effort("high"));
  await host.ask("b", effort("low"));
  const gone = await host.ask("c", {});
  expect(gone.continuity.checkpoints.map(({ reason }) => reason)).toEqual(["params", "history"]);
  expect([gone.sent.reasoning, gone.updates]).toEqual([undefined, []]);
  // The first reply was made before it, the second behind it (soak seed 132000027).
  expect(gone.sent.input.flatMap(({ encrypted_content: code }) => code ?? [])).toEqual(["code 0"]);
});

test("a setting that is gone while a tool loop is open is held until the loop is over (rule 62)", async () => {
  const host = new Host();
  await host.ask("a", effort("high"));
  const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: "{}" };
  host.parts = [call];
  await host.ask("b", effort("low"));
  host.input.push({ type: "function_call_output", call_id: "c1", output: "found" });
  host.parts = [];
  const held = await host.ask(undefined, {});
  expect([held.repairs.held, held.updates.length, held.continuity.checkpoints.map(({ reason }) => reason)]).toEqual([1, 1, ["params"]]);
  expect(held.sent.input.flatMap(({ encrypted_content: code }) => code ?? [])).toEqual(["code 0", "code 1"]);
  const over = await host.ask("d", {});
  expect([over.repairs.held, over.updates.length, over.continuity.checkpoints.map(({ reason }) => reason)]).toEqual([0, 0, ["history"]]);
  expect(over.sent.input.flatMap(({ encrypted_content: code }) => code ?? [])).toEqual(["code 0"]);
});

test("what was said of settings counts beside another parameter that changed, and is not sent to a model without the form (rules 15 and 25)", async () => {
  const host = new Host();
  await host.ask("a", effort("high"));
  await host.ask("b", effort("low"));
  const other = await host.ask("c", { ...effort("medium"), service_tier: "priority" });
  expect(other.continuity.checkpoints.map(({ reason }) => reason)).toEqual(["params"]);
  expect(other.updates.at(-1)).toEqual({ type: "configuration_update", reasoning: { effort: "medium" } });
  const older = await host.ask("d", effort("medium"), "gpt-5.5");
  expect([older.sent.reasoning, older.updates]).toEqual([{ effort: "medium", context: "all_turns" }, []]);
  const back = await host.ask("e", effort("medium"));
  expect(back.updates).toHaveLength(2);
  expect(back.said).toEqual([]);
});

describe("effort on Anthropic (rules 25 and 58)", () => {
  const beta = "mid-conversation-output-config-2026-07-01";
  const set = (talk: Talk, level?: string): void => {
    talk.head = { max_tokens: 1_000, ...(level === undefined ? {} : { output_config: { effort: level } }) };
  };
  const step = async (talk: Talk): Promise<readonly unknown[]> => {
    const before = bytes(talk.turn);
    const turn = await talk.ask("go on");
    if (turn.continuity.checkpoints.length === 0) expect(bytes(turn).slice(0, before.length)).toEqual(before);
    talk.answer({ thinking: "hm", text: "yes" });
    return [turn.request["output_config"], ...sent(turn).flatMap((message) => message["output_config"] ?? [])];
  };

  test("is said in a message that says nothing else, from where the default counts as said", async () => {
    const talk = new Talk({ headers: true });
    set(talk);
    expect(await step(talk)).toEqual([undefined]);
    expect(talk.turn?.headers["anthropic-beta"]).toContain(beta);
    set(talk, "xhigh");
    expect(await step(talk)).toEqual([undefined, { effort: "xhigh" }]);
    expect(talk.turn?.continuity.checkpoints).toEqual([]);
    set(talk);
    expect(await step(talk)).toEqual([undefined, { effort: "xhigh" }, { effort: "medium" }]);
    set(talk, "medium");
    talk.restore();
    expect(await step(talk)).toEqual([{ effort: "medium" }, { effort: "xhigh" }, { effort: "medium" }]);
    expect(breaks(talk.turn as Turn<Body>)).toEqual([]);
  });

  test.each([
    ["without the header", {}, {}],
    ["where the host does not want it", { headers: true, settingChanges: "checkpoint" }, {}],
    ["on a model without the form", { headers: true }, { model: "claude-sonnet-5" }],
  ] as const)("is a params checkpoint %s", async (_where, options, more) => {
    const talk = new Talk(options);
    talk.head = { max_tokens: 1_000, output_config: { effort: "low" }, ...more };
    expect(await step(talk)).toEqual([{ effort: "low" }]);
    expect(talk.turn?.headers["anthropic-beta"] ?? "").not.toContain(beta);
    talk.head = { max_tokens: 1_000, output_config: { effort: "high" }, ...more };
    await step(talk);
    expect(breaks(talk.turn as Turn<Body>)).toEqual(["params at 0"]);
  });
});

test("events stand in one order: the user's channel, the system's, tools, settings, turn-scoped words (rule 17)", async () => {
  const notes = [announcement("scoped", { channel: "turn" }), announcement("host", { channel: "system" }), announcement("user")];
  const talk = new Talk({ headers: true, toolChanges: "append", sources: notes });
  const tool = (name: string): object => ({ name, input_schema: { type: "object" } });
  talk.head = { max_tokens: 1_000, tools: [tool("read")] };
  await talk.ask("one");
  talk.answer({ text: "yes" });
  talk.head = { max_tokens: 1_000, tools: [tool("read"), tool("write")], output_config: { effort: "low" } };
  for (const note of notes) talk.session.set(note, `words of ${note.id}`);
  const turn = await talk.ask("two");
  const kindOf = (message: Body["messages"][number]): string =>
    /words of (\w+)|tool_addition|effort/.exec(JSON.stringify(message))?.[0] ?? "";
  expect(sent(turn).slice(3).map(kindOf)).toEqual(["words of user", "words of host", "tool_addition", "effort", "words of scoped"]);
  expect(turn.said.map(({ source }) => source)).toEqual(["scoped", "host", "user", "tools", "request-settings"]);
  expect(breaks(turn)).toEqual([]);
  talk.answer({ text: "yes" });
  talk.restore();
  expect(breaks(await talk.ask("three"))).toEqual([]);
});

test("a model that reads its instructions behind the input has them there, and is told of no others (rule 25)", async () => {
  const host = new Host();
  host.session = createSession({ ...options, systemChanges: "append" });
  const said = (turn: { readonly sent: { readonly input: readonly object[] } }) => JSON.stringify(turn.sent.input);
  await host.ask("one", { instructions: "Be brief." }, "gpt-5.5");
  const told = await host.ask("two", { instructions: "Be kind." }, "gpt-5.5");
  expect(told.sent.instructions).toBe("Be brief.");
  expect(said(told)).toContain("Be kind.");
  const behind = await host.ask("three", { instructions: "Be kind." });
  expect(behind.sent.instructions).toBe("Be kind.");
  expect(said(behind)).not.toContain('are replaced by these:\\n"');
  const changed = await host.ask("four", { instructions: "Be calm." });
  expect(changed.sent.instructions).toBe("Be calm.");
  expect(breaks(changed as unknown as Turn<Body>)).toEqual([]);
  const back = await host.ask("five", { instructions: "Be calm." }, "gpt-5.5");
  expect(back.sent.instructions).toBe("Be calm.");
  expect(said(back).lastIndexOf("Be calm.")).toBeGreaterThan(said(back).lastIndexOf("Be kind."));
});
