import { type Origin, sameOrigin } from "../wire/origin.ts";
import { systemMessages } from "../wire/places.ts";
import type { Unit } from "../wire/unit.ts";
import type { AdmissionCounts, Vouched } from "./admission.ts";
import { admit } from "./admit.ts";
import { type Base, type Choice, chooseBase, meetsReply } from "./choose-base.ts";
import type { Draft, ReconcileInput } from "./draft.ts";
import { EntriesSoFar } from "./entries-so-far.ts";
import { type Entry, isReply, type UnitMark } from "./entry.ts";
import { lastSentReasoning, type Target, targetOfTurn } from "./forms.ts";
import { headFor, sameBinding, staleChange } from "./head-choice.ts";
import { historyHint } from "./history-hint.ts";
import { holdLoop } from "./hold-loop.ts";
import { lateWords } from "./late-words.ts";
import { Salvage } from "./salvage.ts";
import { withoutStaleChanges } from "./stale-changes.ts";
import { type LedgerState, lastTurn } from "./state.ts";
import { carryMarks, settleReasoning, type Voiding, type VoidingInput } from "./void-reasoning.ts";
import { extended, factsOf } from "./window-facts.ts";

/** Aligns a history with what was sent and admits what is new: the first half of every `prepare`. */
export function reconcile(state: LedgerState, input: ReconcileInput): Draft {
  const ids = { next: state.nextEntry };
  const nextId = (): number => ids.next++;
  const target = targetOf(state, input);
  const binds = target.profile.bindsReasoning !== "no";
  const choice: Choice = { wire: input.wire, state, history: input.history, trims: input.trims, nextId };
  const found = state.restarted ? undefined : chooseBase(choice);
  const hold = binds ? holdLoop(choice, input, target, found) : undefined;
  const base = hold?.base ?? found;
  const hint =
    base === undefined || base.answered || base.alignment.lastReply.consumed > 0 ? undefined : historyHint(lastTurn(state), input.history);
  const kept = keptBy(base);
  const head = headFor(state, input, target, hold !== undefined && hold.heldFields > 0);
  const standing = withoutStaleChanges(kept.entries, staleChange(base, head, hold !== undefined));
  const soFar = new EntriesSoFar(
    standing.entries,
    base === undefined ? undefined : lastSentReasoning(input.wire, sentOf(base, kept), kept.entries, targetOfTurn(input.wire, base.turn)),
  );
  const counts = emptyCounts();
  const withheld = new Map<number, readonly Unit[]>();
  const stale = new Set<number>(reasonedBehind(kept.entries, base?.sourceTo));
  const marks = marksById(base, kept.entries);
  const met = base?.answered === true ? undefined : meetsReply(input.wire, state, input.history, kept);
  const replyMet = met !== undefined && met.turn === lastTurn(state)?.number;
  const prefill = admit({
    wire: input.wire,
    profile: target.profile,
    policy: input.policy,
    history: input.history,
    from: kept.from,
    soFar,
    vouched: kept.vouched,
    origin: target.origin,
    met,
    tailEvents:
      base === undefined || base.answered ? [] : base.turn.entries.slice(kept.entries.length).filter((entry) => entry.kind === "event"),
    hadReasoning: reasonedCalls(base),
    withheld,
    salvage: salvageFor(input, base, kept),
    stale,
    marks,
    nextId,
    counts,
  });
  const voided = base !== undefined && !sameBinding(base.turn.head, head.head);
  const admitted = extended(soFar.kept, soFar.added);
  const answered = base?.answered === true ? base.entries : [];
  for (const id of reasonedBehind(admitted, standing.from)) stale.add(id);
  const voiding: Voiding = { voided, stale, withheld, settles: state.settles, answered };
  const reasoned = settleReasoning(voidingInput(input), admitted, voiding, target, nextId);
  carryMarks(marks, admitted, reasoned.entries);
  return {
    turn: state.nextTurn,
    base: base?.turn,
    answered: base?.answered ?? false,
    baseRepeated: base !== undefined && (base.alignment.full || (!replyMet && repeatsReplies(base))),
    replyMet,
    woken: wokenBy(base),
    head: head.head,
    entries: reasoned.entries,
    prefill: prefill === undefined ? undefined : input.wire.compose(prefill.nativeRole, prefill.units),
    target,
    systemWanted: head.systemWanted,
    late: base === undefined ? [] : lateWords(input, base.alignment, soFar),
    settingsWanted: head.settingsWanted,
    said: [],
    repaired: head.repaired + (base?.alignment.repaired ?? 0) + counts.reasoningRestored,
    held: (base?.alignment.held ?? 0) + (hold?.heldFields ?? 0),
    underRecap: base?.alignment.under ?? 0,
    counts,
    marks,
    marksFrom: input.ownedMessages > 0 ? state.nextEntry : 0,
    lent: reasoned.lent,
    folded: reasoned.folded,
    sourceShown: base?.sourceTo !== undefined,
    hint,
    lead: systemMessages(head.head).length,
    nextId: ids.next,
  };
}

