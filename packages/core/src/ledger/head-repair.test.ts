import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, type Message, speakers, text, thinking } from "../../test/speakers.ts";
import { breaks, Talk } from "../../test/talk.ts";
import { createLedger } from "./create-ledger.ts";

const read = { name: "read", description: "Reads.", input_schema: { type: "object" } };
const grep = { name: "grep", description: "Searches.", input_schema: { type: "object" } };
const write = { name: "write", description: "Writes.", input_schema: { type: "object" } };
const system = [{ type: "text", text: "be brief", host: { page: 1, of: 2 } }];
const thinks = { type: "adaptive", display: "omitted" };

const backwards = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).toReversed()) as T;

/** A session that has sent this head and whose reply has come. */
async function opened(head: object): Promise<Talk> {
  const talk = new Talk({ cache: "off", strict: false });
  talk.head = { max_tokens: 2_000, ...head };
  await talk.ask("one");
  talk.answer({ text: "1" });
  return talk;
}

/** The head of the next request, as bytes, for another head of the host. */
async function headSent(talk: Talk, head: object): Promise<string> {
  talk.head = { max_tokens: 2_000, ...head };
  const { system: said, tools } = (await talk.ask("next")).request;
  return JSON.stringify({ system: said, tools });
}

describe("a head that says the same in another way (rules 3 and 4)", () => {
  test.each([
    ["nothing", {}, 0],
    ["the keys of a system block, which the wire puts in order itself", { system: system.map(backwards) }, 0],
    ["keys deeper in a system block", { system: system.map((block) => ({ ...block, host: backwards(block.host) })) }, 1],
    ["the keys of a tool", { tools: [backwards(read), grep] }, 1],
    ["the order of the tools", { tools: [grep, read] }, 1],
    ["keys in both", { system: system.map((block) => ({ ...block, host: backwards(block.host) })), tools: [read, backwards(grep)] }, 2],
  ])("goes out with the bytes that were sent, is no break, and is counted: %s", async (_which, change, equivalent) => {
    const head = { system, tools: [read, grep] };
    const talk = await opened(head);
    expect(await headSent(talk, { ...head, ...change })).toBe(JSON.stringify(head));
    expect(talk.turn?.continuity.checkpoints).toEqual([]);
    expect(talk.turn?.repairs.equivalent).toBe(equivalent);
  });

  test("is no break where the keys of a parameter stand in another order", async () => {
    const talk = await opened({ thinking: thinks });
    talk.head = { max_tokens: 2_000, thinking: backwards(thinks) };
    const turn = await talk.ask("next");
    expect(breaks(turn)).toEqual([]);
    expect(turn.repairs.equivalent).toBe(0);
  });
});

describe("changed tools (rule 25)", () => {
  test.each([
    ["a new one stands behind those that stay", [write, grep, read], [read, grep, write]],
    ["one that is gone leaves the others in their places", [backwards(grep)], [grep]],
    ["the last may be gone", [backwards(read)], [read]],
    ["a changed one keeps its place", [grep, { ...read, description: "Reads a file." }], [{ ...read, description: "Reads a file." }, grep]],
    ["all may be others", [write], [write]],
  ])("%s", async (_how, now, expected) => {
    const talk = await opened({ tools: [read, grep] });
    expect(await headSent(talk, { tools: now })).toBe(JSON.stringify({ tools: expected }));
    expect(talk.turn?.repairs.equivalent).toBe(0);
    expect(talk.turn?.continuity.checkpoints).toMatchObject([{ reason: "tools", at: 0 }]);
  });

  test("of which two bear one name go out as the host has them", () => {
    const ledger = createLedger({ wire: anthropicSpeaker.wire });
    const request = { model: anthropicSpeaker.model, messages: [anthropicSpeaker.user("one")], tools: [read, grep] };
    ledger.reconcile(request).commit();
    const tools = [grep, { ...read, description: "Reads twice." }, backwards(read)];
    expect(JSON.stringify(ledger.reconcile({ ...request, tools }).request.tools)).toBe(JSON.stringify(tools));
  });
});

describe("in an open loop whose replies have bound reasoning (rule 62 a)", () => {
  test.each([
    ["system text", { system: "be long" }, 1],
    ["tools", { tools: [grep, read] }, 1],
    ["both", { system: "be long", tools: [read, grep] }, 2],
    ["neither: only key orders", { tools: [backwards(read)] }, 0],
  ])("a changed head waits and is counted as held: %s", async (_which, change, held) => {
    const talk = new Talk({ cache: "off" });
    const head = { max_tokens: 1_000, system: "be brief", tools: [read] };
    talk.head = head;
    await talk.ask("one");
    talk.answer([thinking("first"), text("reads"), call("c1")]);
    talk.head = { ...head, ...change };
    const turn = await talk.results(["c1", "a"]);
    expect(breaks(turn)).toEqual([]);
    expect(turn.request).toMatchObject({ tools: [read] });
    expect(JSON.stringify(turn.request["system"])).toContain("be brief");
    expect(turn.repairs.held).toBe(held);
    talk.answer([thinking("second"), text("done")]);
    expect((await talk.ask("two")).continuity.checkpoints).toHaveLength(held);
  });
});

test("what is repaired and what is held is counted in the head and in the messages together (rules 4 and 62 a)", async () => {
  const talk = new Talk({ cache: "off" });
  const head = { max_tokens: 1_000, system: "be brief", tools: [read, grep] };
  talk.head = head;
  await talk.ask("one");
  talk.answer([thinking("first"), text("1")]);
  await talk.ask("two");
  talk.answer([thinking("second"), call("c1")]);
  const [asks, reply, ...rest] = talk.history as [Message, Message, ...Message[]];
  talk.history = [asks, backwards(reply), ...rest.with(-1, { role: "assistant", content: [call("c1")] })];
  talk.head = { ...head, tools: [grep, backwards(read)] };
  const repaired = await talk.results(["c1", "a"]);
  expect(repaired.repairs).toMatchObject({ equivalent: 3, held: 0 });
  talk.answer([thinking("third"), call("c2")]);
  talk.history[0] = anthropicSpeaker.user("one, edited");
  talk.head = { ...head, system: "be long", tools: [read] };
  const held = await talk.results(["c2", "b"]);
  expect(held.repairs.held).toBe(3);
  expect(breaks(held)).toEqual([]);
});

test.each(speakers)("a parameter that changes is a checkpoint and goes out as the host has it ($name)", async (speaker) => {
  const talk = new Talk({ cache: "off" }, speaker);
  const [before, now] =
    speaker.name === "Anthropic"
      ? [{ output_config: { effort: "high" } }, { output_config: { effort: "low" } }]
      : [{ reasoning_effort: "high" }, { reasoning_effort: "low" }];
  talk.head = { max_tokens: 1_000, ...before };
  await talk.ask("one");
  talk.answer({ text: "1" });
  const turn = await talk.ask("two", now);
  expect(breaks(turn)).toEqual(["params at 0"]);
  expect(turn.request).toMatchObject(now);
});

test("tools of which some stay and some are new go out fixed, as all that the window keeps does", async () => {
  const talk = await opened({ tools: [read, grep] });
  talk.head = { max_tokens: 2_000, tools: [read, write] };
  const tools = (await talk.ask("next")).request.tools as unknown as object[];
  expect(() => tools.push(grep)).toThrow(TypeError);
});
