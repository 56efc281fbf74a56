import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { type Alignment, align } from "./align.ts";
import { digestsOf, type Entry, isReply, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { type Run, runAt } from "./run.ts";
import { type Expected, meets, unitOfExpected } from "./run-match.ts";
import { echoOf } from "./settled-reply.ts";
import type { LedgerTurn } from "./state.ts";
import { callsBefore, givenExpectation } from "./take-run.ts";
import { digestUnit, firstDigest } from "./unit-digest.ts";
import { wakeEntry } from "./wake.ts";

/** What became of a history that repeats nothing of the window's start (rule 5 b, c, d). */
export type HistoryHint = "trimmed" | "host-compaction" | "replaced";

/** How many messages of its own a host's summary may have before known ones follow. */
const ownMessagesMax = 3;

export function historyHint(last: LedgerTurn | undefined, history: HostHistory): HistoryHint | undefined {
  if (last === undefined || !last.entries.some(isReply)) return undefined;
  if (alignInTheMiddle(last, history, 0) !== undefined) return "trimmed";
  for (let own = 1; own <= Math.min(ownMessagesMax, history.length - 1); own++) {
    if (alignInTheMiddle(last, history, own) !== undefined) return "host-compaction";
  }
  return holdsAnyOf(last.entries, history) ? undefined : "replaced";
}

/** Whether a history has a message of the window, wherever it stands: told by how it begins. */
function holdsAnyOf(entries: readonly Entry[], history: HostHistory): boolean {
  const known = new Set(
    entries.flatMap((entry) => [...entry.given.map((message) => firstDigest(history.wire, message)), digestsOf(entry)?.[0]?.digest ?? ""]),
  );
  for (let at = 0; at < history.length; at++) {
    const first = history.at(at).reading.units[0];
    if (first !== undefined && known.has(digestUnit(first))) return true;
  }
  return false;
}

/**
 * `trims: "ignore"`: the whole window is taken for repeated up to where the history, which lost its start, still repeats it. What was dropped can be compared with nothing: an older
 * window counts only if it starts as the `last` one does.
 */
export function untrimmed(turn: LedgerTurn, last: readonly Entry[], history: HostHistory): Alignment | undefined {
  const middle = alignInTheMiddle(turn, history, 0);
  if (middle === undefined) return undefined;
  const { entries } = turn;
  const { alignment, start } = middle;
  if (entries.slice(0, start).some(({ id }, position) => id !== last[position]?.id)) return undefined;
  const before = entries.slice(0, start).map((entry) => withOwnWords(history.wire, entry));
  if (before.some((entry) => entry.dormant !== undefined)) return undefined;
  const dropped = before.map((_, position) => [position, []] as const);
  return {
    ...alignment,
    entries: [...before, ...alignment.entries],
    matched: start + alignment.matched,
    lastReply: { entries: start + alignment.lastReply.entries, consumed: alignment.lastReply.consumed },
    marks: new Map([...alignment.marks].map(([position, marks]) => [start + position, marks] as const).concat(dropped)),
    late: alignment.late.map(({ to, result }) => ({ to: start + to, result })),
  };
}

/** Behind a restore: what the host no longer hands over comes from the snapshot, where it was kept in full. */
function withOwnWords(wire: Wire, entry: Entry): Entry {
  const { dormant } = entry;
  if (dormant === undefined || dormant.sent.kind === "composed") return entry;
  return makeEntry(entry.id, { ...wakeEntry(wire, entry, [], []), slept: dormant.units });
}

/**
 * The history from `own` on repeats the window's middle, a reply included, be it the one that the window was settled with: it may start inside what one run of the window stands for, since a
 * host that trims does not know how its messages were joined.
 */
function alignInTheMiddle(
  { entries, settled }: LedgerTurn,
  history: HostHistory,
  own: number,
): { readonly alignment: Alignment; readonly start: number } | undefined {
  // A message that bears nothing is none of the history's start.
  const first = history.nextFilled(own);
  if (first >= history.length) return undefined;
  const rest = first === 0 ? history : history.from(first);
  const side = rest.side(0);
  const end = rest.runEnd(0, side);
  const units = rest.unitsOf(0, end).map((item) => item.unit);
  let best: { readonly alignment: Alignment; readonly start: number } | undefined;
  for (let at = 0; at < entries.length; ) {
    const run = runAt(entries, at);
    at = run.to;
    const match = run.side === side ? endsWith(history.wire, entries, run, units) : undefined;
    if (match === undefined || run.from + (match === "whole" ? 0 : 1) <= own) continue;
    const alignment = align(entries.slice(run.to), rest.from(end));
    const goesOn = run.last && echoOf(history.wire, settled?.reply ?? [], rest, end) !== undefined;
    if (alignment.lastReply.entries === 0 && side !== "assistant" && !goesOn) continue;
    // Replies may begin alike: what repeats most is meant, of equals the latest.
    if (best === undefined || alignment.consumed + first + end >= best.alignment.consumed)
      best = { alignment: shifted(alignment, end + first, side === "assistant"), start: run.to };
    if (alignment.full) break;
  }
  return best;
}

/** Whether a run's given form is these units, or ends with them: results of one batch may be cut off in any order, reasoning may be pruned. */
function endsWith(wire: Wire, entries: readonly Entry[], run: Run, units: readonly Unit[]): "whole" | "end" | undefined {
  const callIds = callsBefore(entries, run.from);
  const expected = givenExpectation(wire, entries, run, callIds).filter((item) => item.optional !== "event");
  const isResult = ({ kind }: Pick<Unit, "kind">): boolean => kind === "result";
  const results = expected.filter((item) => isResult(unitOfExpected(item)));
  if (!units.filter(isResult).every((unit) => results.some((item) => meets(item, unit)))) return undefined;
  const others = expected.filter((item) => !isResult(unitOfExpected(item)));
  const said = units.filter((unit) => !isResult(unit));
  const left = leftBefore(others, said);
  if (left === undefined) return undefined;
  const isWhole = results.length === units.length - said.length && left.every(({ optional }) => optional === "reasoning");
  return isWhole ? "whole" : "end";
}

/** What is expected before the units that come last; undefined: others do. */
function leftBefore(expected: readonly Expected[], units: readonly Unit[]): readonly Expected[] | undefined {
  let left = expected;
  for (const unit of units.toReversed()) {
    const at = left.findLastIndex((item) => item.optional !== "reasoning" || meets(item, unit));
    const item = left[at];
    if (item === undefined || !meets(item, unit)) return undefined;
    left = left.slice(0, at);
  }
  return left;
}

/** An alignment of what stands behind the first run, as one of the whole history. */
function shifted(alignment: Alignment, by: number, behindReply: boolean): Alignment {
  const lastReply = alignment.lastReply.entries === 0 && behindReply ? { entries: 0, consumed: 0 } : alignment.lastReply;
  return { ...alignment, consumed: alignment.consumed + by, lastReply: { entries: lastReply.entries, consumed: lastReply.consumed + by } };
}
