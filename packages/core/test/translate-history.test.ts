import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../src/adapters/openai-responses/index.ts";
import { createSession, type ObjectValue, translateHistory, type Wire } from "../src/index.ts";
import { everyWire } from "./every-wire.ts";

const claude = anthropic() as unknown as Wire;
const tools = ["look", "ask"];

type Exchange = {
  readonly question: string;
  readonly words: string;
  readonly calls: readonly { readonly id: string; readonly input: ObjectValue; readonly result: string }[];
};

const words = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).map((text) => `words ${text.toWellFormed()}.`);
const exchange: fc.Arbitrary<Exchange> = fc.record({
  question: words,
  words,
  calls: fc.array(
    fc.record({ id: fc.string({ maxLength: 90 }), input: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), words), result: words }),
    { maxLength: 3 },
  ),
});
/** Ids are unique in a history, whatever they are made of. */
const history = fc
  .array(exchange, { minLength: 1, maxLength: 4 })
  .map((exchanges) =>
    exchanges.map((one, at) => ({ ...one, calls: one.calls.map((call, index) => ({ ...call, id: `${call.id}${at}.${index}` })) })),
  );

/** The history as a host of the Anthropic wire has it, with thinking; a question at its end, or the results of a tool loop that goes on. */
function asClaude(exchanges: readonly Exchange[], inLoop: boolean): readonly ObjectValue[] {
  const messages = exchanges.flatMap(({ question, words: said, calls }): readonly ObjectValue[] => {
    const called = calls.map(({ id, input }, at) => ({ type: "tool_use", id, name: tools[at % 2] as string, input }));
    const results = calls.map(({ id, result }) => ({ type: "tool_result", tool_use_id: id, content: result }));
    const asked = { role: "user", content: [{ type: "text", text: question }] };
    const reply = {
      role: "assistant",
      content: [{ type: "thinking", thinking: "secret", signature: "c2ln" }, { type: "text", text: said }, ...called],
    };
    const closing = { role: "assistant", content: [{ type: "text", text: `${said} Done.` }] };
    return calls.length === 0 ? [asked, reply] : [asked, reply, { role: "user", content: results }, closing];
  });
  const last = exchanges.at(-1)?.calls.length ?? 0;
  return inLoop && last > 0 ? messages.slice(0, -1) : [...messages, { role: "user", content: [{ type: "text", text: "And now?" }] }];
}

/** What a history says, in no wire's words: whose texts, calls by name and arguments, results behind the calls that they answer. Ids by their first use. */
function saidIn(messages: readonly ObjectValue[], wire: Wire): readonly unknown[] {
  const ids: string[] = [];
  const numberOf = (id: string): number => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1);
  return messages.flatMap((message) => {
    const { role, units } = wire.read(message);
    return units.flatMap((unit): readonly unknown[] => {
      if (unit.kind === "text") return [[role, unit.text]];
      if (unit.kind === "call") return [["call", numberOf(unit.id), unit.name, unit.value]];
      return unit.kind === "result" ? [["result", numberOf(unit.id), unit.text]] : [];
    });
  });
}

const pairs = everyWire.flatMap((from) =>
  everyWire.filter((to) => to !== from).map((to) => ({ from, to, names: `${from.wire.name} to ${to.wire.name}` })),
);

describe("a history that goes to another wire (rule 15)", () => {
  test.each(pairs)("loses no text, call or result from $names, and the target's rules pass", async ({ from, to }) => {
    await fc.assert(
      fc.asyncProperty(history, fc.boolean(), async (exchanges, inLoop) => {
        const before = asClaude(exchanges, inLoop);
        const there = from.wire.name === "anthropic" ? before : translateHistory(before, { from: claude, to: from.wire });
        const translated = translateHistory(there, { from: from.wire, to: to.wire });
        expect(saidIn(translated, to.wire)).toEqual(saidIn(before, claude));
        expect(JSON.stringify(translated)).not.toContain("secret");
        const turn = await createSession({ wire: to.wire, strict: true }).prepare(to.request(translated, tools));
        expect(turn.repairs).toMatchObject({ resultsMadeUp: [], resultsOrphaned: [], resultsLate: [], resultsDropped: [], idsMapped: [] });
      }),
      { numRuns: 30 },
    );
  });
});

const call = (id: string): ObjectValue => ({ type: "function_call", call_id: id, name: "look", arguments: "{}" });

// Soak, through another wire and back: Chat refuses calls that stand in messages of their own.
test("a row of items that is one reply is one message where replies do not stand in rows, and a row again where they do (rule 15)", () => {
  const items: readonly ObjectValue[] = [
    { type: "message", role: "user", content: "Look at both." },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    ...["c1", "c2"].map(call),
    ...["c1", "c2"].map((id) => ({ type: "function_call_output", call_id: id, output: "seen" })),
  ];
  const [from, to] = [openaiResponses(), openaiChat()] as unknown as readonly [Wire, Wire];
  const translated = translateHistory(items, { from, to });
  expect(translated.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool"]);
  expect(translated[1]).toMatchObject({ content: "I look.", tool_calls: [{ id: "c1" }, { id: "c2" }] });
  const back = translateHistory(translated, { from: to, to: from });
  expect(back.map(({ type, role = "" }) => `${type} ${role}`.trim())).toEqual(items.map(({ type, role = "" }) => `${type} ${role}`.trim()));
});
