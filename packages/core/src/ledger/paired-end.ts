import type { Wire } from "../wire/wire.ts";
import { type Entry, formAtHand } from "./entry.ts";
import { runAt } from "./run.ts";

/**
 * Where a row of replies starts whose calls have too few results behind them, although the window goes on; the window's end, if there is none. A result that came to stand as late words,
 * because a landing had taken its call, is no result once that call shows again (rules 7 and 12).
 */
export function pairedEnd(wire: Wire, entries: readonly Entry[]): number {
  for (let at = 0; at < entries.length; ) {
    const { side, to } = runAt(entries, at);
    const calls = side === "assistant" ? callCount(entries, at, to) : 0;
    if (calls > 0 && to < entries.length && resultCount(wire, entries.slice(to, runAt(entries, to).to)) < calls) return at;
    at = to;
  }
  return entries.length;
}

export function callCount(entries: readonly Entry[], from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) count += entries[at]?.calls.length ?? 0;
  return count;
}

/** How many results some entries go out with. */
export function resultCount(wire: Wire, entries: readonly Entry[]): number {
  return entries.reduce((count, entry) => count + resultKinds(wire, entry).filter((kind) => kind === "result").length, 0);
}

function resultKinds(wire: Wire, entry: Entry): readonly string[] {
  const { dormant } = entry;
  const message = formAtHand(entry);
  if (message !== undefined) return wire.read(message).units.map(({ kind }) => kind);
  return dormant?.sent.kind === "composed" ? dormant.units.map(({ kind }) => kind) : [];
}
