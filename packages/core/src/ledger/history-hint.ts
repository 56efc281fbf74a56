import { compareValues } from "../json/compare.ts";
import type { Wire } from "../wire/wire.ts";
import { type Alignment, align } from "./align.ts";
import type { Entry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import type { LedgerTurn } from "./state.ts";
import { digestUnit, firstDigest } from "./unit-digest.ts";

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

/** `trims: "ignore"`: the whole window is taken for repeated up to where the history, which lost its start, still repeats it. */
export function untrimmed(last: LedgerTurn, history: HostHistory): Alignment | undefined {
  const middle = alignInTheMiddle(last.entries, history, 0);
  if (middle === undefined) return undefined;
  const { alignment, start } = middle;
  return {
    ...alignment,
    entries: [...last.entries.slice(0, start), ...alignment.entries],
    matched: start + alignment.matched,
    lastReply: { entries: start + alignment.lastReply.entries, consumed: alignment.lastReply.consumed },
    marks: new Map([...alignment.marks].map(([position, marks]) => [start + position, marks])),
  };
}

function firstDigestOf(wire: Wire, entry: Entry): string {
  const first = entry.given[0];
  return entry.dormant?.units[0]?.digest ?? (first === undefined ? "" : firstDigest(wire, first));
}

/** The history from `own` on repeats a run of the window's middle that holds a reply; what it has of its own stands for more than it is, else it is an edit. */
function alignInTheMiddle(
  entries: readonly Entry[],
  history: HostHistory,
  own: number,
): { readonly alignment: Alignment; readonly start: number } | undefined {
  if (own >= history.length) return undefined;
  const rest = own === 0 ? history : history.from(own);
  const first = rest.at(0).reading.units[0];
  if (first === undefined) return undefined;
  const wanted = digestUnit(first);
  for (const [start, entry] of entries.entries()) {
    if (start <= own || firstDigestOf(history.wire, entry) !== wanted) continue;
    const alignment = align(entries.slice(start), rest);
    if (alignment.lastReply.entries > 0) return { alignment, start };
  }
  return undefined;
}
