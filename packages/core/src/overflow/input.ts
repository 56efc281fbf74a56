import type { Value } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import { type LandingInput, land } from "../ledger/landing.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Wire } from "../wire/wire.ts";
import type { Landed } from "./gain.ts";
import { type Group, groupsOf, type Pinned } from "./groups.ts";
import { replacementOf } from "./recap.ts";
import type { Change, OverflowInput, OverflowMeasure, Prefix, Urgency } from "./strategy.ts";
import { transcriptOf, wholeTextOf } from "./transcript.ts";

/** What a request knows of itself when it comes to its strategies. */
export type Situation = {
  readonly wire: Wire;
  readonly wordings: Wordings;
  readonly session: object;
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
  readonly landing: LandingInput;
  /** The provider's own compaction, where the session can ask for it. */
  readonly compaction: Wire["compaction"];
  readonly measure: (draft: Draft) => OverflowMeasure;
  /** Whether a landing saves more than it costs. */
  readonly pays: (landed: Landed) => boolean;
  readonly count: (value: Value) => number;
  readonly pinned: Pinned;
  /** The request of the first entries of a draft, with words of the user behind them. */
  readonly render: (draft: Draft, entries: number, words: string | undefined) => Prefix;
  /** The reference of a text, where the session has an archive; with the entries of the window that a recap stands for. */
  readonly reference: (text: string, range?: { readonly from: number; readonly to: number }) => string | undefined;
};

/** A draft as strategies see it. `broken`: something was changed in it already, so that what stands behind that is written anew in any case. */
export function inputOver(situation: Situation, draft: Draft, broken = false): OverflowInput {
  const { wire, wordings, session, urgency, signal, count, compaction } = situation;
  const groups = groupsIn(situation, draft);
  const measure = situation.measure(draft);
  return {
    ...{ wire, wordings, session, urgency, signal, measure, groups, count, compaction },
    head: draft.head,
    openCalls: groups.flatMap(({ open, members }) => (open ? members.flatMap(callIds) : [])),
    renderPrefix: (to, words) => situation.render(draft, groups[to]?.from ?? draft.entries.length, words),
    transcript: (from, to) => transcriptOf({ wire, wordings, count }, groups.slice(from, to)),
    archived: (text) => situation.reference(text),
    after: (changes) => inputOver(situation, landed(situation, draft, changes), broken || changes.length > 0),
    pays: (after, from) =>
      broken ||
      urgency === "over" ||
      measure.cold ||
      situation.pays({
        before: measure.tokens,
        after,
        unchanged: groups.slice(0, from).reduce((sum, { tokens }) => sum + tokens, measure.floor),
      }),
  };
}

function callIds({ reading }: Group["members"][number]): readonly string[] {
  return reading.units.flatMap((unit) => (unit.kind === "call" ? [unit.id] : []));
}

/** A draft with changes landed in it, one after the other. */
export function landed(situation: Situation, draft: Draft, changes: readonly Change[]): Draft {
  return changes.reduce((now, change) => {
    const groups = groupsIn(situation, now);
    const { wire, wordings } = situation;
    const own = change.kind === "recap" ? groups.slice(change.from, change.to) : [];
    const range = { from: own[0]?.from ?? 0, to: own.at(-1)?.to ?? 0 };
    const reference = own.length === 0 ? undefined : situation.reference(wholeTextOf(wire, own), range);
    return land(now, replacementOf({ wire, wordings, groups, reference }, change), situation.landing);
  }, draft);
}

function groupsIn({ wire, count, pinned }: Situation, { entries, target }: Draft): readonly Group[] {
  return groupsOf(wire, entries, target, count, pinned);
}
