import { compareValues } from "../json/compare.ts";
import type { Vouched } from "./admission.ts";
import { type Alignment, align } from "./align.ts";
import type { Entry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import type { LedgerTurn } from "./state.ts";

/** What became of a history that repeats nothing of the window's start (rule 5 b, c, d). */
export type HistoryHint = "trimmed" | "host-compaction" | "replaced";

/** How many messages of its own a host's summary may have before known ones follow. */
const ownMessagesMax = 3;

export function historyHint(last: LedgerTurn | undefined, history: HostHistory): HistoryHint | undefined {
  if (last === undefined || !last.entries.some((entry) => entry.role === "assistant" && entry.given.length > 0)) return undefined;
  if (alignInTheMiddle(last.entries, history, 0) !== undefined) return "trimmed";
  for (let own = 1; own <= Math.min(ownMessagesMax, history.length - 1); own++) {
    if (alignInTheMiddle(last.entries, history, own) !== undefined) return "host-compaction";
  }
  return history.length > 0 &&
    last.entries.some((entry) => entry.given.some((given) => compareValues(given, history.given(0)) !== "different"))
    ? undefined
    : "replaced";
}

/** `trims: "ignore"`: the window keeps what the host dropped and goes on with what it still hands over. */
export function untrimmed(
  last: LedgerTurn,
  history: HostHistory,
): { readonly entries: readonly Entry[]; readonly from: number; readonly vouched: Vouched | undefined } {
  const middle = alignInTheMiddle(last.entries, history, 0);
  if (middle === undefined) return { entries: [], from: 0, vouched: undefined };
  const { alignment, start } = middle;
  const next = history.nextFilled(alignment.consumed);
  const answered = alignment.full && next < history.length && history.side(next) === "assistant";
  if (answered) return { entries: last.entries, from: alignment.consumed, vouched: undefined };
  return { entries: last.entries.slice(0, start + alignment.lastReply.entries), from: alignment.lastReply.consumed, vouched: undefined };
}

/** The history from `own` on repeats a run of the window's middle that holds a reply; what it has of its own stands for more than it is, else it is an edit. */
function alignInTheMiddle(
  entries: readonly Entry[],
  history: HostHistory,
  own: number,
): { readonly alignment: Alignment; readonly start: number } | undefined {
  if (own >= history.length) return undefined;
  const rest = own === 0 ? history : history.from(own);
  for (const [start, entry] of entries.entries()) {
    const first = entry.given[0];
    if (first === undefined || start <= own) continue;
    if (compareValues(first, rest.given(0)) === "different") continue;
    const alignment = align(entries.slice(start), rest);
    if (alignment.lastReply.entries > 0) return { alignment, start };
  }
  return undefined;
}
