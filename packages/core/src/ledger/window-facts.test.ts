import fc from "fast-check";
import { expect, test } from "vitest";
import type { Origin } from "../wire/origin.ts";
import { type Entry, makeEntry } from "./entry.ts";
import { extended, factsOf, goesOn, type WindowFacts } from "./window-facts.ts";

const origins: readonly Origin[] = ["opus", "haiku"].map((model) => Object.freeze({ wire: "tiny", model, endpoint: undefined }));
const dormant = { units: [], nativeRole: "user", sent: { kind: "none" } } as const;
const words = { pinned: [] };

const parts = fc.record({
  role: fc.constantFrom("user", "assistant", "system"),
  isSent: fc.boolean(),
  origin: fc.option(fc.nat(1)),
  vouched: fc.boolean(),
  lent: fc.boolean(),
  isChained: fc.boolean(),
  sleeps: fc.constantFrom(false, false, "none", "kept"),
  marked: fc.boolean(),
  call: fc.option(fc.constantFrom("a", "b", "c")),
  form: fc.option(fc.constantFrom("toolChanges", "settings", "words")),
  holdsWords: fc.boolean(),
});

/** A window of such entries. What is chained was made right behind the reasoning before it. */
const windows: fc.Arbitrary<readonly Entry[]> = fc.array(parts, { maxLength: 6 }).map((list) => {
  let last: number | undefined;
  return list.map((part, id) => {
    const { role, isSent, origin, vouched, lent, isChained, sleeps, marked, call, form, holdsWords } = part;
    const said = { source: "state", value: null, revision: 1, channel: "user" } as const;
    const entry = makeEntry(id, {
      ...{ kind: "host", role, given: [], sent: isSent && sleeps === false ? { role, content: String(id) } : null },
      reasoning: origin === null ? undefined : { origin: origins[origin] as Origin, vouched, lent },
      reasonedAfter: isChained ? last : 99,
      marks: marked ? [{ unit: 0, mark: true }] : [],
      calls: call === null ? [] : [{ id: call, sentId: call, name: "read" }],
      said: form === null ? [] : [form === "words" ? said : { ...said, form }],
      dormant:
        sleeps === false ? undefined : { ...dormant, sent: sleeps === "none" ? { kind: "none" } : { kind: "kept", message: { role } } },
      ...(holdsWords ? { landed: { landing: 1, source: [], signed: true, words } } : {}),
    });
    if (entry.reasoning !== undefined) last = id;
    return entry;
  });
});

/** The same by looking through the window once for each question. */
function plainFacts(entries: readonly Entry[]): Omit<WindowFacts, "list" | "from" | "sentIds"> {
  const reasoned = entries.filter(({ reasoning }) => reasoning !== undefined);
  const made = new Set(reasoned.map(({ reasoning }) => reasoning?.origin));
  const sleeping = entries.filter((entry) => entry.dormant !== undefined);
  return {
    messages: entries.flatMap(({ sent }) => (sent === null ? [] : [sent])),
    origin: made.size > 1 ? "mixed" : [...made][0],
    vouched: reasoned.every(({ reasoning }) => reasoning?.vouched),
    chained: reasoned.every(({ reasonedAfter }, index) => reasonedAfter === reasoned[index - 1]?.id),
    lent: reasoned.some(({ reasoning }) => reasoning?.lent),
    lastReasoning: reasoned.at(-1)?.id,
    asleep: sleeping.length > 0,
    system: entries.some(({ role, sent, dormant: form }) => role === "system" && (sent !== null || form?.sent.kind === "kept")),
    wordless: [...new Set(entries.flatMap(({ said }) => said.flatMap(({ form }) => form ?? [])))],
    marked: entries.some(({ marks }) => marks.length > 0),
    speaking: entries.filter(({ said, landed }) => said.length > 0 || landed?.words !== undefined),
  };
}

test("what is known of a window is what looking through it tells, however it grew", () => {
  fc.assert(
    fc.property(windows, fc.nat(6), (entries, at) => {
      const grown = extended(extended([], entries.slice(0, at)), entries.slice(at));
      for (const window of [grown, [...entries]]) {
        const { list: _list, from: _from, sentIds, ...facts } = factsOf(window);
        expect(facts).toEqual(plainFacts(entries));
        for (const id of ["a", "b", "c"]) expect(sentIds.has(id)).toBe(entries.some(({ calls }) => calls[0]?.sentId === id));
      }
    }),
    { numRuns: 200 },
  );
});

test("a window goes on from itself and from what it was made from, and from nothing else that is known", () => {
  const [first, second] = [1, 2].map((id) => makeEntry(id, { kind: "host", role: "user", given: [], sent: null })) as [Entry, Entry];
  const before = [first];
  const whole = extended(before, [second]);
  expect(goesOn(whole, before)).toBe(true);
  expect(goesOn(before, before)).toBe(true);
  expect(goesOn(before, whole)).toBe(false);
  expect(goesOn(whole, [first])).toBe(false);
  expect(goesOn([first, second], before)).toBe(false);
  expect(extended(before, [])).toBe(before);
  expect(factsOf(whole)).toBe(factsOf(whole));
});

test("of very many calls each id is known, and no other", () => {
  const entries = Array.from({ length: 200 }, (_, id) =>
    makeEntry(id, { kind: "host", role: "assistant", given: [], sent: null, calls: [{ id: `c${id}`, sentId: `c${id}`, name: "read" }] }),
  );
  const { sentIds } = factsOf(entries.reduce<readonly Entry[]>((window, entry) => extended(window, [entry]), []));
  expect(entries.every(({ calls }) => sentIds.has(calls[0]?.sentId ?? ""))).toBe(true);
  expect(sentIds.has("c200")).toBe(false);
});
