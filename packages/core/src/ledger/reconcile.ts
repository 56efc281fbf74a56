import { sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Head, OpenRequest } from "../wire/head.ts";
import { type Origin, sameOrigin } from "../wire/origin.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { AdmissionCounts, AdmissionPolicy, Vouched } from "./admission.ts";
import { admit } from "./admit.ts";
import { isBound } from "./admit-replies.ts";
import { align } from "./align.ts";
import { type Base, baseFrom, chooseBase, meetsReply } from "./choose-base.ts";
import { EntriesSoFar } from "./entries-so-far.ts";
import { type Entry, makeEntry, type Said, type UnitMark } from "./entry.ts";
import { foldLoop, openRow } from "./fold-loop.ts";
import { formsFor, lastSentReasoning, readsModel, sendsAll, type Target, targetOfTurn, withoutReasoning } from "./forms.ts";
import { changedHead, repairHead } from "./head-repair.ts";
import { type HistoryHint, historyHint, untrimmed } from "./history-hint.ts";
import type { HostHistory } from "./host-history.ts";
import { openLoop } from "./open-loop.ts";
import { Salvage } from "./salvage.ts";
import { type LedgerState, type LedgerTurn, lastTurn } from "./state.ts";
import { wokeIntact } from "./wake.ts";
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
  /** The history repeats the base's whole window, in its given or sent forms. */
  readonly baseFull: boolean;
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
  readonly hint: HistoryHint | undefined;
  readonly lead: number;
  readonly nextId: number;
};

/** Aligns a history with what was sent and admits what is new: the first half of every `prepare`. */
export function reconcile(state: LedgerState, input: ReconcileInput): Draft {
  const ids = { next: state.nextEntry };
  const nextId = (): number => ids.next++;
  const target = targetOf(state, input);
  const binds = target.profile.bindsReasoning !== "no";
  const found = state.restarted ? undefined : chooseBase(input.wire, state, input.history, nextId);
  const hold = binds ? holdLoop(state, input, found) : undefined;
  const whole = hold?.base ?? found;
  const hint = whole === undefined || whole.alignment.lastReply.consumed > 0 ? undefined : historyHint(lastTurn(state), input.history);
  const base =
    (input.trims === "ignore" && whole !== undefined && whole.alignment.lastReply.consumed === 0 ? keepTrimmed(state, input) : undefined) ??
    whole;
  const kept = keptBy(base, nextId);
  const head = headFor(state, input, target, hold?.head === true);
  const soFar = new EntriesSoFar(
    kept.entries,
    base === undefined ? undefined : lastSentReasoning(input.wire, kept.entries, targetOfTurn(input.wire, base.turn)),
  );
  const counts = emptyCounts();
  const withheld = new Map<number, readonly Unit[]>();
  const stale = new Set<number>();
  const marks = marksById(base, kept.entries);
  const met = base?.answered === true ? undefined : meetsReply(input.wire, lastTurn(state), input.history, kept.from);
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
  const reasoned = binds
    ? voidReasoning(input, admitted, { voided, stale, withheld, settles: state.settles }, target, nextId)
    : {
        entries: unvouchReasoning(admitted, { voided, stale, withheld, settles: state.settles }, nextId),
        lent: false,
        folded: false,
      };
  carryMarks(marks, admitted, reasoned.entries);
  return {
    turn: state.nextTurn,
    base: base?.turn,
    answered: base?.answered ?? false,
    baseFull: base?.alignment.full ?? false,
    replyMet: met !== undefined,
    woken: wokenBy(base, kept.awake),
    head: head.head,
    entries: reasoned.entries,
    prefill: prefill === undefined ? undefined : input.wire.compose(prefill.nativeRole, prefill.units),
    target,
    systemWanted: head.systemWanted,
    said: [],
    repaired: head.repaired + (base?.alignment.repaired ?? 0) + counts.reasoningRestored,
    held: (base?.alignment.held ?? 0) + (hold?.heldFields ?? 0),
    underRecap: base?.alignment.under ?? 0,
    counts,
    marks,
    marksFrom: input.ownedMessages > 0 ? state.nextEntry : 0,
    lent: reasoned.lent,
    folded: reasoned.folded,
    hint,
    lead: input.open.lead,
    nextId: ids.next,
  };
}

