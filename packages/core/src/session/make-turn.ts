import type { Floor } from "../budget/counter.ts";
import type { Limits } from "../budget/limits.ts";
import type { AdmissionCounts } from "../ledger/admission.ts";
import { mediaWithheld } from "../ledger/forms.ts";
import type { WithheldMedium } from "../ledger/media-left-out.ts";
import type { Wire } from "../wire/wire.ts";
import type { Doubt } from "./gate.ts";
import type { Prepared } from "./prepare.ts";
import type { SessionState } from "./session-state.ts";
import { settleTurn } from "./settle.ts";
import type { Repairs, Turn } from "./turn.ts";

/** What the host gets of a prepared request. */
export function makeTurn<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): Turn<R> {
  const { draft, verdict, rendered } = prepared;
  const { turn, lead } = draft;
  return Object.freeze({
    number: turn,
    request: rendered.request,
    headers: Object.freeze(rendered.headers),
    continuity: Object.freeze({ kept: verdict.kept, appended: verdict.appended, checkpoints: Object.freeze(verdict.checkpoints) }),
    budget: budgetOf(prepared),
    repairs: repairsOf(session, prepared),
    said: Object.freeze(draft.said),
    settle: (reply: object) => settleTurn(session, turn, reply, lead),
  });
}

/** Counted when it is first looked at. */
function budgetOf({ measured, held }: Pick<Prepared<object>, "measured" | "held">): Turn["budget"] {
  return Object.freeze({
    held,
    get tokens(): number {
      return measured().measure.tokens;
    },
    get reported(): number {
      return measured().measure.reported;
    },
    get floor(): Floor {
      return measured().measure.floor;
    },
    get limits(): Limits | undefined {
      return measured().measure.limits;
    },
  });
}

function repairsOf<W extends object, R extends W>(session: SessionState<W>, prepared: Prepared<R>): Repairs {
  const { draft, doubt } = prepared;
  const { counts } = draft;
  return Object.freeze({
    equivalent: draft.repaired,
    held: draft.held,
    underRecap: draft.underRecap,
    ...frozenLists({ ...counts, mediaWithheld: [...counts.mediaWithheld, ...withheldFromModel(session, prepared)] }),
    doubtful: Object.freeze(doubt === undefined || session.doubts.has(doubtKey(doubt)) ? [] : [doubt]),
  });
}

/** Of media that the model does not take those are reported that are new to it. */
function withheldFromModel<W extends object, R extends W>(
  { wire }: SessionState<W>,
  { draft: { entries, target, base } }: Prepared<R>,
): readonly WithheldMedium[] {
  const seen = base?.origin.model === target.origin.model ? base.entries : [];
  return mediaWithheld(
    wire as unknown as Wire,
    entries.filter((entry, index) => seen[index] !== entry),
    target,
  );
}

/** A doubt is reported once a session, wherever in a request it comes up. */
export function doubtKey(doubt: Doubt): string {
  return `${doubt.rule} ${doubt.message.replace(/\d+/g, "#")}`;
}

export function isRepaired(repairs: Repairs): boolean {
  return Object.values(repairs).some((value) => (typeof value === "number" ? value > 0 : value.length > 0));
}

/** Listeners and hosts see what they cannot change. */
function frozenLists(counts: AdmissionCounts): AdmissionCounts {
  for (const value of Object.values(counts)) if (Array.isArray(value)) for (const item of value) Object.freeze(item);
  return Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [name, Array.isArray(value) ? Object.freeze([...value]) : value]),
  ) as unknown as AdmissionCounts;
}
