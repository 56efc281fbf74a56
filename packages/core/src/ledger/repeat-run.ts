import { type Entry, givenAt, isGiven } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { endsHere, type Run, type TakenRun } from "./run.ts";
import { takeRun } from "./take-run.ts";
import { wakeToTheLetter } from "./wake.ts";

const noMarks: TakenRun["marks"] = new Map();

/** Takes up a run of entries at a history position: by comparing alone where nothing changed, else by what its messages mean. Undefined: another run stands there. */
export function repeatRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const end = unchangedEnd(entries, run, history, from);
  if (end !== undefined) return { consumed: end, entries: entries.slice(run.from, run.to), repaired: 0, held: 0, marks: noMarks };
  return wokenRun(entries, run, history, from) ?? takeRun(entries, run, history, from) ?? nothingGiven(entries, run, from);
}

/** A run that sleeps, and whose messages came back to the letter. */
export function wokenRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const awake: Entry[] = [];
  let at = from;
  for (let position = run.from; position < run.to; position++) {
    const entry = entries[position] as Entry;
    if (entry.dormant?.letter === undefined || at === history.length) return undefined;
    const message = history.at(at);
    const woken = message.reading.marks.length > 0 ? undefined : wakeToTheLetter(history.wire, entry, message);
    if (woken === undefined) return undefined;
    awake.push(woken);
    at += 1;
  }
  const end = run.side === "assistant" ? at : endsHere(entries, run, history, at);
  return end === undefined ? undefined : { consumed: end, entries: awake, repaired: 0, held: 0, marks: noMarks };
}

/** A run of which the host hands over nothing: what Tidemark said by itself, or what a host that trims has dropped for good. */
export function nothingGiven(entries: readonly Entry[], run: Run, from: number): TakenRun | undefined {
  const own = entries.slice(run.from, run.to);
  if (run.last || own.some((entry) => isGiven(entry) || entry.dormant !== undefined)) return undefined;
  return { consumed: from, entries: own, repaired: 0, held: 0, marks: noMarks };
}

/** The fast path: every given message is met by one that is the same to the order of its keys. The history position behind the run, or undefined. */
export function unchangedEnd(entries: readonly Entry[], run: Run, history: HostHistory, from: number): number | undefined {
  let at = from;
  for (let position = run.from; position < run.to; position++) {
    const entry = entries[position] as Entry;
    if (entry.dormant !== undefined || entry.slept !== undefined) return undefined;
    let given = givenAt(entry, 0);
    for (let next = 1; given !== undefined; next++) {
      if (at >= history.length || !history.repeats(at, given)) return undefined;
      at += 1;
      given = givenAt(entry, next);
    }
  }
  // A recap of which the host hands over nothing may come to stand in its history as it was sent.
  if (at === from && run.side === "recap") return undefined;
  if (at === from) return history.nextFilled(at) < history.length && history.side(history.nextFilled(at)) === run.side ? undefined : at;
  return run.side === "assistant" ? at : endsHere(entries, run, history, at);
}
