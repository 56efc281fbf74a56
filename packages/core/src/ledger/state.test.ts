import { describe, expect, test } from "vitest";
import type { ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import { type Entry, makeEntry } from "./entry.ts";
import { emptyState, foldEvent, type LedgerEvent, type LedgerState, lastTurn, openTurn, provenLast } from "./state.ts";

const head: Head = { model: "m", system: [], tools: [], params: {} } as unknown as Head;
const origin = { wire: "tiny", model: "m", endpoint: undefined };
const usage = { prompt: 1, uncached: undefined, cacheRead: undefined, cacheWrite: undefined, output: 1, reasoning: undefined };
const said = (id: number, landing?: number): Entry =>
  makeEntry(id, {
    ...{ kind: "host", role: "user", given: [], sent: { role: "user", content: String(id) } as ObjectValue },
    landed: landing === undefined ? undefined : { landing, source: [], signed: false },
  });

type Prepared = LedgerEvent & { readonly type: "prepared" };
const prepared = (turn: number, more: Partial<Prepared> = {}): Prepared => ({
  ...{ type: "prepared", turn, base: undefined, kept: 0, entries: [said(turn)], head, prefill: undefined, origin },
  ...{ answered: false, checkpoints: [], trimmed: false },
  ...more,
});
const settled = (turn: number): LedgerEvent => ({ type: "settled", turn, settlement: { reply: [], dropped: [], usage } });
const folded = (...events: readonly LedgerEvent[]): LedgerState => events.reduce((state, event) => foldEvent(state, event), emptyState);
const numbers = ({ turns }: Pick<LedgerState, "turns">): readonly number[] => turns.map((turn) => turn.number);

describe("what a ledger knows is the fold over its events", () => {
  test("a window starts with so many entries of the turn that it names, and goes on with its own", () => {
    const state = folded(prepared(1, { entries: [said(1), said(2)] }), prepared(2, { base: 1, kept: 1, entries: [said(3)] }));
    expect(lastTurn(state)?.entries.map(({ id }) => id)).toEqual([1, 3]);
    const first = folded(prepared(1));
    expect(lastTurn(foldEvent(first, prepared(2, { base: 1, kept: 1, entries: [] })))?.entries).toBe(lastTurn(first)?.entries);
  });

  test("numbers go up from the highest that was seen", () => {
    const state = folded(prepared(1, { entries: [said(7, 4), said(5, 2)] }));
    expect(state).toMatchObject({ nextTurn: 2, nextEntry: 8, nextLanding: 5 });
    expect(foldEvent(state, prepared(2, { entries: [said(3)] }))).toMatchObject({ nextTurn: 3, nextEntry: 8, nextLanding: 5 });
  });

  test("a turn is done once its reply has come; six windows are kept while theirs may", () => {
    expect(numbers(folded(prepared(1), prepared(2, { base: 1 })))).toEqual([1, 2]);
    expect(numbers(folded(prepared(1), prepared(2, { base: 1, answered: true })))).toEqual([2]);
    expect(numbers(folded(...[1, 2, 3, 4, 5, 6, 7].map((turn) => prepared(turn))))).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test("trims are counted in a row", () => {
    const trims = [true, true, false, true].map((trimmed, index) => prepared(index + 1, { trimmed }));
    expect([1, 2, 3, 4].map((count) => folded(...trims.slice(0, count)).trimsInRow)).toEqual([1, 2, 0, 1]);
  });

  test("a ledger that starts over forgets its windows with the next one, of every wire", () => {
    const state = folded(prepared(1), moved("a", "b", 2), { type: "restarted" });
    expect(state.restarted).toBe(true);
    expect(folded(prepared(1), { type: "restarted" }, prepared(2))).toMatchObject({ restarted: false, parked: [] });
    expect(numbers(foldEvent(state, prepared(3)))).toEqual([3]);
    expect(foldEvent(state, prepared(3)).parked).toEqual([]);
  });

  test("revoked landings are remembered", () => {
    expect(folded({ type: "revoked", landing: 1 }, { type: "revoked", landing: 3 }, prepared(1)).revoked).toEqual([1, 3]);
  });
});

function moved(from: string, to: string, nextEntry: number): LedgerEvent {
  const turn = { number: 0, head, entries: [], prefill: undefined, origin, settled: undefined, trusted: false };
  return { type: "moved", left: { place: from, wire: undefined, window: [said(nextEntry)] }, place: to, turn, nextEntry };
}

describe("a ledger that goes from wire to wire (rule 15)", () => {
  const places = ({ parked }: LedgerState): readonly string[] => parked.map(({ place }) => place);

  test("keeps of each that it left what it left there, once, and takes it up when it comes back", () => {
    const there = folded(prepared(1), moved("a", "b", 10));
    expect(places(there)).toEqual(["a"]);
    expect(numbers(there)).toEqual([0]);
    const third = foldEvent(foldEvent(there, prepared(2)), moved("b", "c", 20));
    expect(places(third)).toEqual(["a", "b"]);
    expect(third.parked.map((parked) => numbers(parked))).toEqual([[1], [2]]);
    const back = foldEvent(third, moved("c", "a", 30));
    expect(places(back)).toEqual(["b", "c"]);
    expect(numbers(back)).toEqual([1, 0]);
    expect(back.nextEntry).toBe(30);
  });

  test("settles a turn wherever it is now", () => {
    const state = folded(prepared(1), moved("a", "b", 10), prepared(2), settled(1), settled(2));
    expect(state.settles).toBe(true);
    expect(openTurn(state, 1)?.settled).toMatchObject({ usage });
    expect(openTurn(state, 2)?.settled).toMatchObject({ usage });
    expect(openTurn(folded(prepared(1), prepared(2), settled(1)), 2)?.settled).toBeUndefined();
    expect([openTurn(state, 0), openTurn(state, 9)]).toEqual([undefined, undefined]);
  });
});

describe("a restored window that a store proves to be the last (rule 49)", () => {
  const restored = (state: LedgerState): LedgerState => ({ ...state, turns: state.turns.map((turn) => ({ ...turn, trusted: false })) });

  test("has its reply taken on trust, whether or not the host settles; those before have not", () => {
    const proven = provenLast(restored(folded(settled(9), prepared(1), prepared(2))));
    expect(proven.settles).toBe(false);
    expect(proven.turns.map(({ trusted }) => trusted)).toEqual([false, true]);
  });

  test("needs no trust where it was settled, or where there is none", () => {
    const state = restored(folded(prepared(1), settled(1)));
    expect(provenLast(state)).toBe(state);
    expect(provenLast(emptyState)).toBe(emptyState);
  });
});
