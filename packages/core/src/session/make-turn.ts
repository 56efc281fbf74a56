import type { Measurement } from "../budget/measure.ts";
import type { AdmissionCounts } from "../ledger/admission.ts";
import { mediaWithheld } from "../ledger/forms.ts";
import type { WithheldMedium } from "../ledger/media-left-out.ts";
import { goesOn } from "../ledger/window-facts.ts";
import type { Wire } from "../wire/wire.ts";
import type { Doubt } from "./gate.ts";
import type { Prepared } from "./prepare.ts";
import type { SessionState } from "./session-state.ts";
import { settleTurn } from "./settle.ts";
import type { Repairs, Turn, TurnBudget } from "./turn.ts";

/** What the host gets of a prepared request. */
export function makeTurn<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): Turn<R> {
  return Object.freeze(new PreparedTurn(session, prepared));
}

class PreparedTurn<W extends object, R extends W> implements Turn<R> {
  readonly number: number;
  readonly request: R;
  readonly headers: Turn["headers"];
  readonly continuity: Turn["continuity"];
  readonly repairs: Repairs;
  readonly said: Turn["said"];
  readonly settle: Turn["settle"];
  readonly #measured: () => Measurement;
  readonly #held: TurnBudget["held"];

  constructor(session: SessionState<W>, prepared: Prepared<R>) {
    const { draft, verdict, rendered } = prepared;
    const { turn, lead } = draft;
    const { wire } = session;
    const { kept, appended, checkpoints } = verdict;
    this.number = turn;
    this.request = rendered.request;
    this.headers = Object.freeze(rendered.headers);
    this.continuity = Object.freeze({ kept, appended, checkpoints: Object.freeze(checkpoints) });
    this.repairs = repairsOf(session, prepared);
    this.said = Object.freeze(draft.said);
    this.settle = (reply) => settleTurn(session, { wire, number: turn, lead }, reply);
    this.#measured = prepared.measured;
    this.#held = prepared.held;
  }

  /** Counted when it is first looked at. */
  get budget(): TurnBudget {
    return Object.freeze({ ...this.#measured().measure, held: this.#held });
  }
}

function repairsOf<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): Repairs {
  const { draft, doubt } = prepared;
  const { counts } = draft;
  return Object.freeze({
    ...frozenCounts(counts),
    equivalent: draft.repaired,
    held: draft.held,
    underRecap: draft.underRecap,
    mediaWithheld: frozenList([...counts.mediaWithheld, ...withheldFromModel(session, prepared)]),
    doubtful: Object.freeze(doubt === undefined || session.doubts.has(doubtKey(doubt)) ? [] : [doubt]),
  });
}

/** Of media that the model does not take those are reported that are new to it. */
function withheldFromModel<W extends object, R extends W>(
  { wire }: SessionState<W>,
  { draft: { entries, target, base } }: Prepared<R>,
): readonly WithheldMedium[] {
  const { media } = target.profile;
  if (media === undefined) return [];
  const seen = base?.origin.model === target.origin.model ? base.entries : [];
  const from = goesOn(entries, seen) ? seen.length : 0;
  const added = entries.slice(from).filter((entry, index) => seen[from + index] !== entry);
  return mediaWithheld(wire as unknown as Wire, added, media);
}

/** A doubt is reported once a session, wherever in a request it comes up. */
export function doubtKey(doubt: Doubt): string {
  return `${doubt.rule} ${doubt.message.replace(/\d+/g, "#")}`;
}

export function isRepaired(repairs: Repairs): boolean {
  return Object.values(repairs).some((value) => (typeof value === "number" ? value > 0 : value.length > 0));
}

/** Listeners and hosts see what they cannot change. */
function frozenCounts(counts: AdmissionCounts): AdmissionCounts {
  const { resultsCapped, resultsMadeUp, resultsOrphaned, resultsLate, resultsDropped, idsMapped } = counts;
  for (const list of [resultsMadeUp, resultsOrphaned, resultsLate, resultsDropped, idsMapped]) Object.freeze(list);
  frozenList(resultsCapped);
  return counts;
}

function frozenList<T>(list: readonly T[]): readonly T[] {
  for (const item of list) Object.freeze(item);
  return Object.freeze(list);
}
