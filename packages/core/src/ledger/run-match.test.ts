import { expect, test } from "vitest";
import type { Unit } from "../wire/unit.ts";
import { type Expected, matchRun } from "./run-match.ts";

const text = (said: string): Unit => ({ kind: "text", text: said, block: { type: "text", text: said } });
const thought = (said: string): Unit => ({ kind: "reasoning", bound: true, readable: said, block: { type: "thinking", thinking: said } });
const expected = (...units: readonly Unit[]): readonly Expected[] =>
  units.map((unit, index) => ({
    entry: 0,
    index,
    forms: [unit],
    digest: undefined,
    optional: unit.kind === "reasoning" ? "reasoning" : undefined,
  }));

test("a reply from which the host dropped one thought of several is the same reply (rule 4)", () => {
  const sent = expected(thought("one"), thought("two"), text("so"));
  expect(matchRun(sent, [thought("two"), text("so")])).toEqual({ taken: 2, metBy: [undefined, 0, 1] });
  expect(matchRun(sent, [thought("one"), text("so")])).toEqual({ taken: 2, metBy: [0, undefined, 1] });
  expect(matchRun(sent, [text("so")])).toEqual({ taken: 1, metBy: [undefined, undefined, 0] });
});

test("a reply whose thoughts were changed, joined or put in another order is another one", () => {
  const sent = expected(thought("one"), thought("two"), text("so"));
  expect(matchRun(sent, [thought("one two"), text("so")])).toBeUndefined();
  expect(matchRun(sent, [thought("one"), thought("TWO"), text("so")])).toBeUndefined();
  expect(matchRun(sent, [thought("two"), thought("one"), text("so")])?.taken).not.toBe(3);
});
