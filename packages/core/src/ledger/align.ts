import { type Entry, isReply, type UnitMark } from "./entry.ts";
import { holdRun } from "./hold-run.ts";
import type { HostHistory } from "./host-history.ts";
import { nothingGiven, unchangedEnd, wokenRun } from "./repeat-run.ts";
import { type ResultUnit, type Run, runAt, type TakenRun } from "./run.ts";
import { takeStoredFolds } from "./take-fold.ts";
import { storedRecap } from "./take-recap.ts";
import { takeRun } from "./take-run.ts";

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
  /** Edits under folded loops: nothing that was sent changes (rule 7). */
  readonly under: number;
  /** One of them is of the loop that the window ends in: what was asked there may be something else than the history says. */
  readonly endEdited: boolean;
  /** The host's cache marks where they are not those that were first given, by entry position. */
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
  /** Late results, each with the end of the run that it stands in (rule 12). */
  readonly late: readonly LateResult[];
};

type LateResult = { readonly to: number; readonly result: ResultUnit };

export type AlignOptions = {
  /** Differences in place in runs that end at or before this history position are held back instead of ending the match. */
  readonly holdBefore?: number;
};

export function align(window: readonly Entry[], history: HostHistory, options: AlignOptions = {}): Alignment {
  let entries = window;
  const marks = new Map<number, readonly UnitMark[]>();
  let matched = 0;
  let consumed = 0;
  let replyEntries = 0;
  let replyConsumed = 0;
  let repaired = 0;
  let held = 0;
  let under = 0;
  let endEdited = false;
  const late: LateResult[] = [];
  while (matched < entries.length) {
    let run = runAt(entries, matched);
    const before = consumed;
    const end = unchangedEnd(entries, run, history, consumed);
    if (end !== undefined) consumed = end;
    else {
      const met = metRun(entries, run, history, consumed, options.holdBefore ?? 0);
      if (met === undefined) break;
      const { taken } = met;
      run = met.run;
      entries = withRun(entries, run, taken.entries, entries !== window);
      for (const [position, list] of taken.marks) marks.set(position, list);
      consumed = taken.consumed;
      repaired += taken.repaired;
      held += taken.held;
      const edits = taken.under ?? 0;
      under += edits;
      endEdited = run.last && edits > 0;
      for (const result of taken.late ?? []) late.push({ to: run.to, result });
    }
    matched = run.to;
    if (!repeatsReply(entries, run, consumed > before || history.tail)) continue;
    // A fold begins with the reply to what stands before it.
    replyConsumed = run.side === "fold" ? before : consumed;
    replyEntries = run.side === "fold" ? run.from : run.side === "recap" ? keptEnd(entries, matched) : matched;
  }
  const lastReply = { entries: replyEntries, consumed: replyConsumed };
  return { entries, matched, consumed, full: matched === entries.length, lastReply, repaired, held, under, endEdited, marks, late };
}

type Met = { readonly run: Run; readonly taken: TakenRun };

/** A run as the history has it, changed or not. What Tidemark said by itself in front of a fold is stored along with it: then they are one run of the host's. */
function metRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number, holdBefore: number): Met | undefined {
  const met = wokenRun(entries, run, history, from) ?? takeRun(entries, run, history, from);
  const recap = met === undefined && run.side === "recap" ? metStoredRecap(entries, run, history, from, holdBefore) : undefined;
  if (recap !== undefined) return recap;
  const stored = met === undefined ? takeStoredFolds(entries, run, history, from) : undefined;
  if (stored !== undefined) return { run: { ...run, to: run.from + stored.entries.length, side: "other" }, taken: stored };
  const taken = met ?? nothingGiven(entries, run, from) ?? holdRun(entries, run, history, from, holdBefore);
  return taken && { run, taken };
}

function metStoredRecap(entries: readonly Entry[], run: Run, history: HostHistory, from: number, holdBefore: number): Met | undefined {
  const stored = storedRecap(entries, run, history.wire);
  if (stored === undefined) return undefined;
  const list = withRun(entries, run, stored, false);
  return metRun(list, runAt(list, run.from), history, from, holdBefore);
}

/** The list with a run's entries replaced; it is copied once an alignment, and only if they are others. */
function withRun(entries: readonly Entry[], run: Run, taken: readonly Entry[], copied: boolean): readonly Entry[] {
  if (taken.length !== run.to - run.from) return entries.toSpliced(run.from, run.to - run.from, ...taken);
  if (taken.every((entry, index) => entry === entries[run.from + index])) return entries;
  const list = copied ? (entries as Entry[]) : [...entries];
  for (const [index, entry] of taken.entries()) list[run.from + index] = entry;
  return list;
}

/** Whether a run has, or stands for, a reply. Whether a recap stands of which the host hands over nothing is told by what follows, unless the host said that it hands over no more (rule 5). */
function repeatsReply(entries: readonly Entry[], run: Run, isMet: boolean): boolean {
  if (run.side === "recap") return isMet;
  return run.side === "fold" || (run.side === "assistant" && holdsReply(entries, run));
}

/** What a recap keeps of the host's words stands behind it, and with it. */
function keptEnd(entries: readonly Entry[], from: number): number {
  let end = from;
  while (entries[end]?.landed?.source.length === 0) end += 1;
  return end;
}

function holdsReply(entries: readonly Entry[], run: Run): boolean {
  for (let position = run.from; position < run.to; position++) if (isReply(entries[position] as Entry)) return true;
  return false;
}
