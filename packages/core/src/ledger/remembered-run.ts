import { compareValues } from "../json/compare.ts";
import { shareStrings, stringsOf } from "../json/share-strings.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Entry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { endsHere, type Run, type TakenRun } from "./run.ts";

/** The last equivalent form of a run that was met: a host whose store reshapes its messages hands over the same shape again and again. */
type Remembered = {
  readonly entries: readonly Entry[];
  readonly messages: readonly ObjectValue[];
  readonly taken: TakenRun;
  readonly from: number;
};
const remembered = new WeakMap<Entry, Remembered>();

/** Keeps what a run was met as. */
export function remember(entries: readonly Entry[], run: Run, history: HostHistory, from: number, taken: TakenRun): TakenRun {
  const own = entries.slice(run.from, run.to);
  const held = new Map<string, string>();
  for (const entry of own) for (const message of entry.given) stringsOf(message, held);
  const messages = history.copies(from, taken.consumed).map((copy) => shareStrings(copy, held) as ObjectValue);
  remembered.set(entries[run.from] as Entry, { entries: own, messages, taken, from: run.from });
  return taken;
}

/** A run whose messages are those that it was met as last. */
export function takeAgain(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  const known = remembered.get(entries[run.from] as Entry);
  if (known === undefined || known.from !== run.from || known.entries.length !== run.to - run.from) return undefined;
  if (known.entries.some((entry, index) => entry !== entries[run.from + index])) return undefined;
  const same = known.messages.every(
    (message, index) => from + index < history.length && compareValues(message, history.given(from + index)) === "same",
  );
  const consumed = from + known.messages.length;
  if (!same || (run.side === "other" && endsHere(entries, run, history, consumed) === undefined)) return undefined;
  return { ...known.taken, consumed };
}
