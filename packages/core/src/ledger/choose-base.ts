import { compareValues, sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Wire } from "../wire/wire.ts";
import type { MetReply, Vouched } from "./admission.ts";
import { type Alignment, align } from "./align.ts";
import { behindRecap } from "./behind-recap.ts";
import { digestsOf, type Entry, isReply, isSent, makeEntry } from "./entry.ts";
import { withoutReasoning } from "./forms.ts";
import { untrimmed } from "./history-hint.ts";
import type { HostHistory } from "./host-history.ts";
import { pairedEnd } from "./paired-end.ts";
import { echoOf } from "./settled-reply.ts";
import { showSource } from "./show-source.ts";
import { type LedgerState, type LedgerTurn, lastTurn, movedTurn } from "./state.ts";
import { digestUnit, firstDigest } from "./unit-digest.ts";
import { wokeIntact } from "./wake.ts";
import { factsOf } from "./window-facts.ts";

/** The window that a history goes on from (rule 5), and the reply in it that this window vouches for (rule 6). */
export type Base = {
  readonly turn: LedgerTurn;
  readonly alignment: Alignment;
  /** The window's entries as they were sent, as far as the history brought their words back. */
  readonly sent: readonly Entry[];
  /** The same with what the reply proved. */
  readonly entries: readonly Entry[];
  /** The history goes on with a sent reply to the whole window. */
  readonly answered: boolean;
  readonly vouched: Vouched | undefined;
  /** Landings were dropped for it: behind this entry nothing was made over what shows now. Undefined: none was. */
  readonly sourceTo: number | undefined;
};

/** What windows are chosen from, and what for. */
export type Choice = {
  readonly wire: Wire;
  readonly state: LedgerState;
  readonly history: HostHistory;
  /** Whether a window keeps what the host dropped from its start. */
  readonly trims: "obey" | "ignore";
  readonly nextId: () => number;
};

/** The alignment that repeats most wins, one whose reply follows before others; of equals the latest. Older windows are looked at only when the last is not simply continued. */
export function chooseBase(choice: Choice): Base | undefined {
  const { state, history } = choice;
  let best: Base | undefined;
  for (let index = state.turns.length - 1; index >= 0; index--) {
    const turn = state.turns[index] as LedgerTurn;
    for (const candidate of candidates(choice, turn)) {
      if (best === undefined || ranks(candidate, best, state)) best = candidate;
      if (index === state.turns.length - 1 && continuesSimply(candidate, history)) return candidate;
    }
  }
  return best;
}

/** The ways in which a history can go on from a window: as it was sent; from what was kept behind a recap; from what a landing replaced (rule 5). */
function* candidates(choice: Choice, turn: LedgerTurn): Generator<Base> {
  const { state, history } = choice;
  const revoked = (landing: number): boolean => state.revoked.includes(landing);
  const shown = state.revoked.length === 0 ? undefined : showSource(turn.entries, revoked);
  if (shown?.to !== undefined) {
    yield withSource(choice, turn, shown.entries, shown.to);
    return;
  }
  yield baseFrom(choice, turn, continued(turn, history) ?? alignmentOf(choice, turn));
  // A host that stores the window has none of the replies that were not sent.
  const sent = turn.entries.filter(isSent);
  if (sent.length < turn.entries.length) yield baseFrom(choice, turn, align(sent, history), sent);
  if (!turn.entries.some(({ landed }) => landed !== undefined)) return;
  for (const { alignment, isTold } of behindRecap(turn.entries, history)) {
    const base = baseFrom(choice, turn, alignment);
    if (history.tail || base.vouched !== undefined || isTold) yield base;
  }
  const source = showSource(turn.entries, () => true);
  if (source.to !== undefined) yield withSource(choice, turn, source.entries, source.to);
}

/** A window that shows what a landing replaced is not the one that was sent: it vouches for nothing. */
function withSource(choice: Choice, turn: LedgerTurn, window: readonly Entry[], sourceTo: number): Base {
  const base = baseFrom(choice, turn, align(window, choice.history), window);
  const end = pairedEnd(choice.wire, window);
  const whole = end >= base.alignment.matched;
  const alignment = whole
    ? base.alignment
    : { ...base.alignment, full: false, lastReply: align(window.slice(0, end), choice.history).lastReply };
  return { ...base, alignment, answered: false, vouched: undefined, sourceTo };
}

