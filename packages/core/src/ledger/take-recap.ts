import type { ObjectValue } from "../json/value.ts";
import { sameUnits } from "../wire/message-reader.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { normalOrder } from "./normal-order.ts";
import type { Run, TakenRun } from "./run.ts";
import { matchRun } from "./run-match.ts";
import { type FoldPart, firstWay, partsOf } from "./take-fold.ts";
import { wakeEntry } from "./wake.ts";

/**
 * Takes up a recap (rule 5): the history has the messages that it replaced, in whatever representation, or it has the recap itself, as a host has that stores a
 * landing's replacement.
 */
export function takeRecap(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  return takeSource(entries, run, history, from) ?? takeStored(entries, run, history, from);
}

function takeSource(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const [recap, ...others] = entries.slice(run.from, run.to) as [Entry, ...Entry[]];
  const end = endOfSource(recap, history, from);
  if (end === undefined) return undefined;
  const messages = Array.from({ length: end - from }, (_, index) => history.at(from + index).copy);
  const awake =
    recap.dormant === undefined
      ? recap
      : makeEntry(recap.id, { ...wakeEntry(history.wire, recap, [], messages), given: messages, slept: undefined });
  return { consumed: end, entries: [awake, ...others], repaired: recap.dormant === undefined ? 1 : 0, held: 0, marks: new Map() };
}

/** Where the replaced messages end in the history; what was kept may go on with the same side. Undefined: something else stands there. */
function endOfSource(recap: Entry, history: HostHistory, from: number): number | undefined {
  return firstWay(partsOf(history.wire, recap), (parts) => {
    let at = from;
    for (const [index, part] of parts.entries()) {
      const end = endOfPart(part, history, at, index === parts.length - 1);
      if (end === undefined) return undefined;
      at = end;
    }
    return at === from ? undefined : at;
  });
}

function endOfPart(part: FoldPart, history: HostHistory, from: number, last: boolean): number | undefined {
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
  return last && next.index === 0 ? next.message : undefined;
}

/** The recap as it was sent. From then on its messages are the host's own. */
function takeStored(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const own = entries.slice(run.from, run.to);
  if (from + own.length > history.length) return undefined;
  const stored: Entry[] = [];
  for (const [index, entry] of own.entries()) {
    const message = history.at(from + index);
    const sent = entry.sent ?? keptForm(entry);
    if (sent === undefined) return undefined;
    const reading = history.wire.read(sent);
    if (reading.role !== message.reading.role || !sameUnits(reading.units, message.reading.units)) return undefined;
    stored.push(makeEntry(entry.id, { ...entry, ...ownedBy(history.wire, entry, sent), given: [message.copy], sent, dormant: undefined }));
  }
  return { consumed: from + own.length, entries: stored, repaired: 0, held: 0, marks: new Map() };
}

/** A provider's block stays a recap, whoever keeps it. */
function ownedBy({ compaction }: Wire, { landed }: Entry, sent: ObjectValue): Pick<Entry, "kind" | "landed"> {
  if (landed === undefined || compaction?.holds(sent) !== true) return { kind: "host", landed: undefined };
  return { kind: "recap", landed: { ...landed, source: [] } };
}

function keptForm({ dormant }: Entry): ObjectValue | undefined {
  return dormant?.sent.kind === "kept" ? dormant.sent.message : undefined;
}
