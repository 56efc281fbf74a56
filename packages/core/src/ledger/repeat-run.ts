import { compareValues } from "../json/compare.ts";
import type { Entry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import type { Run, TakenRun } from "./run.ts";
import { takeRun } from "./take-run.ts";

const noMarks: TakenRun["marks"] = new Map();

/** Takes up a run of entries at a history position: by comparing alone where nothing changed, else by what its messages mean. Undefined: another run stands there. */
export function repeatRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const end = unchangedEnd(entries, run, history, from);
  if (end !== undefined) return { consumed: end, entries: entries.slice(run.from, run.to), repaired: 0, held: 0, marks: noMarks };
  return takeRun(entries, run, history, from);
}

/** The fast path: every given message is met by one that is the same to the order of its keys. The history position behind the run, or undefined. */
export function unchangedEnd(entries: readonly Entry[], run: Run, history: HostHistory, from: number): number | undefined {
  let at = from;
  for (let position = run.from; position < run.to; position++) {
    const entry = entries[position] as Entry;
    if (entry.dormant !== undefined) return undefined;
    for (const given of entry.given) {
      if (at >= history.length || compareValues(given, history.given(at)) !== "same") return undefined;
      at += 1;
    }
  }
  return run.side === "assistant" || at === from ? at : endsHere(entries, run, history, at);
}

/** A user-side run that goes on in the history is not the one that was answered; behind a row of replies anything may come. */
function endsHere(entries: readonly Entry[], run: Run, history: HostHistory, at: number): number | undefined {
  if (at === history.length) return at;
  const following = entries[run.to]?.given[0];
  if (following !== undefined && compareValues(following, history.given(at)) === "same") return at;
  const next = history.nextFilled(at);
  return next < history.length && history.side(next) === "other" ? undefined : at;
}