function alignmentOf({ state, history, trims }: Choice, turn: LedgerTurn): Alignment {
  const alignment = align(turn.entries, history);
  if (trims === "obey" || alignment.lastReply.consumed > 0) return alignment;
  return untrimmed(turn, lastTurn(state)?.entries ?? [], history) ?? alignment;
}

const noMarks: Alignment["marks"] = new Map();

/** A session that owns its history knows which window was made from its beginning, and need not compare what can only be the same. */
function continued(turn: LedgerTurn, history: HostHistory): Alignment | undefined {
  const { made } = history;
  if (made?.turn !== turn.number || turn.prefill !== undefined || factsOf(turn.entries).lent || (turn.settled?.dropped ?? []).length > 0)
    return undefined;
  const next = history.nextFilled(made.count);
  if (next === history.length || history.side(next) !== "assistant") return undefined;
  const { entries } = turn;
  const lastReply = { entries: entries.findLastIndex(isReply) + 1, consumed: made.count };
  return {
    entries,
    matched: entries.length,
    consumed: made.count,
    full: true,
    lastReply,
    repaired: 0,
    held: 0,
    under: 0,
    endEdited: false,
    marks: noMarks,
    late: [],
  };
}

/** `window`: the entries that were aligned, if not the turn's own. */
export function baseFrom(choice: Choice, turn: LedgerTurn, alignment: Alignment, window: readonly Entry[] = turn.entries): Base {
  const { wire, history, nextId } = choice;
  const next = history.nextFilled(alignment.consumed);
  const answered = alignment.full && next < history.length && history.side(next) === "assistant";
  const sent = intactEntries(window, alignment.entries, nextId);
  const entries = settledEntries(wire, turn, sent, nextId);
  const vouched = answered ? vouch(choice, turn, next, alignment.endEdited) : undefined;
  return { turn, alignment, sent, entries, answered, vouched, sourceTo: undefined };
}

/** An entry that a restore could not bring back to the byte (newer rules, another adapter, a medium that is gone) is another entry. */
function intactEntries(window: readonly Entry[], entries: readonly Entry[], nextId: () => number): readonly Entry[] {
  if (!factsOf(window).asleep) return entries;
  const slept = new Map(window.map((entry) => [entry.id, entry.dormant?.sent]));
  return entries.map((entry) => {
    const before = slept.get(entry.id);
    return before === undefined || entry.dormant !== undefined || wokeIntact(before, entry) ? entry : makeEntry(nextId(), entry);
  });
}

function continuesSimply(base: Base, history: HostHistory): boolean {
  return base.alignment.full && (base.vouched !== undefined || history.nextFilled(base.alignment.consumed) === history.length);
}

function ranks(a: Base, b: Base, state: LedgerState): boolean {
  // A window from another wire has the replies of the windows that were left here.
  const moved = Number(a.turn.number === movedTurn) - Number(b.turn.number === movedTurn);
  if (moved !== 0) return moved > 0 ? reach(a) >= reach(b) : reach(a) > reach(b);
  if (undoes(a, b) || undoes(b, a)) return undoes(b, a);
  const vouches = Number(vouchesBeyond(a, b)) - Number(vouchesBeyond(b, a));
  if (vouches !== 0) return vouches > 0;
  if (a.alignment.consumed !== b.alignment.consumed) return a.alignment.consumed > b.alignment.consumed;
  const head = state.turns.at(-1)?.head;
  return head !== undefined && !sameHead(b.turn, head) && sameHead(a.turn, head);
}

/** Whether a window's reply follows it that the other window has not repeated itself. */
function vouchesBeyond({ vouched }: Base, { alignment }: Base): boolean {
  return vouched !== undefined && vouched.to > alignment.lastReply.consumed;
}

/** Rule 7: a landing stands while the history repeats what it replaced. That an older request got the reply which the host kept does not undo it. */
function undoes(base: Base, other: Base): boolean {
  const repeatsMore = base.alignment.lastReply.consumed > other.alignment.consumed;
  return !repeatsMore && lastLanding(base) < lastLanding(other);
}

/** The latest landing among the repeated entries. */
function lastLanding({ alignment, sourceTo }: Base): number {
  if (sourceTo !== undefined) return -1;
  let last = -1;
  for (let position = 0; position < alignment.matched; position++)
    last = Math.max(last, alignment.entries[position]?.landed?.landing ?? -1);
  return last;
}

/** The history position up to which a window and its reply repeat it. */
function reach({ vouched, alignment }: Base): number {
  return vouched?.to ?? alignment.consumed;
}

