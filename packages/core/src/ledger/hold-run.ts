import { compareValues } from "../json/compare.ts";
import { sameUnits } from "../wire/message-reader.ts";
import type { Entry, UnitMark } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { givenOf, type Run, type TakenRun } from "./run.ts";

/** Rule 62 (a): messages changed in place before an open loop are held back; the sent forms go out again. */
export function holdRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number, holdBefore: number): TakenRun | undefined {
  if (run.side === "fold" || run.side === "recap") return undefined;
  const end = history.runEnd(from, run.side);
  if (end > holdBefore) return undefined;
  const given = givenOf(entries, run);
  if (given.length === 0 || given.length !== end - from) return undefined;
  const counts = { held: 0, repaired: 0 };
  for (const [index, message] of given.entries()) {
    const now = history.at(from + index);
    if (compareValues(message, history.given(from + index)) === "same") continue;
    if (message["role"] !== now.copy["role"]) return undefined;
    if (sameUnits(history.wire.read(message).units, now.reading.units)) counts.repaired += 1;
    else counts.held += 1;
  }
  return { consumed: end, entries: entries.slice(run.from, run.to), ...counts, marks: marksInPlace(entries, run, history, from) };
}

/** The host's cache marks of messages that stand in place: each on the entry of its message. */
function marksInPlace(entries: readonly Entry[], run: Run, history: HostHistory, from: number): ReadonlyMap<number, readonly UnitMark[]> {
  const marks = new Map<number, readonly UnitMark[]>();
  let at = from;
  for (let position = run.from; position < run.to; position++) {
    const given = (entries[position] as Entry).given.length;
    const own = history.run(at, at + given).flatMap(({ reading }) => reading.marks);
    marks.set(position, own);
    at += given;
  }
  return marks;
}