function voidingInput({ wire, lends, policy }: ReconcileInput): VoidingInput {
  return { wire, lends, wordings: policy.wordings };
}

function targetOf(state: LedgerState, input: ReconcileInput): Target {
  const origin: Origin = { wire: input.wire.name, model: input.open.head.model, endpoint: input.endpoint };
  const known = state.turns.findLast((turn) => sameOrigin(turn.origin, origin))?.origin;
  return { origin: known ?? Object.freeze(origin), profile: input.wire.profile(origin.model) };
}

type Kept = { readonly entries: readonly Entry[]; readonly from: number; readonly vouched: Vouched | undefined };

/** A window to which the history has a reply stays whole, events and all; of another stays what comes before its last repeated reply. */
function keptBy(base: Base | undefined): Kept {
  if (base === undefined) return { entries: [], from: 0, vouched: undefined };
  const { alignment, entries } = base;
  if (base.answered) return { entries, from: alignment.consumed, vouched: base.vouched };
  return { entries: entries.slice(0, alignment.lastReply.entries), from: alignment.lastReply.consumed, vouched: undefined };
}

/** What stays of a window, as it was sent. */
function sentOf({ sent, entries }: Base, kept: Kept): readonly Entry[] {
  return sent === entries ? kept.entries : sent.slice(0, kept.entries.length);
}

/** What reasoning stands from where a landing was dropped, or a change went from the window: it was made over something else than what shows now. */
function reasonedBehind(entries: readonly Entry[], from: number | undefined): readonly number[] {
  if (from === undefined) return [];
  return entries.slice(from).flatMap(({ id, reasoning }) => (reasoning === undefined ? [] : [id]));
}

/** The calls of the base's replies that have, or had, bound reasoning. Looked up only when a reply is admitted anew. */
function reasonedCalls(base: Base | undefined): (callId: string) => boolean {
  let ids: Set<string> | undefined;
  return (callId) => {
    if (base === undefined || base.answered) return false;
    ids ??= new Set(
      base.turn.entries.flatMap((entry) =>
        entry.lostReasoning || entry.reasoning !== undefined ? entry.calls.flatMap(({ id, sentId }) => [id, sentId]) : [],
      ),
    );
    return ids.has(callId);
  };
}

/** What the history still has of a window of which it repeats only a part. */
function salvageFor(input: ReconcileInput, base: Base | undefined, kept: Kept): Salvage | undefined {
  if (base === undefined || base.alignment.full || base.answered) return undefined;
  return new Salvage(input.wire, base.entries, kept.entries.length, input.history);
}

/** What stands behind the last reply of a window was not answered: it may change. */
function repeatsReplies({ entries, alignment }: Base): boolean {
  return alignment.lastReply.entries > entries.findLastIndex(isReply);
}

const noneWoken: ReadonlyMap<number, Entry> = new Map();

/** The base's entries that woke and are what they were. */
function wokenBy(base: Base | undefined): ReadonlyMap<number, Entry> {
  if (base === undefined || !factsOf(base.turn.entries).asleep) return noneWoken;
  const woken = new Map<number, Entry>();
  for (const entry of base.sent) if (entry.dormant === undefined) woken.set(entry.id, entry);
  return woken;
}

function marksById(base: Base | undefined, entries: readonly Entry[]): Map<number, readonly UnitMark[]> {
  const marks = new Map<number, readonly UnitMark[]>();
  if (base === undefined) return marks;
  for (const [position, list] of base.alignment.marks) {
    const entry = entries[position] ?? base.entries[position];
    if (entry !== undefined) marks.set(entry.id, list);
  }
  return marks;
}

export function emptyCounts(): AdmissionCounts {
  return {
    reasoningWithheld: 0,
    reasoningRedacted: 0,
    reasoningRestored: 0,
    mediaWithheld: [],
    resultsCapped: [],
    resultsMadeUp: [],
    resultsOrphaned: [],
    resultsLate: [],
    resultsDropped: [],
    idsMapped: [],
  };
}