function sameHead(turn: LedgerTurn, head: LedgerTurn["head"]): boolean {
  return turn.head === head || (sameValue(turn.head.system, head.system) && sameValue(turn.head.tools, head.tools));
}

/** A window's entries with what its reply proved: reasoning that the provider dropped is gone, lent reasoning that it took is good. */
export function settledEntries(wire: Wire, { settled }: LedgerTurn, entries: readonly Entry[], nextId: () => number): readonly Entry[] {
  if (!settled?.dropped.length && !factsOf(entries).lent) return entries;
  const dropped = new Set(settled?.dropped);
  return entries.map((entry) => {
    if (entry.reasoning === undefined) return entry;
    if (dropped.has(entry.id)) return withoutReasoning(wire, entry, nextId());
    if (!entry.reasoning.lent || settled === undefined) return entry;
    return makeEntry(nextId(), { ...entry, reasoning: { ...entry.reasoning, vouched: true, proven: true, lent: false } });
  });
}

/**
 * Where a row of replies behind what is kept starts with the reply to the last window. Where that one was not settled it is the first reply but such as another turn was settled with. Those that
 * the window has already, sent or not, are none.
 */
export function meetsReply(
  wire: Wire,
  { turns }: LedgerState,
  history: HostHistory,
  kept: { readonly entries: readonly Entry[]; readonly from: number },
): MetReply | undefined {
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  let own: Map<string, number> | undefined;
  const known = last.settled === undefined ? turns : [last];
  for (let at = kept.from; at < history.length; ) {
    if (history.side(at) === "assistant") own ??= repliesBehind(wire, last.entries, kept.entries);
    if (own === undefined || history.side(at) !== "assistant" || takesOne(own, history, at)) {
      at += 1;
      continue;
    }
    for (const { settled, origin, number } of known) {
      const to = settled === undefined ? undefined : echoOf(wire, settled.reply, history, at)?.to;
      if (to !== undefined) return { from: at, to, origin, turn: number };
    }
    const end = history.runEnd(at, "assistant");
    if (last.settled === undefined) return { from: at, to: end, origin: last.origin, turn: last.number };
    at = end;
  }
  return undefined;
}

/** How each message of a reply begins that a window has behind what is kept of it, and how often: under a recap, too. */
function repliesBehind(wire: Wire, entries: readonly Entry[], kept: readonly Entry[]): Map<string, number> {
  const stays = new Set(kept.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (stays.has(entry.id)) continue;
    for (const digest of repliesOf(wire, entry)) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  return counts;
}

function repliesOf(wire: Wire, entry: Entry): readonly string[] {
  const slept = digestsOf(entry);
  if (slept !== undefined) return slept.filter(({ side }) => side === "assistant").map(({ digest }) => digest);
  return entry.given.filter((message) => wire.read(message).role === "assistant").map((message) => firstDigest(wire, message));
}

function takesOne(counts: Map<string, number>, history: HostHistory, at: number): boolean {
  const [first] = counts.size === 0 ? [] : history.at(at).reading.units;
  const digest = first === undefined ? "" : digestUnit(first);
  const left = counts.get(digest) ?? 0;
  if (left > 0) counts.set(digest, left - 1);
  return left > 0;
}

/** A reply that was not settled is taken on trust: not behind words that the window did not ask (rule 6). */
function vouch({ wire, state, history }: Choice, turn: LedgerTurn, from: number, endEdited: boolean): Vouched | undefined {
  const to = history.runEnd(from, "assistant");
  const reply = turn.settled?.reply ?? [];
  if (reply.length === 0) {
    const onTrust = turn.settled === undefined && turn.trusted && !state.settles && turn === state.turns.at(-1) && !endEdited;
    return onTrust ? { from, to, units: undefined, origin: turn.origin } : undefined;
  }
  if (cameAsItWas(reply, history, from, to)) {
    return { from, to, units: history.readUnits(from, to), origin: turn.origin };
  }
  const echo = echoOf(wire, reply, history, from);
  return echo === undefined ? undefined : { from, ...echo, origin: turn.origin };
}

/** The row of replies is the settled reply to the letter: it was read already, and its text need not be kept twice. */
function cameAsItWas(reply: readonly ObjectValue[], history: HostHistory, from: number, to: number): boolean {
  const came = (message: ObjectValue, at: number): boolean =>
    message === history.at(at).copy || compareValues(message, history.given(at)) === "same";
  return to - from === reply.length && reply.every((message, index) => came(message, from + index));
}
