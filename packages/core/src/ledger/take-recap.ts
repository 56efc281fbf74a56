import type { ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, formAtHand, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { normalOrder } from "./normal-order.ts";
import type { Run, TakenRun } from "./run.ts";
import { matchRun } from "./run-match.ts";
import { type FoldPart, firstWay, partsOf } from "./take-fold.ts";
import { wakeEntry } from "./wake.ts";

/** Takes up a recap whose history has the messages that it replaced, in whatever representation (rule 5). */
export function takeRecap(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const [recap, ...others] = entries.slice(run.from, run.to) as [Entry, ...Entry[]];
  const end = endOfSource(partsOf(history.wire, recap), history, from);
  if (end === undefined) return undefined;
  const messages = history.copies(from, end);
  const awake =
    recap.dormant === undefined
      ? recap
      : makeEntry(recap.id, { ...wakeEntry(history.wire, recap, [], messages), given: messages, slept: undefined });
  return { consumed: end, entries: [awake, ...others], repaired: recap.dormant === undefined ? 1 : 0, held: 0, marks: new Map() };
}

/** Where the replaced messages end in the history; what was kept may go on with the same side. Undefined: something else stands there. */
function endOfSource(ways: ReturnType<typeof partsOf>, history: HostHistory, from: number): number | undefined {
  return firstWay(ways, (parts) => {
    let at = from;
    for (const part of parts) {
      const end = endOfPart(part, history, at);
      if (end === undefined) return undefined;
      at = end;
    }
    return at === from ? undefined : at;
  });
}

/**
 * How many messages of the history entries stand for, at its start: as many as were given, or what a store has made of them since. Undefined: they end inside a message, or something else
 * stands there.
 */
export function countGiven(entries: readonly Entry[], history: HostHistory): number | undefined {
  const given = entries.flatMap((entry) => entry.given);
  const isUnchanged = given.every((message, at) => at < history.length && history.repeats(at, message));
  return isUnchanged ? given.length : endOfSource(partsOf(history.wire, { given, dormant: undefined, slept: undefined }), history, 0);
}

function endOfPart(part: FoldPart, history: HostHistory, from: number): number | undefined {
  const end = history.runEnd(from, part.side);
  const located = normalOrder(
    history.unitsOf(from, end).filter(({ unit }) => unit.kind !== "reasoning"),
    ({ unit }) => unit,
    part.callIds,
  );
  const match = matchRun(
    part.items,
    located.map(({ unit }) => unit),
  );
  if (match === undefined) return undefined;
  const next = located[match.taken];
  if (next === undefined) return end;
  return next.index === 0 ? next.message : undefined;
}

/**
 * A recap as a host has it that stores a landing's replacement: messages of the host's own, given as they were sent, and met like all others, whatever its store joins with them.
 * Undefined: its words are asleep.
 */
export function storedRecap(entries: readonly Entry[], { from, to }: Run, wire: Wire): readonly Entry[] | undefined {
  const stored: Entry[] = [];
  for (const entry of entries.slice(from, to)) {
    const sent = formAtHand(entry);
    if (sent === undefined) return undefined;
    stored.push(makeEntry(entry.id, { ...entry, ...ownedBy(wire, entry, sent), given: [sent], sent, dormant: undefined }));
  }
  return stored;
}

/** A provider's block stays a recap, whoever keeps it. */
function ownedBy({ compaction }: Wire, { landed }: Entry, sent: ObjectValue): Pick<Entry, "kind" | "landed"> {
  if (landed === undefined || compaction?.holds(sent) !== true) return { kind: "host", landed: undefined };
  return { kind: "recap", landed: { ...landed, source: [] } };
}
