import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, makeEntry, type UnitMark, unvouched } from "./entry.ts";
import { foldLoop, openRow } from "./fold-loop.ts";
import { formsFor, lastSentReasoning, readsModel, sendsAll, type Target, withoutReasoning } from "./forms.ts";
import { factsOf } from "./window-facts.ts";
import type { Wordings } from "./wordings.ts";

/** `lends`: reasoning of which it is not known whether it is valid may go out once under `drop_block`. */
export type VoidingInput = { readonly wire: Wire; readonly lends: boolean; readonly wordings: Wordings };

/** `voided`: all of it, by a changed head. `stale`: entries behind an edit. `withheld`: replies that no window vouches for, with all their units. */
export type Voiding = {
  readonly voided: boolean;
  readonly stale: ReadonlySet<number>;
  readonly withheld: ReadonlyMap<number, readonly Unit[]>;
  /** The host settles: only then the proof of lent reasoning comes back. */
  readonly settles: boolean;
  /** The window that was answered: the provider took the last row of its open loop as it was sent. */
  readonly answered: readonly Entry[];
};

export type Reasoned = { readonly entries: readonly Entry[]; readonly lent: boolean; readonly folded: boolean };

/** Takes out, or no longer vouches for, what is not valid in a window any more, as the model that it goes to wants it. */
export function settleReasoning(
  input: VoidingInput,
  entries: readonly Entry[],
  voiding: Voiding,
  target: Target,
  nextId: () => number,
): Reasoned {
  const binds = target.profile.bindsReasoning !== "no";
  const settled = binds
    ? voidReasoning(input, entries, voiding, target, nextId)
    : { entries: unvouchReasoning(entries, voiding, nextId), lent: false, folded: false };
  if (!voiding.voided) return settled;
  const lose = (own: Entry): Entry => (binds ? withoutReasoning(input.wire, own, nextId()) : unvouched(own, nextId));
  return { ...settled, entries: settled.entries.map((entry) => sourceWith(entry, lose, nextId)) };
}

/**
 * Takes voided reasoning out (rules 6 and 27). Where that would leave an open loop's last replies without the reasoning that the provider wants to see, it is lent under
 * `drop_block` or the loop is folded (rule 62 b and c).
 */
function voidReasoning(input: VoidingInput, entries: readonly Entry[], voiding: Voiding, target: Target, nextId: () => number): Reasoned {
  const { voided, stale, withheld, settles } = voiding;
  const open = rowOf(entries);
  const missed = open.length === 0 ? noIds : unsentHere(input.wire, entries, target);
  const unsent = open.filter(({ id }) => missed.has(id)).map(({ id }) => id);
  const nothing = !voided && withheld.size === 0 && stale.size === 0 && unsent.length === 0;
  if (nothing && !open.some((entry) => entry.lostReasoning) && !factsOf(entries).lent) return { entries, lent: false, folded: false };
  const lostIds = losingIds(entries, voiding, unsent);
  const losing = (entry: Entry): boolean => lostIds.has(entry.id);
  const rowLoses = open.some((entry) => losing(entry) || entry.lostReasoning);
  // What the model does not get it cannot prove.
  const lendable = ({ id, reasoning }: Entry): boolean =>
    withheld.has(id) || (reasoning !== undefined && readsModel(input.wire, reasoning.origin, target));
  const lend = rowLoses && input.lends && settles && open.every((entry) => (losing(entry) ? lendable(entry) : !entry.lostReasoning));
  const lent = new Set(lend ? open : []);
  const result: Entry[] = [];
  const lastSent = (): number | undefined => {
    // A list of its own: what is known of one is kept by it, and this one grows.
    const before = result.slice();
    return lastSentReasoning(input.wire, before, before, target);
  };
  for (const entry of entries) {
    const now = !losing(entry)
      ? entry
      : lent.has(entry)
        ? lentEntry(input.wire, entry, { units: withheld.get(entry.id), after: lastSent }, target, nextId)
        : entry.reasoning === undefined
          ? entry
          : withoutReasoning(input.wire, entry, nextId());
    result.push(now);
  }
  if (!rowLoses || lend) return { entries: result, lent: lend, folded: false };
  const accepted = new Set(rowOf(voiding.answered).map(({ id }) => id));
  const lacksReasoning = ({ id, lostReasoning, unknownReasoning }: Entry): boolean =>
    lostReasoning || (unknownReasoning && !accepted.has(id)) || missed.has(id);
  return { entries: foldLoop(input.wire, result, lacksReasoning, input.wordings, nextId()), lent: false, folded: true };
}

