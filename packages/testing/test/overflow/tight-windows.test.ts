import { background, createSession, elide, type ObjectValue, type OverflowStrategy, summarize } from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { chanceOf } from "../../src/simulator/chance.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import { callsIn, type Side, sides, storedOf } from "./sides.ts";

const summarizer = async () => ({ text: "SUMMARY: they went on.", complete: true, refused: false });

/** One question, and an agent that goes on calling: request after request until the loop has had so many. */
async function loop(
  side: Side,
  strategy: OverflowStrategy,
  steps: number,
  step: (number: number) => { readonly reply: ScriptedReply; readonly result: string },
) {
  let scripted: ScriptedReply = {};
  const session = createSession({
    ...{ wire: side.wire, strict: true, selfCheck: true, toolResultCap: false },
    budget: { context: 4_256, output: 256, measure: "counter" },
    overflow: { strategy, minimumGain: 0 },
  });
  const simulator = side.simulator("loop", () => scripted);
  const history: ObjectValue[] = [side.user("Mend the quay.")];
  for (let number = 0; number < steps; number++) {
    const { reply, result } = step(number);
    const turn = await session.prepare(side.request(history));
    await new Promise((resolve) => setImmediate(resolve));
    scripted = reply;
    const answer = await simulator.handle(turn.request, { headers: turn.headers });
    expect(answer.refusal).toBeUndefined();
    turn.settle(answer.reply);
    const stored = storedOf(side, answer.reply);
    history.push(...stored, ...side.results(callsIn(side, stored).map((call) => [call, result])));
  }
  return session.landings;
}

function prose(number: number, words: number): string {
  const chance = chanceOf(`prose ${number}`);
  return Array.from({ length: words }, () => chance.pick(["copper", "linen", "quarry", "harbour", "meadow", "kettle"])).join(" ");
}

describe.each(sides)("$name: a loop that has to be cut while it is open", (side) => {
  test("of long results, elided again and again: what was folded can be elided too (rules 37 and 62)", async () => {
    const landings = await loop(side, elide(), 40, (number) => ({
      reply: { thinking: `thought ${number}`, calls: [{ name: "read", input: { path: `${number}.ts` } }] },
      result: `result ${number}. ${prose(number, 300)}`,
    }));
    expect(landings.length).toBeGreaterThan(1);
  });

  test("of long arguments, elided: old calls go with their results (rule 37)", async () => {
    const landings = await loop(side, elide(), 40, (number) => ({
      reply: { thinking: `thought ${number}`, calls: [{ name: "read", input: { path: `${number}.ts`, text: prose(number, 300) } }] },
      result: "written",
    }));
    expect(landings.length).toBeGreaterThan(1);
  });

  /** Words of about three quarters of the limit. */
  const long = side.name.startsWith("Anthropic") ? 1_450 : 2_400;

  test("over the limit a finished job lands and is refitted, if that is not enough (rule 40)", async () => {
    const landings = await loop(side, background(summarize({ summarizer })), 40, (number) => ({
      reply: { thinking: `thought ${number}`, calls: [{ name: "read", input: { path: `${number}.ts` } }] },
      result: `result ${number}. ${prose(number, number % 5 === 3 ? long : 300)}`,
    }));
    expect(landings.length).toBeGreaterThan(1);
  });
});
