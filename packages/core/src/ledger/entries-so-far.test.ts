import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntriesSoFar } from "./entries-so-far.ts";
import { type AdmittedCall, type Entry, makeEntry } from "./entry.ts";

const origin = Object.freeze({ wire: "tiny", model: "opus", endpoint: undefined });
const named = (...ids: readonly string[]): readonly AdmittedCall[] => ids.map((id) => ({ id, sentId: `${id}'`, name: "read" }));

const entries = fc
  .array(
    fc.record({
      role: fc.constantFrom("user", "assistant"),
      isSent: fc.boolean(),
      thinks: fc.boolean(),
      calls: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
    }),
    { maxLength: 6 },
  )
  .map((list) =>
    list.map(({ role, isSent, thinks, calls }, id) =>
      makeEntry(id, {
        ...{ kind: "host", role, given: [], sent: isSent ? { role } : null, calls: role === "assistant" ? named(...calls) : [] },
        reasoning: thinks ? { origin, vouched: true, lent: false } : undefined,
      }),
    ),
  );

/** The calls behind the last message that is no reply, by looking through what is sent. */
function plainBatch(window: readonly Entry[]): readonly AdmittedCall[] {
  const sent = window.filter((entry) => entry.sent !== null);
  return sent.slice(sent.findLastIndex(({ role }) => role !== "assistant") + 1).flatMap(({ calls }) => calls);
}

test("what admission asks of a window has one answer, whether its entries stay or were just admitted", () => {
  fc.assert(
    fc.property(entries, fc.nat(6), fc.boolean(), (window, at, asksEarly) => {
      const kept = window.slice(0, at);
      const soFar = new EntriesSoFar(kept, kept.findLast(({ reasoning }) => reasoning !== undefined)?.id);
      if (asksEarly) [soFar.hasSent(), soFar.findCall("a")];
      soFar.add(...window.slice(at));
      const calls = window.flatMap((entry) => entry.calls.map((call) => ({ entry, call })));
      for (const id of ["a", "b", "c"]) {
        expect(soFar.hasSentId(`${id}'`)).toBe(calls.some(({ call }) => call.id === id));
        expect(soFar.hasSentId(id)).toBe(false);
        expect(soFar.findCall(id)).toEqual(calls.findLast(({ call }) => call.id === id));
        expect(soFar.findCall(`${id}'`)).toEqual(soFar.findCall(id));
      }
      expect(soFar.openBatch()).toEqual(plainBatch(window));
      expect(soFar.hasSent()).toBe(window.some(({ sent }) => sent !== null));
      expect(soFar.lastReasoning()).toBe(window.findLast(({ reasoning }) => reasoning !== undefined)?.id);
      expect([...soFar.kept, ...soFar.added]).toEqual(window);
    }),
    { numRuns: 200 },
  );
});

describe("an id that no call went out under (rule 12)", () => {
  const kept = [
    makeEntry(1, {
      kind: "host",
      role: "assistant",
      given: [],
      sent: { role: "assistant" },
      calls: [{ id: "a", sentId: "a", name: "read" }],
    }),
  ];

  test("is the host's own where that is free, else it gets the next number", () => {
    const soFar = new EntriesSoFar(kept, undefined);
    expect(["b", "b", "a", "a", "b", "b_2"].map((id) => soFar.freeSentId(id))).toEqual(["b", "b_2", "a_2", "a_3", "b_3", "b_2_2"]);
  });

  test("is made where the host has none", () => {
    const soFar = new EntriesSoFar(kept, undefined);
    expect(["", ""].map((id) => soFar.freeSentId(id))).toEqual(["call_2", "call_3"]);
  });
});
