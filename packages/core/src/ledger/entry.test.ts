import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callsBehind, type Entry, formAtHand, givenAt, isFold, isGiven, isRecap, isReply, isSent, makeEntry, unvouched } from "./entry.ts";

const origin = Object.freeze({ wire: "tiny", model: "opus", endpoint: undefined });
const message = (words: string) => ({ role: "user", content: words });
const call = { id: "a", sentId: "a_2", name: "read" };
const said = { source: "state", value: 1, revision: 1, channel: "user" } as const;
const dormant = { units: [], nativeRole: "user", sent: { kind: "none" } } as const;

const plain = { kind: "host", role: "user", given: [], sent: null } as const;
const rest = {
  ...{ reasoning: undefined, reasonedAfter: undefined, calls: [], lostReasoning: false, unknownReasoning: false, said: [], empty: false },
  ...{ folded: false, landed: undefined, marks: [], dormant: undefined, slept: undefined, twin: undefined },
};
const members = {
  kind: fc.constantFrom("host", "event", "recap"),
  role: fc.constantFrom("user", "assistant", "system"),
  given: fc.array(fc.constantFrom("a", "b").map(message), { maxLength: 3 }),
  sent: fc.constantFrom(null, message("a"), message("c")),
  reasoning: fc.option(fc.record({ origin: fc.constant(origin), vouched: fc.boolean(), proven: fc.boolean(), lent: fc.boolean() }), {
    nil: undefined,
  }),
  reasonedAfter: fc.constantFrom(undefined, 3),
  calls: fc.constantFrom([], [call], [call, call]),
  lostReasoning: fc.boolean(),
  unknownReasoning: fc.boolean(),
  said: fc.constantFrom([], [said]),
  empty: fc.boolean(),
  folded: fc.boolean(),
  landed: fc.constantFrom(undefined, { landing: 1, source: [], signed: false }),
  marks: fc.constantFrom([], [{ unit: 0, mark: true }]),
  dormant: fc.constantFrom(undefined, dormant),
  slept: fc.constantFrom(undefined, []),
  twin: fc.constantFrom(undefined, { key: "1 2", size: 2 }),
};

/** All that an entry says of itself. */
function read(entry: Entry): object {
  return Object.fromEntries(["id", ...Object.keys(members)].map((name) => [name, entry[name as keyof Entry]]));
}

