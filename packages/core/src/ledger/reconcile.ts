import { sameValue } from "../json/compare.ts";
import { isObject, type ObjectValue } from "../json/value.ts";
import type { Head, OpenRequest } from "../wire/head.ts";
import { type Origin, sameOrigin } from "../wire/origin.ts";
import { systemMessages } from "../wire/places.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { AdmissionCounts, AdmissionPolicy, Vouched } from "./admission.ts";
import { admit } from "./admit.ts";
import { isBound } from "./admit-replies.ts";
import { align } from "./align.ts";
import { type Base, baseFrom, type Choice, chooseBase, meetsReply } from "./choose-base.ts";
import { EntriesSoFar } from "./entries-so-far.ts";
import { type Entry, isReply, type Said, type UnitMark } from "./entry.ts";
import { isRead, lastSentReasoning, type Target, targetOfTurn } from "./forms.ts";
import { repairHead } from "./head-repair.ts";
import { type HistoryHint, historyHint } from "./history-hint.ts";
import type { HostHistory } from "./host-history.ts";
import { type LateWords, lateWords } from "./late-words.ts";
import { openLoop } from "./open-loop.ts";
import { Salvage } from "./salvage.ts";
import { withoutStaleChanges } from "./stale-changes.ts";
import { type LedgerState, type LedgerTurn, lastTurn } from "./state.ts";
import { carryMarks, settleReasoning, type Voiding, type VoidingInput } from "./void-reasoning.ts";
import { extended, factsOf } from "./window-facts.ts";

/** What a request is reconciled with: the wire, the host's own objects taken apart, and the decisions of the session. */
export type ReconcileInput = {
  readonly wire: Wire;
  readonly open: OpenRequest;
  readonly history: HostHistory;
  readonly policy: AdmissionPolicy;
  readonly endpoint: string | undefined;
  /** Reasoning of which it is not known whether it is valid may go out once under `drop_block`. */
  readonly lends: boolean;
  /** Whether a changed system text is appended where the model takes it, or replaces the head. */
  readonly systemChanges: "checkpoint" | "append";
  /** Changed settings may be said in the conversation, where wire and model have a form for it. */
  readonly saysSettings: boolean;
  /** Whether a history that lost its start is obeyed, or the window keeps what the host dropped. */
  readonly trims: "obey" | "ignore";
  /** Messages of the history that the host handed over earlier: the session owns them, their cache marks are no longer the host's. */
  readonly ownedMessages: number;
};

/** A window in the making. Each step returns the next; nothing is published until it is committed. */
export type Draft = {
  readonly turn: number;
  readonly base: LedgerTurn | undefined;
  /** The history goes on with a reply to the base's whole window. */
  readonly answered: boolean;
  /** The history repeats all of the base's window that was answered, in its given or sent forms. */
  readonly baseRepeated: boolean;
  /** The reply to the last window stands in the history, although what it answered does not stand there as it was sent. */
  readonly replyMet: boolean;
  /** Entries of a restored window that the history brought back to the byte, by id. */
  readonly woken: ReadonlyMap<number, Entry>;
  readonly head: Head;
  readonly entries: readonly Entry[];
  readonly prefill: ObjectValue | undefined;
  readonly target: Target;
  /** The system text that the host wants to have said, where the head keeps the frozen one. */
  readonly systemWanted: string | undefined;
  /** Results that stand in the history where their calls do, and came too late to be sent there: an event says them (rule 12). */
  readonly late: readonly LateWords[];
  /** Settings that the host wants to have in force, where they can be said in the conversation. */
  readonly settingsWanted: ObjectValue | undefined;
  /** What sources say in this request. */
  readonly said: readonly Said[];
  readonly repaired: number;
  readonly held: number;
  /** Edits under folded loops and recaps (rule 7). */
  readonly underRecap: number;
  readonly counts: AdmissionCounts;
  /** Cache marks of the host for this request, by entry id, where they are not the entry's own. */
  readonly marks: ReadonlyMap<number, readonly UnitMark[]>;
  /** Only marks of entries from this id on are this request's. */
  readonly marksFrom: number;
  readonly lent: boolean;
  readonly folded: boolean;
  /** A landing is stale or revoked: what it replaced shows again. */
  readonly sourceShown: boolean;
  readonly hint: HistoryHint | undefined;
  /** How many leading messages of the request are its head, as it is sent: not all that the host hands over need be in it. */
  readonly lead: number;
  readonly nextId: number;
};

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
  const stale = new Set<number>([...staleBehind(base, kept.entries), ...standing.stale]);
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
    // A reply to a window of which something goes was made over something else.
    vouched: standing.entries === kept.entries ? kept.vouched : undefined,
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
  if (sent === entries) return kept.entries;
  return kept.entries.length === sent.length ? sent : sent.slice(0, kept.entries.length);
}

