import type { HostHistory } from "./host-history.ts";

/**
 * The tool loop that a history ends in, if it is open: only results, user text or events stand behind its last row of replies, and that row has calls
 * (rule 62). `row`: the last row; `from`: where its first row with calls starts.
 */
export type OpenLoop = { readonly from: number; readonly row: { readonly from: number; readonly to: number } };

export function openLoop(history: HostHistory): OpenLoop | undefined {
  const row = rowBefore(history, history.length);
  if (row === undefined || row.to === history.length || !hasCalls(history, row)) return undefined;
  let from = row.from;
  for (;;) {
    const before = rowBefore(history, from);
    if (before === undefined || !hasCalls(history, before)) return { from, row };
    from = before.from;
  }
}

/** The last row of replies that ends at or before a position. */
function rowBefore(history: HostHistory, position: number): { readonly from: number; readonly to: number } | undefined {
  let to = position;
  while (to > 0 && history.side(to - 1) !== "assistant") to -= 1;
  if (to === 0) return undefined;
  let from = to;
  while (from > 0 && history.side(from - 1) !== "other") from -= 1;
  return { from, to };
}

function hasCalls(history: HostHistory, row: { readonly from: number; readonly to: number }): boolean {
  for (let at = row.from; at < row.to; at++) if (history.at(at).reading.units.some((unit) => unit.kind === "call")) return true;
  return false;
}