function targetOf(state: LedgerState, input: ReconcileInput): Target {
  const origin: Origin = { wire: input.wire.name, model: input.open.head.model, endpoint: input.endpoint };
  const known = state.turns.findLast((turn) => sameOrigin(turn.origin, origin))?.origin;
  return { origin: known ?? Object.freeze(origin), profile: input.wire.profile(origin.model) };
}

function keepTrimmed(state: LedgerState, input: ReconcileInput): Base | undefined {
  for (const turn of state.turns.toReversed()) {
    const alignment = untrimmed(turn, input.history);
    if (alignment !== undefined) return baseFrom(input.wire, state, turn, alignment, input.history);
  }
  return undefined;
}

type Kept = {
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly vouched: Vouched | undefined;
  /** The base's whole window, as far as the history brought its words back. */
  readonly awake: readonly Entry[];
};

/** A window to which the history has a reply stays whole, events and all; of another stays what comes before its last repeated reply. */
function keptBy(base: Base | undefined, nextId: () => number): Kept {
  if (base === undefined) return { entries: [], from: 0, vouched: undefined, awake: [] };
  const { alignment } = base;
  const slept = base.turn.entries;
  const asleep = factsOf(slept).asleep;
  const awake = asleep ? alignment.entries.map((entry, position) => asWoken(entry, slept[position], nextId)) : alignment.entries;
  if (base.answered) return { entries: awake, from: alignment.consumed, vouched: base.vouched, awake };
  return { entries: awake.slice(0, alignment.lastReply.entries), from: alignment.lastReply.consumed, vouched: undefined, awake };
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
  return new Salvage(input.wire, base.alignment.entries, kept.entries.length, input.history);
}

/** The base's entries that woke and are what they were. */
function wokenBy(base: Base | undefined, awake: readonly Entry[]): ReadonlyMap<number, Entry> {
  const woken = new Map<number, Entry>();
  if (base === undefined || !factsOf(base.turn.entries).asleep) return woken;
  for (const [position, slept] of base.turn.entries.entries()) {
    const entry = awake[position];
    if (slept.dormant !== undefined && entry !== undefined && entry.dormant === undefined && entry.id === slept.id)
      woken.set(slept.id, entry);
  }
  return woken;
}

/** An entry that a restore could not bring back to the byte (newer rules, another adapter) is another entry. */
function asWoken(entry: Entry, slept: Entry | undefined, nextId: () => number): Entry {
  if (slept?.dormant === undefined || entry.dormant !== undefined || wokeIntact(slept.dormant.sent, entry)) return entry;
  return makeEntry(nextId(), entry);
}

type HeadChoice = { readonly head: Head; readonly repaired: number; readonly systemWanted: string | undefined };