/** Where a landing was dropped, what follows was made over something else than what shows now. */
function staleBehind(base: Base | undefined, entries: readonly Entry[]): readonly number[] {
  if (base?.sourceTo === undefined) return [];
  return entries.slice(base.sourceTo).flatMap(({ id, reasoning }) => (reasoning === undefined ? [] : [id]));
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

type HeadChoice = Pick<Draft, "head" | "repaired" | "systemWanted" | "settingsWanted">;

function headFor(state: LedgerState, input: ReconcileInput, target: Target, held: boolean): HeadChoice {
  const last = lastTurn(state);
  const given = input.open.head;
  if (last === undefined || state.restarted) return { head: given, repaired: 0, systemWanted: undefined, settingsWanted: undefined };
  const repair = repairHead(input.wire, last.head, given);
  const { repaired } = repair;
  const { head, settingsWanted } = withSettings(input, target, last.head, repair.head);
  const tools = held ? last.head.tools : head.tools;
  const appends = input.systemChanges === "append" && target.profile.positionalSystem && isPlainSystem(input.wire, given);
  // To a model that has its instructions elsewhere nothing was sent of them where it reads them.
  const system = readsAlike(input.wire, last.origin, target) ? last.head.system : head.system;
  const isEmpty = system.length === 0 && given.system.length === 0;
  if (appends && !isEmpty)
    return { head: { ...head, tools, system }, repaired, systemWanted: input.wire.systemText(given), settingsWanted };
  return { head: held ? { ...head, tools, system: last.head.system } : head, repaired, systemWanted: undefined, settingsWanted };
}

/** Whether a model reads its instructions where the one before does: ahead of the input, or behind it. */
function readsAlike(wire: Wire, before: Origin, { profile }: Target): boolean {
  return (wire.profile(before.model).instructions ?? "ahead") === (profile.instructions ?? "ahead");
}

/** Rule 25: where a model is told of changed settings in the conversation, the head keeps those that it was sent with, unless another parameter changed or one is gone. */
function withSettings(
  { wire, saysSettings }: ReconcileInput,
  { profile }: Target,
  sent: Head,
  given: Head,
): Pick<Draft, "head" | "settingsWanted"> {
  const inBand = wire.inBand?.settings;
  if (!saysSettings || inBand?.on(profile) !== true) return { head: given, settingsWanted: undefined };
  const [before, now] = [inBand.split(sent.params, profile), inBand.split(given.params, profile)];
  const isGone = Object.keys(before.settings).some((name) => !Object.hasOwn(now.settings, name));
  const keeps = !isGone && sent.model === given.model && sameValue(before.others, now.others);
  return { head: keeps ? { ...given, params: sent.params } : given, settingsWanted: now.settings };
}

function staleChange(base: Base | undefined, { head, settingsWanted }: HeadChoice, held: boolean): (said: Said) => boolean {
  const before = base?.turn.head.tools;
  const declaresAnew = before !== undefined && before !== head.tools && !sameValue(before, head.tools);
  return (said) => (said.form === "toolChanges" ? declaresAnew : !held && isUnnamed(said, settingsWanted));
}

/** A setting was said in the conversation, and the request no longer names it. */
function isUnnamed({ form, value }: Said, wanted: ObjectValue | undefined): boolean {
  if (form !== "settings" || wanted === undefined || !isObject(value)) return false;
  return Object.keys(value).some((name) => !Object.hasOwn(wanted, name));
}

/** Whether what reasoning is bound to ahead of the messages is the same, order of tools included. */
function sameBinding(sent: Head, now: Head): boolean {
  return (
    (sent.system === now.system || sameValue(sent.system, now.system)) && (sent.tools === now.tools || sameValue(sent.tools, now.tools))
  );
}

/** Only text can be said again in a message. */
function isPlainSystem(wire: Wire, head: Head): boolean {
  const isText = (message: ObjectValue): boolean => wire.read(message).units.every((unit) => unit.kind === "text");
  return head.system.every(
    (block) =>
      (typeof block["role"] === "string" && isText(block)) ||
      typeof block["text"] === "string" ||
      typeof block["content"] === "string" ||
      wire.read({ role: "system", content: [block] }).units[0]?.kind === "text",
  );
}

type Hold = { readonly base: Base; readonly heldFields: number };

/**
 * Rule 62 (a): in an open loop whose last replies have bound reasoning, what was changed in place before the loop, a changed system text or tool list, and a setting that was said and is no
 * longer named wait until the loop is over.
 */
function holdLoop(choice: Choice, input: ReconcileInput, target: Target, found: Base | undefined): Hold | undefined {
  const last = lastTurn(choice.state);
  if (found === undefined || last === undefined) return undefined;
  const given = repairHead(input.wire, last.head, input.open.head).head;
  const appends = input.systemChanges === "append" && input.wire.profile(given.model).positionalSystem;
  const { settingsWanted } = withSettings(input, target, last.head, given);
  const unnamed = factsOf(last.entries).speaking.some(({ said }) => said.some((item) => isUnnamed(item, settingsWanted)));
  const heldFields = Number(given.tools !== last.head.tools) + Number(given.system !== last.head.system && !appends) + Number(unnamed);
  const inPlace = !found.alignment.full || found.turn !== last;
  if (heldFields === 0 && !inPlace) return undefined;
  const loop = openLoop(input.history);
  if (loop === undefined) return undefined;
  const tolerant = inPlace ? baseFrom(choice, last, align(last.entries, input.history, { holdBefore: loop.from })) : found;
  const holds = tolerant.alignment.full && keepsRowReasoning(tolerant, input, target);
  return holds ? { base: tolerant, heldFields } : undefined;
}

/**
 * Whether the last row of replies would go out with bound reasoning: another model may read none of it, and then nothing waits. A reply taken on trust does not count: behind an edit it may
 * be another branch's.
 */
function keepsRowReasoning(base: Base, { wire, history }: ReconcileInput, target: Target): boolean {
  if (base.answered) {
    const { vouched } = base;
    if (!isRead(wire, { origin: base.turn.origin, vouched: true, lent: false }, target)) return false;
    const next = vouched === undefined ? -1 : history.nextFilled(vouched.to);
    if (vouched?.units === undefined || (next < history.length && history.side(next) === "assistant")) return false;
    return vouched.units.some(isBound) && lastRowStart(history) <= vouched.from;
  }
  const kept = base.entries.slice(0, base.alignment.lastReply.entries);
  const reasoning = kept.findLast((entry) => entry.role === "assistant" && entry.sent !== null)?.reasoning;
  return reasoning !== undefined && isRead(wire, reasoning, target);
}

function lastRowStart(history: HostHistory): number {
  return openLoop(history)?.row.from ?? history.length;
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
