import { compareValues } from "../json/compare.ts";
import type { Entry, UnitMark } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { type Run, runAt } from "./run.ts";
import { holdRun, takeRun } from "./take-run.ts";

/**
 * How far a host history repeats a window, at the granularity of runs: a run is what stands between two replies, or a row of replies.
 *  1. `entries[0..matched)` are repeated by `history[0..consumed)`, whole runs only.
 *  2. `full` says that the history repeats the window to its end and goes on, if at all, with a reply.
 */
export type Alignment = {
  /** The window's entries; those that a restore had put to sleep and that were met are awake, and stored events are the host's. */
  readonly entries: readonly Entry[];
  readonly matched: number;
  readonly consumed: number;
  readonly full: boolean;
  /** End of the last row of replies that is repeated, on both sides: what comes before stays, whatever becomes of the rest. */
  readonly lastReply: { readonly entries: number; readonly consumed: number };
  /** Messages that differ in representation only (rule 4). */
  readonly repaired: number;
  /** Messages that differ and are held back (rule 62 a). */
  readonly held: number;
  /** The host's cache marks where they are not those that were first given, by entry position. */
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
};

export type AlignOptions = {
  /** Differences in place in runs that end at or before this history position are held back instead of ending the match. */
  readonly holdBefore?: number;
};

export function align(window: readonly Entry[], history: HostHistory, options: AlignOptions = {}): Alignment {
  const entries = [...window];
  const marks = new Map<number, readonly UnitMark[]>();
  let matched = 0;
  let consumed = 0;
  let lastReply = { entries: 0, consumed: 0 };
  let repaired = 0;
  let held = 0;
  while (matched < entries.length) {
    const run = runAt(entries, matched);
    const end = repeatedRun(entries, run, history, consumed);
    if (end !== undefined) consumed = end;
    else {
      const taken = takeRun(entries, run, history, consumed) ?? holdRun(entries, run, history, consumed, options.holdBefore ?? 0);
      if (taken === undefined) break;
      entries.splice(run.from, run.to - run.from, ...taken.entries);
      for (const [position, list] of taken.marks) marks.set(position, list);
      consumed = taken.consumed;
      repaired += taken.repaired;
      held += taken.held;
    }
    matched = run.to;
    if (run.side === "assistant") lastReply = { entries: matched, consumed };
  }
  return { entries, matched, consumed, full: matched === entries.length, lastReply, repaired, held, marks };
}

/** The fast path: every given message is met by one that is the same to the order of its keys. The history position behind the run, or undefined. */
function repeatedRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number): number | undefined {
  let at = from;
  for (let position = run.from; position < run.to; position++) {
    const entry = entries[position] as Entry;
    if (entry.dormant !== undefined) return undefined;
    for (const given of entry.given) {
      if (at >= history.length || compareValues(given, history.given(at)) !== "same") return undefined;
      at += 1;
    }
  }
  return run.side === "assistant" ? at : endsHere(history, at);
}

/** A user-side run that goes on in the history is not the one that was answered; behind a row of replies anything may come. */
function endsHere(history: HostHistory, at: number): number | undefined {
  const next = history.nextFilled(at);
  return next < history.length && history.side(next) === "other" ? undefined : at;
}
