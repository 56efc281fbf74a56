import type { ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import { marksOfMedia } from "../wire/stored-media.ts";
import { Translator } from "../wire/translate.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { Admission, AdmissionPolicy } from "./admission.ts";
import { startWithUser } from "./admit.ts";
import { admitReply, admitVouched } from "./admit-replies.ts";
import { admitTurn } from "./admit-turn.ts";
import { align } from "./align.ts";
import { settledEntries } from "./choose-base.ts";
import type { DormantForm } from "./dormant-form.ts";
import { EntriesSoFar } from "./entries-so-far.ts";
import { type Entry, makeEntry, type Said } from "./entry.ts";
import { lastSentReasoning, reasoningOnly, type Target, targetOfTurn } from "./forms.ts";
import { HostHistory } from "./host-history.ts";
import { emptyCounts } from "./reconcile.ts";
import { type LedgerEvent, type LedgerState, type LedgerTurn, lastTurn, movedTurn } from "./state.ts";
import { stretchesOf } from "./stretches.ts";
import { factsOf } from "./window-facts.ts";

/** Where a ledger goes, and with what. */
export type Moving = {
  readonly from: Wire;
  readonly to: Wire;
  /** Of the first request on the other wire. */
  readonly head: Head;
  readonly target: Target;
  readonly policy: AdmissionPolicy;
  /** The history in the messages of the wire that is left. Asked for behind a restore only: then the window waits for its words. */
  readonly history: () => readonly ObjectValue[];
};

/** Under this name a wire's window is kept: servers that differ in their messages are places of their own. */
export function placeOf({ name, dialect }: Wire): string {
  return dialect === undefined ? name : `${name}/${dialect}`;
}

/**
 * Rule 15: the last window in another wire's forms, so that a history in that wire's messages is aligned with it. What was sent there before comes back as it was; everything else is
 * admitted anew, from what was sent here: capped results stay capped, events and landings keep what they stand for, reasoning stays with the forms that are left. Undefined: nothing
 * was sent yet.
 */
export function moveWindow(state: LedgerState, moving: Moving): (LedgerEvent & { readonly type: "moved" }) | undefined {
  const last = lastTurn(state);
  if (last === undefined) return undefined;
  const { from, to, head } = moving;
  const ids = { next: state.nextEntry };
  const nextId = (): number => ids.next++;
  const place = placeOf(to);
  const back = state.parked.find((parked) => parked.place === place);
  const window = withReply(awake(last, moving), moving, nextId);
  const entries = new Move(moving, back?.window ?? [], nextId).entriesOf(window);
  const turn: LedgerTurn = {
    ...{ number: movedTurn, head: back?.turns.at(-1)?.head ?? head, entries, prefill: undefined },
    ...{ origin: last.origin, settled: undefined, trusted: false },
  };
  return { type: "moved", left: { place: placeOf(from), wire: from, window }, place, turn, nextEntry: ids.next };
}

function awake(turn: LedgerTurn, { from, history }: Moving): LedgerTurn {
  return factsOf(turn.entries).asleep ? { ...turn, entries: align(turn.entries, historyOf(from, history())).entries } : turn;
}

/** A window with its settled reply, as the next request here would have admitted it. */
function withReply(turn: LedgerTurn, { from, policy, target }: Moving, nextId: () => number): readonly Entry[] {
  const window = settledEntries(from, turn, turn.entries, nextId);
  const reply = turn.settled?.reply ?? [];
  if (reply.length === 0) return window;
  const soFar = new EntriesSoFar(window, lastSentReasoning(from, turn.entries, window, targetOfTurn(from, turn)));
  const units = reply.flatMap((message) => from.read(message).units);
  const vouched = { from: 0, to: reply.length, units, origin: turn.origin };
  admitVouched({ ...admissionOf(from, target, policy, nextId), soFar, history: historyOf(from, reply) }, vouched, 0);
  return [...window, ...soFar.added];
}

function historyOf(wire: Wire, messages: readonly ObjectValue[]): HostHistory {
  return new HostHistory(wire, messages, 0, [], { copies: true });
}

function admissionOf(
  wire: Wire,
  { origin, profile }: Target,
  policy: AdmissionPolicy,
  nextId: () => number,
): Omit<Admission, "soFar" | "history"> {
  return {
    ...{ wire, profile, policy, origin, nextId, from: 0, vouched: undefined, met: undefined, tailEvents: [], hadReasoning: () => false },
    ...{ withheld: new Map(), salvage: undefined, stale: new Set(), marks: new Map(), counts: emptyCounts() },
  };
}

/** A stretch that the other wire had before, and how many stood before it. */
type Known = { readonly entries: readonly Entry[]; readonly position: number };

/** What a message of the other wire was made of. */
type Trace = { readonly entry: Entry; readonly given: readonly ObjectValue[] };

class Move {
  readonly #moving: Moving;
  readonly #nextId: () => number;
  readonly #sent: Translator;
  readonly #given: Translator;
  readonly #known: ReadonlyMap<string, Known>;
  readonly #admission: Omit<Admission, "soFar" | "history">;

  constructor(moving: Moving, before: readonly Entry[], nextId: () => number) {
    const { from, to, target, policy } = moving;
    this.#moving = moving;
    this.#nextId = nextId;
    this.#sent = new Translator(from, to);
    this.#given = new Translator(from, to, "kept");
    this.#known = new Map(stretchesOf(before).map(({ key, entries }, position) => [key, { entries, position }]));
    // What was sent has its caps already, and is redacted.
    this.#admission = admissionOf(to, target, { ...policy, resultCap: () => Number.POSITIVE_INFINITY, redact: undefined }, nextId);
  }

  /** A window in the other wire's forms, up to what nobody has the words of. */
  entriesOf(window: readonly Entry[]): readonly Entry[] {
    const soFar = new EntriesSoFar([], undefined);
    const moved: Entry[] = [];
    // Reasoning is good only behind what it was made over.
    let isUnbroken = true;
    for (const [position, { key, entries }] of stretchesOf(window).entries()) {
      const known = this.#known.get(key);
      if (known === undefined && entries.some(({ dormant }) => dormant !== undefined)) break;
      isUnbroken &&= known?.position === position;
      const own = known === undefined ? this.#carried(entries, key, soFar) : this.#takenBack(entries, known, isUnbroken);
      if (known !== undefined) soFar.add(...own);
      moved.push(...own);
    }
    return moved;
  }

  /** What this wire had before, for a history that comes from the other one. */
  #takenBack(own: readonly Entry[], { entries }: Known, isUnbroken: boolean): readonly Entry[] {
    const { to } = this.#moving;
    const calls = own.flatMap((entry) => entry.calls);
    const units = entries.flatMap((entry) => sentUnits(to, entry)).filter(isCall);
    for (const [index, { id, sentId }] of calls.entries()) {
      const unit = units[index];
      if (unit === undefined) continue;
      this.#sent.knows(sentId, unit);
      this.#given.knows(id, to.withId(unit, id) as typeof unit);
    }
    const asleep = own.some(({ dormant }) => dormant !== undefined);
    const given = asleep ? [] : own.map((entry) => this.#givenOf(entry));
    const oneEach = own.length === entries.length;
    const first = entries.findIndex(({ kind }) => kind !== "event");
    let call = 0;
    return entries.map((entry, index) => {
      const named = entry.calls.map(({ id, sentId, name }) => ({ id: calls[call++]?.sentId ?? id, sentId, name }));
      const sent = entry.dormant === undefined ? entry.sent : storedForm(entry.dormant);
      const words = (oneEach ? given[index] : index === first ? given.flat() : undefined) ?? [];
      const awake = asleep || sent === undefined ? {} : { given: words, sent, dormant: undefined, slept: undefined };
      const parts = { ...entry, ...awake, calls: named };
      if (isUnbroken || entry.reasoning === undefined) return makeEntry(entry.id, parts);
      return makeEntry(this.#nextId(), { ...parts, reasoning: { ...entry.reasoning, vouched: false, proven: false } });
    });
  }

  /** What this wire never had. */
  #carried(own: readonly Entry[], key: string, soFar: EntriesSoFar): readonly Entry[] {
    const carried: Entry[] = [];
    let batch: Entry[] = [];
    const admit = (): void => {
      if (batch.length > 0) carried.push(...this.#admitted(batch, soFar));
      batch = [];
    };
    for (const entry of own) {
      if (this.#isOpaque(entry)) {
        admit();
        const source = this.entriesOf(entry.landed?.source ?? []);
        soFar.add(...source);
        carried.push(...source);
      } else if (entry.sent === null) {
        admit();
        carried.push(...this.#unsent(entry));
      } else if (!isInBand(entry)) batch.push(entry);
    }
    admit();
    const [first] = own;
    if (carried.length === 0 && first !== undefined) carried.push(this.#standIn(first, soFar));
    const twin = { key, size: carried.length };
    return carried.map((entry) => makeEntry(entry.id, { ...entry, twin }));
  }

  /** Messages go through admission as a host's would; what they stand for is put back behind that. */
  #admitted(own: readonly Entry[], soFar: EntriesSoFar): readonly Entry[] {
    const { to } = this.#moving;
    const traces = new Map<ObjectValue, Trace>();
    for (const entry of own) {
      const sent = entry.sent === null ? [] : this.#sent.messages(entry.sent);
      const given = this.#givenOf(entry);
      for (const [index, message] of sent.entries()) {
        const stands = given.length === sent.length ? given.slice(index, index + 1) : index === 0 ? given : [];
        traces.set(message, { entry, given: stands });
      }
    }
    const history = historyOf(to, [...traces.keys()]);
    const admission = { ...this.#admission, history, soFar };
    const from = soFar.added.length;
    for (let at = 0; at < history.length; ) {
      if (history.side(at) !== "assistant") at = admitTurn(admission, at);
      else {
        startWithUser(admission);
        const end = to.abilities.repliesInRows === true ? history.runEnd(at, "assistant") : at + 1;
        admitReply(admission, at, end);
        at = end;
      }
    }
    const seen = new Set<Entry>();
    return soFar.added.slice(from).map((entry) => this.#standingFor(entry, traces, seen));
  }

  /** An admitted entry with what its messages stood for. */
  #standingFor(entry: Entry, traces: ReadonlyMap<ObjectValue, Trace>, seen: Set<Entry>): Entry {
    const made = entry.given.flatMap((message) => traces.get(message) ?? []);
    const sources = [...new Set(made.map((trace) => trace.entry))].filter((source) => !seen.has(source));
    for (const source of sources) seen.add(source);
    const calls = made.flatMap((trace) => trace.entry.calls);
    const [kind = "host"] =
      made.length > 0 && made.every((trace) => trace.entry.kind === made[0]?.entry.kind) ? made.map((trace) => trace.entry.kind) : [];
    return makeEntry(entry.id, {
      ...entry,
      kind,
      given: made.flatMap((trace) => trace.given),
      calls: entry.calls.map((call, index) => ({ ...call, id: calls[index]?.id ?? call.id })),
      said: sources.flatMap((source) => source.said.map((said) => heardAs(said, entry.role))),
      folded: made.some((trace) => trace.entry.folded),
      landed: this.#landedIn(made.map((trace) => trace.entry)),
    });
  }

  #landedIn(sources: readonly Entry[]): Entry["landed"] {
    const landed = sources.flatMap((source) => source.landed ?? []);
    if (landed.length === 0) return undefined;
    const originals = sources.flatMap((source) => source.landed?.source ?? (source.landed === undefined ? [source] : []));
    return { landing: Math.max(...landed.map(({ landing }) => landing)), source: this.entriesOf(originals), signed: false };
  }

  /** What was given and not sent stands where it stood. */
  #unsent(entry: Entry): readonly Entry[] {
    const given = this.#givenOf(entry);
    if (given.length === 0) return [];
    const { kind, role, empty } = entry;
    return [makeEntry(this.#nextId(), { kind, role, empty, given, sent: null, landed: this.#landedIn([entry]) })];
  }

  /** A stretch of which the other wire has nothing keeps its place. */
  #standIn({ role }: Entry, soFar: EntriesSoFar): Entry {
    const { to } = this.#moving;
    const sent = role === "assistant" && soFar.hasSent() ? reasoningOnly(to) : null;
    const entry = makeEntry(this.#nextId(), { kind: "host", role, given: [], sent });
    soFar.add(entry);
    return entry;
  }

  #givenOf({ given }: Entry): readonly ObjectValue[] {
    return given.flatMap((message) => this.#given.messages(message));
  }

  /** A provider's block, which others cannot read, and of which the source is still there. */
  #isOpaque({ sent, landed }: Entry): boolean {
    return sent !== null && landed !== undefined && landed.source.length > 0 && this.#moving.from.compaction?.holds(sent) === true;
  }
}

function sentUnits(wire: Wire, { sent, dormant }: Entry): readonly Unit[] {
  const form = dormant === undefined ? sent : storedForm(dormant);
  return form == null ? [] : wire.read(form).units;
}

/** Of a form from a snapshot its words, unless media are missing in it: only a history brings these back. */
function storedForm({ sent }: DormantForm): ObjectValue | null | undefined {
  if (sent.kind === "none") return null;
  return sent.kind === "kept" && marksOfMedia(sent.message).length === 0 ? sent.message : undefined;
}

function isCall(unit: Unit): unit is Unit & { readonly kind: "call" } {
  return unit.kind === "call";
}

/** A change of tools or settings in the provider's own form, or a reminder for one turn: nothing of it holds elsewhere. */
function isInBand({ said }: Entry): boolean {
  return said.some(({ form, channel, as = channel }) => form !== undefined || as === "turn");
}

/** What a wire without system messages in the middle says by the user. */
function heardAs(said: Said, role: Entry["role"]): Said {
  const { channel, as = channel } = said;
  return role !== "user" || as === "user" ? said : Object.freeze({ ...said, as: "user" });
}
