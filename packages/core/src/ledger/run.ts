import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import { type Entry, givenAt, isFold, isRecap, isSent, type UnitMark } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";

/** A row of replies, or what stands between two of them; a folded loop is a run of its own, and so is a recap. Messages that bear nothing belong to the run before them. */
export type Run = {
  readonly side: "assistant" | "other" | "fold" | "recap";
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The window ends with this run. */
  readonly last: boolean;
};

/** What taking up a run with the slow path found. */
export type TakenRun = {
  readonly consumed: number;
  readonly entries: readonly Entry[];
  readonly repaired: number;
  readonly held: number;
  /** Edits under an entry that stands for several messages: nothing that is sent changes (rule 7). */
  readonly under?: number;
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
  /** Results of calls that the window closed without them: they are no part of the run, and are said elsewhere (rule 12). */
  readonly late?: readonly ResultUnit[];
};

export type ResultUnit = Unit & { readonly kind: "result" };

/** The run that starts at a position. */
export function runAt(entries: readonly Entry[], from: number): Run {
  let to = from;
  let side: Run["side"] | undefined;
  while (to < entries.length) {
    const entry = entries[to] as Entry;
    if (!entry.empty && (entry.kind === "host" || isSent(entry))) {
      const own = sideOf(entry, side);
      if (side === undefined) side = own;
      else if (own !== side || own === "fold" || (own === "recap" && startsRecap(entry))) break;
    }
    to += 1;
  }
  return { side: side ?? "other", from, to, last: to === entries.length };
}

function startsRecap({ landed }: Entry): boolean {
  return landed !== undefined && landed.source.length > 0;
}

/** A recap is a run while it stands for something. Without a source it is the host's own, and a message among others. */
function sideOf(entry: Entry, before: Run["side"] | undefined): Run["side"] {
  if (isRecap(entry) && (startsRecap(entry) || before === "recap")) return "recap";
  if (isFold(entry)) return "fold";
  return entry.role === "assistant" ? "assistant" : "other";
}

/** A user-side run that goes on in the history is not the one that was answered; behind a row of replies anything may come. */
export function endsHere(entries: readonly Entry[], run: Run, history: HostHistory, at: number): number | undefined {
  if (at === history.length) return at;
  const following = entries[run.to];
  const given = following && givenAt(following, 0);
  if (given !== undefined && history.repeats(at, given)) return at;
  const next = history.nextFilled(at);
  return next < history.length && history.side(next) === "other" ? undefined : at;
}

/** What the host gave for a run, as far as it is at hand. */
export function givenOf(entries: readonly Entry[], run: Run): readonly ObjectValue[] {
  return entries.slice(run.from, run.to).flatMap((entry) => entry.given);
}