const noIds: ReadonlySet<number> = new Set();

/** The last row of the open loop; empty: none is open. */
function rowOf(entries: readonly Entry[]): readonly Entry[] {
  const row = openRow(entries);
  return row === undefined ? [] : entries.slice(row.from, row.to);
}

/** Reasoning that this model could read but does not get: it was made over other forms, or its chain is broken. */
function unsentHere(wire: Wire, entries: readonly Entry[], target: Target): ReadonlySet<number> {
  if (sendsAll(entries, target)) return noIds;
  const sent = new Set(formsFor(wire, entries, target).flatMap(({ entry, message }) => (message === entry.sent ? [entry.id] : [])));
  const missed = entries.filter(
    ({ id, reasoning }) => reasoning !== undefined && readsModel(wire, reasoning.origin, target) && !sent.has(id),
  );
  return new Set(missed.map((entry) => entry.id));
}

/** What a landing replaced loses its reasoning as what stands in the window does: it may show again (rule 7). */
function sourceWith(entry: Entry, lose: (own: Entry) => Entry, nextId: () => number): Entry {
  const { landed } = entry;
  if (landed === undefined || landed.source.every(({ reasoning }) => reasoning === undefined)) return entry;
  const source = landed.source.map((own) => (own.reasoning === undefined ? own : lose(own)));
  return makeEntry(nextId(), { ...entry, landed: { ...landed, source } });
}

/** Entries that lose their reasoning; and with one that was lent in vain what was made behind it, since the chain is broken there. */
function losingIds(entries: readonly Entry[], { voided, stale, withheld }: Voiding, unsent: readonly number[]): ReadonlySet<number> {
  const lost = new Set<number>(unsent);
  for (const { id, reasoning, reasonedAfter } of entries) {
    if (withheld.has(id)) lost.add(id);
    if (reasoning === undefined) continue;
    if (voided || stale.has(id) || reasoning.lent || (reasonedAfter !== undefined && lost.has(reasonedAfter))) lost.add(id);
  }
  return lost;
}

/** On a model that binds nothing reasoning stays through any change, but what was made over something else is no longer vouched for where it is bound. */
function unvouchReasoning(entries: readonly Entry[], { voided, stale }: Voiding, nextId: () => number): readonly Entry[] {
  if (!voided && stale.size === 0) return entries;
  return entries.map((entry) => (voided || stale.has(entry.id) ? unvouched(entry, nextId) : entry));
}

/** `units`: of a reply that no window vouches for, all that it has; it is tried behind what stands before it. */
type Loan = { readonly units: readonly Unit[] | undefined; readonly after: () => number | undefined };

function lentEntry(wire: Wire, entry: Entry, { units, after }: Loan, { origin }: Target, nextId: () => number): Entry {
  if (units === undefined)
    return makeEntry(nextId(), { ...entry, reasoning: entry.reasoning === undefined ? undefined : { ...entry.reasoning, lent: true } });
  const role = entry.sent === null ? "assistant" : wire.read(entry.sent).nativeRole;
  return makeEntry(nextId(), {
    ...entry,
    sent: wire.compose(role, units),
    reasoning: { origin, vouched: true, lent: true },
    reasonedAfter: after(),
  });
}

/** An entry that was replaced by another form of itself keeps the host's marks. */
export function carryMarks(marks: Map<number, readonly UnitMark[]>, before: readonly Entry[], after: readonly Entry[]): void {
  if (marks.size === 0) return;
  for (const [position, entry] of after.entries()) {
    const own = marks.get((before[position] as Entry).id);
    if (own !== undefined && !entry.folded) marks.set(entry.id, own);
  }
}
