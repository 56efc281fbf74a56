import type { Wire } from "../wire/wire.ts";
import { callsBehind, digestsOf, type Entry, type UnitMark } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { callCount, resultCount } from "./paired-end.ts";
import { repeatRun } from "./repeat-run.ts";
import { type Run, runAt, type TakenRun } from "./run.ts";
import { digestUnit } from "./unit-digest.ts";

/**
 * Behind a place where a history stopped repeating a window: the runs that it still hands over as they were, further on. They go out in their sent forms (rule 27: what is not voided
 * stays as it was), so that an edit changes nothing but what was edited.
 */
export class Salvage {
  readonly #entries: readonly Entry[];
  readonly #history: HostHistory;
  readonly #places = new Map<string, Run[]>();
  #next: number;
  /** Run index of the last row of replies that was salvaged: only its own results may follow as they were. */
  #behindOwnReplies = false;

  constructor(wire: Wire, entries: readonly Entry[], from: number, history: HostHistory) {
    this.#entries = entries;
    this.#history = history;
    this.#next = from;
    let calls = 0;
    for (let at = from; at < entries.length; ) {
      const run = runAt(entries, at);
      const isPaired = resultCount(wire, entries.slice(run.from, run.to)) >= calls;
      calls = run.side === "assistant" ? callCount(entries, run.from, run.to) : 0;
      for (const key of !isPaired ? [] : keysOfRun(wire, entries, run)) this.#places.set(key, [...(this.#places.get(key) ?? []), run]);
      at = run.to;
    }
  }

  /** The entries of the run that starts at a history position, if it is one of the window's; they are taken in order. `usable`: whether a reply may come back as it was. */
  take(at: number, usable: (entries: readonly Entry[]) => boolean): Salvaged | undefined {
    const side = this.#history.side(at);
    const behindOwnReplies = this.#behindOwnReplies;
    this.#behindOwnReplies = false;
    const first = this.#history.at(at).reading.units[0];
    if (first === undefined) return undefined;
    for (const run of this.#places.get(keyOf(side, digestUnit(first))) ?? []) {
      if (run.from < this.#next || (holdsResults(this.#entries, run) && !(behindOwnReplies && run.from === this.#next))) continue;
      const taken = repeatRun(this.#entries, { ...run, last: false }, this.#history, at);
      const entries = taken?.entries.filter((entry) => entry.kind !== "event");
      if (taken === undefined || taken.late !== undefined || entries === undefined || !usable(entries)) continue;
      this.#next = run.to;
      this.#behindOwnReplies = run.side === "assistant";
      return { entries, consumed: taken.consumed, marks: marksOf(taken, run) };
    }
    return undefined;
  }
}

export type Salvaged = {
  readonly entries: readonly Entry[];
  /** History position behind them. */
  readonly consumed: number;
  /** The host's cache marks by entry id, where they are not the entry's own. */
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
};

function marksOf(taken: TakenRun, run: Run): Salvaged["marks"] {
  return new Map(
    [...taken.marks].flatMap(([position, marks]) => {
      const entry = taken.entries[position - run.from];
      return entry === undefined ? [] : [[entry.id, marks] as const];
    }),
  );
}

function keyOf(side: string, digest: string): string {
  return `${side} ${digest}`;
}

/** A run is found by any unit of its given form: where results came back in another order, another one stands first. */
function keysOfRun(wire: Wire, entries: readonly Entry[], run: Run): ReadonlySet<string> {
  const own = run.side === "fold" || run.side === "recap" ? [] : entries.slice(run.from, run.to);
  const digests = own.flatMap(
    (entry) => digestsOf(entry)?.map(({ digest }) => digest) ?? entry.given.flatMap((message) => wire.read(message).units.map(digestUnit)),
  );
  return new Set(digests.map((digest) => keyOf(run.side, digest)));
}

/** Results come back as they were only behind their own calls, whichever messages of the row of replies made them, sent or not. */
function holdsResults(entries: readonly Entry[], run: Run): boolean {
  if (run.side !== "other") return false;
  for (let at = run.from - 1; at >= 0; at--) {
    const before = entries[at] as Entry;
    if (before.empty) continue;
    if (before.role !== "assistant") return false;
    if (callsBehind(before).length > 0) return true;
  }
  return false;
}