describe("an entry", () => {
  test("says what it was made of, however little room it takes; what is not said has a plain meaning", () => {
    fc.assert(
      fc.property(fc.record(members, { requiredKeys: ["kind", "role", "given", "sent"] }), (drawn) => {
        const parts = drawn as Parameters<typeof makeEntry>[1];
        const whole = { id: 7, ...rest, ...parts };
        const expected = { ...whole, reasonedAfter: whole.reasoning === undefined ? undefined : whole.reasonedAfter };
        expect(read(makeEntry(7, parts))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("that is made of another one's members says the same, under its own id, but for what is changed", () => {
    fc.assert(
      fc.property(fc.record(members), (drawn) => {
        const entry = makeEntry(7, drawn as Parameters<typeof makeEntry>[1]);
        expect(read(makeEntry(8, { ...entry }))).toEqual({ ...read(entry), id: 8 });
        const changed = makeEntry(8, { ...entry, kind: "host", given: [message("z")], calls: [], said: [] });
        expect(read(changed)).toEqual({ ...read(entry), id: 8, kind: "host", given: [message("z")], calls: [], said: [] });
      }),
      { numRuns: 200 },
    );
  });

  test("holds one message where what is sent is what was given, to the letter", () => {
    const given = message("a");
    expect(makeEntry(1, { ...plain, given: [given], sent: message("a") }).sent).toBe(given);
    const other = { content: "a", role: "user" };
    expect(makeEntry(1, { ...plain, given: [given], sent: other }).sent).toBe(other);
    expect(makeEntry(1, { ...plain, given: [given, given], sent: other }).sent).toBe(other);
  });

  test("keeps lists of its own, which grow no more", () => {
    const given = [message("a"), message("b")];
    const marks = [{ unit: 0, mark: true }];
    const entry = makeEntry(1, { ...plain, given, marks });
    given.pop();
    marks.pop();
    expect(entry.given).toHaveLength(2);
    expect(entry.marks).toHaveLength(1);
  });

  test("holds what is said of reasoning once an origin", () => {
    const origin = { wire: "tiny", model: "haiku", endpoint: undefined };
    const reasoning = (): Entry["reasoning"] => ({ origin, vouched: true, lent: false });
    const entries = [1, 2].map((id) => makeEntry(id, { ...plain, role: "assistant", reasoning: reasoning() }));
    expect(entries[0]?.reasoning).toBe(entries[1]?.reasoning);
    const twin = { ...origin };
    expect(makeEntry(3, { ...plain, reasoning: { origin: twin, vouched: true, lent: false } }).reasoning?.origin).toBe(twin);
  });
});

test("one whose reasoning nobody vouches for any longer is another; one that nobody vouched for stays", () => {
  const reasoned = (vouched: boolean, proven?: true): Entry =>
    makeEntry(1, { ...plain, role: "assistant", reasoning: { origin, vouched, lent: false, ...(proven && { proven }) } });
  for (const entry of [reasoned(true), reasoned(false, true)]) {
    const now = unvouched(entry, () => 9);
    expect(now).toMatchObject({ id: 9, role: "assistant" });
    expect([now.reasoning?.vouched, now.reasoning?.proven ?? false]).toEqual([false, false]);
  }
  for (const entry of [reasoned(false), makeEntry(1, plain)]) expect(unvouched(entry, () => 9)).toBe(entry);
});

test("the calls behind an entry are its own, or those of what a landing replaced by it", () => {
  const source = [[call], [], [call, call]].map((calls, id) => makeEntry(id, { ...plain, role: "assistant", calls }));
  const landed = { landing: 1, source, signed: false };
  expect(callsBehind(makeEntry(7, { ...plain, calls: [call] }))).toEqual([call]);
  expect(callsBehind(makeEntry(7, { ...plain, kind: "recap", landed }))).toEqual([call, call, call]);
});

test("a given message is told by its place, and none stands behind the last", () => {
  for (const given of [[], [message("a")], [message("a"), message("b")]])
    expect([0, 1, 2].map((index) => givenAt(makeEntry(1, { ...plain, given }), index))).toEqual([given[0], given[1], undefined]);
});

test("the sent form is at hand where it is awake, or kept in full", () => {
  const kept = { ...dormant, sent: { kind: "kept", message: message("a") } } as const;
  const forms = [{ sent: message("b") }, { dormant: kept }, { dormant }, {}].map((parts) =>
    formAtHand(makeEntry(1, { ...plain, ...parts })),
  );
  expect(forms).toEqual([message("b"), message("a"), undefined, undefined]);
});

describe("what an entry is", () => {
  const sleeping = (kind: "none" | "kept") =>
    makeEntry(1, {
      ...plain,
      role: "assistant",
      dormant: { ...dormant, sent: kind === "none" ? { kind } : { kind, message: message("a") } },
    });
  const awake = makeEntry(1, { ...plain, role: "assistant", sent: message("a") });

  test("a reply is an assistant message that is sent, asleep or not", () => {
    expect([awake, sleeping("kept"), sleeping("none"), makeEntry(1, plain)].map(isSent)).toEqual([true, true, false, false]);
    expect([awake, sleeping("kept"), sleeping("none"), makeEntry(1, { ...plain, sent: message("a") })].map(isReply)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("it is given where messages of the history stand behind it, or digests of them", () => {
    const unit = { side: "other", kind: "text", digest: "d" } as const;
    const given = [{ given: [message("a")] }, { dormant: { ...dormant, units: [unit] } }, { slept: [unit] }];
    expect(given.map((parts) => isGiven(makeEntry(1, { ...plain, ...parts })))).toEqual([true, true, true]);
    expect([{}, { dormant }, { slept: [] }].map((parts) => isGiven(makeEntry(1, { ...plain, ...parts })))).toEqual([false, false, false]);
  });

  test("a fold and a recap are told by what they were made as", () => {
    expect([isFold(makeEntry(1, { ...plain, folded: true })), isFold(awake)]).toEqual([true, false]);
    expect([isRecap(makeEntry(1, { ...plain, kind: "recap" })), isRecap(awake)]).toEqual([true, false]);
  });
});
