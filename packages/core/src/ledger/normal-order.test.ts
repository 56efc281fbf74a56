import fc from "fast-check";
import { expect, test } from "vitest";
import type { Unit } from "../wire/unit.ts";
import { normalOrder } from "./normal-order.ts";

const ids = ["a", "b", "c", "d"];
const units = fc.array(
  fc.oneof(
    fc.constantFrom(...ids).map((id): Unit => ({ kind: "result", id, text: id, block: { id } })),
    fc.constantFrom("x", "y").map((said): Unit => ({ kind: "text", text: said, block: { said } })),
  ),
  { maxLength: 7 },
);

/** Word by word: the results of each call in turn, those of no call by their ids, then the rest. */
function plainOrder(list: readonly Unit[], callIds: readonly string[]): readonly Unit[] {
  const resultsOf = (id: string): readonly Unit[] => list.filter((unit) => unit.kind === "result" && unit.id === id);
  const calls = [...new Set(callIds)];
  const strangers = ids.filter((id) => !calls.includes(id));
  return [...[...calls, ...strangers].flatMap(resultsOf), ...list.filter(({ kind }) => kind !== "result")];
}

test("results stand in the order of their calls, those without a call by their ids, the rest behind them as it came (rules 4 and 11)", () => {
  fc.assert(
    fc.property(units, fc.array(fc.constantFrom(...ids), { maxLength: 4 }), (list, callIds) => {
      const ordered = normalOrder(list, (unit) => unit, callIds);
      expect(ordered).toEqual(plainOrder(list, callIds));
      // Of two results of one call the first stays first.
      expect(ordered.every((unit, index) => unit === plainOrder(list, callIds)[index])).toBe(true);
    }),
    { numRuns: 200 },
  );
});
