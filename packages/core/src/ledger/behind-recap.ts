import type { ObjectValue } from "../json/value.ts";
import { type Alignment, align } from "./align.ts";
import { type Entry, formAtHand, isGiven, isRecap, isReply, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { runAt } from "./run.ts";
import { digestUnit, firstDigest } from "./unit-digest.ts";

/**
 * Where a history goes on with what was kept behind the window's first recap: right at its start, by a host that hands over no more than that, or behind what the recap replaced, which
 * was edited meanwhile (rule 7) or lost its start. Nothing that was sent changes.
 */
export function* behindRecap(entries: readonly Entry[], history: HostHistory): Generator<BehindRecap> {
  const [recap] = entries;
  if (recap === undefined || !isRecap(recap)) return;
  const run = runAt(entries, 0);
  const kept = entries.slice(run.to);
  for (const place of keptPlaces(history, recap, kept)) {
    const alignment = align(kept, history.from(place));
    // Of what is kept and is nobody's message any more nothing can be met.
    if (alignment.consumed === 0) continue;
    const given = history.copies(0, place);
    yield {
      alignment: shifted(alignment, [ownsNow(recap, given), ...entries.slice(1, run.to)], place),
      isTold: repeatsKeptReply(alignment) || (alignment.full && followsSource(history, recap, place)),
    };
  }
}

/** `isTold`: the history is known to go on there, by a reply of the kept part (rule 5), or since all of it stands in place behind what the recap replaced (rule 7). */
type BehindRecap = { readonly alignment: Alignment; readonly isTold: boolean };

function repeatsKeptReply({ entries, lastReply }: Alignment): boolean {
  return entries.slice(0, lastReply.entries).some((entry) => isReply(entry) && isGiven(entry));
}

/** Positions in the history at which the kept part may begin: those of a message that starts as it does. */
function keptPlaces(history: HostHistory, recap: Entry, kept: readonly Entry[]): readonly number[] {
  const start = kept.find(isGiven);
  const [digest] = start === undefined ? [] : digestsOf(history, start);
  const replaced = new Set(digestsOf(history, recap));
  const places: number[] = [];
  let known = false;
  for (let at = 0; at < history.length; at++) {
    const [unit] = history.at(at).reading.units;
    if (unit === undefined) continue;
    const own = digestUnit(unit);
    // Words of its own and nothing that was replaced: that is the host's own summary (rule 5 c).
    if (own === digest && (at === 0 || known)) places.push(at);
    known ||= replaced.has(own);
  }
  return places;
}

/** Whether the last message that a recap replaced stands right before a place. */
function followsSource(history: HostHistory, { given, dormant }: Entry, place: number): boolean {
  const before = place === 0 ? undefined : history.at(place - 1).reading.units.at(-1);
  const message = given.at(-1);
  const last = dormant?.units.at(-1)?.digest ?? (message && history.wire.read(message).units.map(digestUnit).at(-1));
  return before !== undefined && digestUnit(before) === last;
}

function digestsOf(history: HostHistory, { given, dormant }: Entry): readonly string[] {
  if (dormant !== undefined) return dormant.units.map(({ digest }) => digest);
  return given.map((message) => firstDigest(history.wire, message));
}

/** What the host hands over for a recap from now on; what it no longer has is kept by the recap alone. */
function ownsNow(recap: Entry, given: readonly ObjectValue[]): Entry {
  const { landed } = recap;
  const sent = formAtHand(recap) ?? null;
  const source = given.length > 0 ? landed?.source : landed?.source.map((entry) => makeEntry(entry.id, { ...entry, given: [] }));
  return makeEntry(recap.id, {
    ...recap,
    given,
    sent,
    ...{ dormant: undefined, slept: undefined },
    landed: landed === undefined || source === undefined ? undefined : { ...landed, source },
  });
}

function shifted(alignment: Alignment, before: readonly Entry[], by: number): Alignment {
  const { lastReply } = alignment;
  return {
    ...alignment,
    entries: [...before, ...alignment.entries],
    matched: before.length + alignment.matched,
    consumed: by + alignment.consumed,
    lastReply: { entries: before.length + lastReply.entries, consumed: by + lastReply.consumed },
    under: alignment.under + (by > 0 ? 1 : 0),
    marks: new Map([...alignment.marks].map(([position, marks]) => [before.length + position, marks] as const)),
    late: alignment.late.map(({ to, result }) => ({ to: before.length + to, result })),
  };
}