function headFor(state: LedgerState, input: ReconcileInput, target: Target, held: boolean): HeadChoice {
  const last = lastTurn(state);
  const given = input.open.head;
  if (last === undefined || state.restarted) return { head: given, repaired: 0, systemWanted: undefined };
  const { head, repaired } = repairHead(input.wire, last.head, given);
  const tools = held ? last.head.tools : head.tools;
  const appends = input.systemChanges === "append" && target.profile.positionalSystem && isPlainSystem(input.wire, given);
  if (appends) return { head: { ...head, tools, system: last.head.system }, repaired, systemWanted: input.wire.systemText(given) };
  return { head: held ? { ...head, tools, system: last.head.system } : head, repaired, systemWanted: undefined };
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

type Hold = { readonly base: Base; readonly head: boolean; readonly heldFields: number };

/**
 * Rule 62 (a): in an open loop whose last replies have bound reasoning, what was changed in place before the loop, and a changed system text or tool list, wait
 * until the loop is over.
 */
function holdLoop(state: LedgerState, input: ReconcileInput, found: Base | undefined): Hold | undefined {
  const last = lastTurn(state);
  if (found === undefined || last === undefined) return undefined;
  const given = repairHead(input.wire, last.head, input.open.head).head;
  const appends = input.systemChanges === "append" && input.wire.profile(given.model).positionalSystem;
  const fields = changedHead(input.wire, last.head, given).filter((field) => field === "tools" || (field === "system" && !appends));
  const inPlace = !found.alignment.full || found.turn !== last;
  if (fields.length === 0 && !inPlace) return undefined;
  const loop = openLoop(input.history);
  if (loop === undefined) return undefined;
  const tolerant = inPlace
    ? baseFrom(input.wire, state, last, align(last.entries, input.history, { holdBefore: loop.from }), input.history)
    : found;
  const holds = tolerant.alignment.full && keepsRowReasoning(tolerant, input.history);
  return holds ? { base: tolerant, head: fields.length > 0, heldFields: fields.length } : undefined;
}

/** Whether the last row of replies would go out with bound reasoning. A reply taken on trust does not count: behind an edit it may be another branch's. */
function keepsRowReasoning(base: Base, history: HostHistory): boolean {
  if (base.answered) {
    const { vouched } = base;
    const next = vouched === undefined ? -1 : history.nextFilled(vouched.to);
    if (vouched?.units === undefined || (next < history.length && history.side(next) === "assistant")) return false;
    return vouched.units.some(isBound) && lastRowStart(history) <= vouched.from;
  }
  return (
    base.alignment.entries.slice(0, base.alignment.lastReply.entries).findLast((entry) => entry.role === "assistant" && entry.sent !== null)
      ?.reasoning !== undefined
  );
}

function lastRowStart(history: HostHistory): number {
  return openLoop(history)?.row.from ?? history.length;
}

/** `voided`: all of it, by a changed head. `stale`: entries behind an edit. `withheld`: replies that no window vouches for, with all their units. */
type Voiding = {
  readonly voided: boolean;
  readonly stale: ReadonlySet<number>;
  readonly withheld: ReadonlyMap<number, readonly Unit[]>;
  /** The host settles: only then the proof of lent reasoning comes back. */
  readonly settles: boolean;
};

type Reasoned = { readonly entries: readonly Entry[]; readonly lent: boolean; readonly folded: boolean };

/**
 * Takes voided reasoning out (rules 6 and 27). Where that would leave an open loop's last replies without the reasoning that the provider wants to see, it is lent under
 * `drop_block` or the loop is folded (rule 62 b and c).
 */
function voidReasoning(
  input: ReconcileInput,
  entries: readonly Entry[],
  { voided, stale, withheld, settles }: Voiding,
  target: Target,
  nextId: () => number,
): Reasoned {
  const row = openRow(entries);
  const missed = row === undefined ? new Set<number>() : unsentHere(input.wire, entries, target);
  const unsent = row === undefined ? [] : entries.slice(row.from, row.to).flatMap(({ id }) => (missed.has(id) ? [id] : []));
  const nothing = !voided && withheld.size === 0 && stale.size === 0 && unsent.length === 0;
  const bereft = row !== undefined && entries.slice(row.from, row.to).some((entry) => entry.lostReasoning);
  if (nothing && !bereft && !factsOf(entries).lent) return { entries, lent: false, folded: false };
  const lostIds = losingIds(entries, { voided, stale, withheld, settles }, unsent);
  const losing = (entry: Entry): boolean => lostIds.has(entry.id);
  const rowLoses = row !== undefined && entries.slice(row.from, row.to).some((entry) => losing(entry) || entry.lostReasoning);
  const lend =
    rowLoses &&
    input.lends &&
    settles &&
    row !== undefined &&
    entries.slice(row.from, row.to).every((entry) => losing(entry) || !entry.lostReasoning);
  const result = entries.map((entry, position) => {
    if (!losing(entry)) return entry;
    if (lend && row !== undefined && position >= row.from && position < row.to)
      return lentEntry(input.wire, entry, withheld.get(entry.id), input, nextId);
    return entry.reasoning === undefined ? entry : withoutReasoning(input.wire, entry, nextId());
  });
  if (!rowLoses || lend) return { entries: result, lent: lend, folded: false };
  return {
    entries: foldLoop(input.wire, result, (entry) => entry.lostReasoning || missed.has(entry.id), input.policy.wordings, nextId()),
    lent: false,
    folded: true,
  };
}

/** Reasoning that this model could read but does not get: it was made over other forms, or its chain is broken. */
function unsentHere(wire: Wire, entries: readonly Entry[], target: Target): ReadonlySet<number> {
  if (sendsAll(wire, entries, target)) return new Set();
  const sent = new Set(formsFor(wire, entries, target).flatMap(({ entry, message }) => (message === entry.sent ? [entry.id] : [])));
  const missed = entries.filter(
    ({ id, reasoning }) => reasoning !== undefined && readsModel(wire, reasoning.origin, target) && !sent.has(id),
  );
  return new Set(missed.map((entry) => entry.id));
}

/** Entries that lose their reasoning; and with one that was lent in vain what was made behind it, since the chain is broken there. */
function losingIds(entries: readonly Entry[], { voided, stale, withheld }: Voiding, unsent: readonly number[]): ReadonlySet<number> {
  const lost = new Set<number>(unsent);
  for (const { id, reasoning } of entries) {
    if (withheld.has(id)) lost.add(id);
    if (reasoning === undefined) continue;
    if (voided || stale.has(id) || reasoning.lent || (reasoning.after !== undefined && lost.has(reasoning.after))) lost.add(id);
  }
  return lost;
}

/** On a model that binds nothing reasoning stays through any change, but what was made over something else is no longer vouched for where it is bound. */
function unvouchReasoning(entries: readonly Entry[], { voided, stale }: Voiding, nextId: () => number): readonly Entry[] {
  if (!voided && stale.size === 0) return entries;
  const changes = (entry: Entry): boolean => entry.reasoning?.vouched === true && (voided || stale.has(entry.id));
  if (!entries.some(changes)) return entries;
  return entries.map((entry) =>
    entry.reasoning !== undefined && changes(entry)
      ? makeEntry(nextId(), { ...entry, reasoning: { ...entry.reasoning, vouched: false } })
      : entry,
  );
}

function lentEntry(wire: Wire, entry: Entry, withheld: readonly Unit[] | undefined, input: ReconcileInput, nextId: () => number): Entry {
  if (withheld === undefined)
    return makeEntry(nextId(), { ...entry, reasoning: entry.reasoning === undefined ? undefined : { ...entry.reasoning, lent: true } });
  const origin: Origin = { wire: wire.name, model: input.open.head.model, endpoint: input.endpoint };
  const role = entry.sent === null ? "assistant" : wire.read(entry.sent).nativeRole;
  return makeEntry(nextId(), {
    ...entry,
    sent: wire.compose(role, withheld),
    reasoning: { origin, after: undefined, vouched: true, lent: true },
  });
}

/** An entry that was replaced by another form of itself keeps the host's marks. */
function carryMarks(marks: Map<number, readonly UnitMark[]>, before: readonly Entry[], after: readonly Entry[]): void {
  if (marks.size === 0) return;
  for (const [position, entry] of after.entries()) {
    const own = marks.get(before[position]?.id ?? -1);
    if (own !== undefined && !entry.folded) marks.set(entry.id, own);
  }
}

function marksById(base: Base | undefined, entries: readonly Entry[]): Map<number, readonly UnitMark[]> {
  const marks = new Map<number, readonly UnitMark[]>();
  if (base === undefined) return marks;
  for (const [position, list] of base.alignment.marks) {
    const entry = entries[position] ?? base.alignment.entries[position];
    if (entry !== undefined) marks.set(entry.id, list);
  }
  return marks;
}

function emptyCounts(): AdmissionCounts {
  return {
    reasoningWithheld: 0,
    reasoningRedacted: 0,
    reasoningRestored: 0,
    resultsCapped: [],
    resultsMadeUp: [],
    resultsOrphaned: [],
    resultsLate: [],
    resultsDropped: [],
    idsMapped: [],
  };
}
