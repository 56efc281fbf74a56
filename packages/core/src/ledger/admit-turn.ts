import { wellFormed } from "../json/unicode.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import { messagesPlace } from "../wire/places.ts";
import { type Reading, sameUnit, type Unit } from "../wire/unit.ts";
import { type Admission, PendingCallsError } from "./admission.ts";
import { capWords } from "./cap-words.ts";
import { cleanUnit } from "./clean-unit.ts";
import { type AdmittedCall, type Entry, makeEntry, type UnitMark } from "./entry.ts";
import { saidByUser } from "./forms.ts";
import { coversMedium, sendable, type WithheldBy } from "./media-left-out.ts";
import { capText } from "./result-cap.ts";
import { fill } from "./wordings.ts";

/** One message to be sent, with the positions of the given messages that it stands for. */
type Piece = {
  readonly nativeRole: string;
  readonly role: Entry["role"];
  readonly units: Unit[];
  readonly sources: number[];
};
type Result = Unit & { readonly kind: "result" };
type CallUnit = Unit & { readonly kind: "call" };

/** A call of the batch, and what answers it: as the host gave it, from which message of the history, and as it is sent. One that is made up is only sent. */
type Slot = { readonly call: AdmittedCall; given?: Result; source?: number; sent?: Result };
type Answered = Slot & { readonly sent: Result };

/**
 * Admits what stands behind a row of replies: the results of its calls first, in their order, then what else was said (rules 10 to 13, 20). Behind calls at the very end of the history
 * that is nothing: deferred ones get their interim results, others are pending.
 * Returns the history position behind it.
 */
export function admitTurn(admission: Admission, from: number): number {
  const to = admission.history.runEnd(from, "other");
  const turn = new Turn(admission, from, to);
  turn.sort();
  turn.closeCalls();
  admission.soFar.add(...turn.entries());
  return to;
}

class Turn {
  readonly #admission: Admission;
  readonly #from: number;
  readonly #to: number;
  readonly #slots: readonly Slot[];
  readonly #rest: Piece[] = [];
  readonly #resultFields: Unit[] = [];
  readonly #marks = new Map<Unit, Value>();
  readonly #callUnits = new Map<string, CallUnit>();
  /** The slots by their calls' ids, the host's and the sent one, in order. */
  readonly #byId = new Map<string, readonly Slot[]>();

  constructor(admission: Admission, from: number, to: number) {
    this.#admission = admission;
    this.#from = from;
    this.#to = to;
    this.#slots = admission.soFar.openBatch().map((call) => ({ call }));
    for (const slot of this.#slots)
      for (const id of new Set([slot.call.id, slot.call.sentId])) this.#byId.set(id, [...(this.#byId.get(id) ?? []), slot]);
  }

  /** Finds each result's call; what is no result of this batch becomes text. */
  sort(): void {
    for (let at = this.#from; at < this.#to; at++) {
      const { reading } = this.#admission.history.at(at);
      const holdsResults = reading.units.some((unit) => unit.kind === "result");
      const said: Unit[] = [];
      for (let index = 0; index < reading.units.length; index++) {
        const mark = reading.marks.find(({ unit }) => unit === index)?.mark;
        const clean = cleanUnit(reading.units[index] as Unit, this.#admission.policy.redact) as Unit;
        const units = this.#sendable(clean, reading);
        if (mark !== undefined) this.#marks.set(units[0] as Unit, mark);
        for (const unit of units)
          if (unit.kind === "result") this.#place(unit, at, said);
          else said.push(unit);
      }
      // What a message of results says of itself goes with them.
      if (holdsResults && said.every((unit) => unit.kind === "fields")) this.#resultFields.push(...said);
      else if (said.length > 0) this.#say(reading.nativeRole, reading.role, said, at);
    }
  }

  /** Rule 14: what of a unit goes out where the wire takes only some media, or the host allows only some. */
  #sendable(unit: Unit, reading: Reading): readonly Unit[] {
    const { wire, policy, counts } = this.#admission;
    const { media, plainResults } = wire.abilities;
    const { allowMedia, wordings } = policy;
    if (unit.kind === "text" || (media === undefined && plainResults !== true && allowMedia === undefined)) return [unit];
    const withheldBy: WithheldBy = ({ type, facts }) => {
      if (plainResults === true && unit.kind === "result") return "unsupported";
      if (media !== undefined && type?.includes("/") === true && !coversMedium(media, { type })) return "unsupported";
      return allowMedia === undefined || allowMedia(facts()) ? undefined : "not-allowed";
    };
    return sendable(wire, reading, unit, withheldBy, { wordings, report: (medium) => counts.mediaWithheld.push(medium) });
  }

  #place(result: Result, source: number, said: Unit[]): void {
    const counts = this.#admission.counts;
    const slot = this.#nextOpen(result.id);
    if (slot !== undefined) {
      Object.assign(slot, { given: result, source, sent: this.#finish(result, slot.call) });
      return;
    }
    const twice = this.#byId.get(result.id)?.[0];
    if (twice?.given !== undefined && sameUnit(twice.given, result)) {
      counts.resultsDropped.push(result.id);
      return;
    }
    const call = twice?.call ?? this.#admission.soFar.findCall(result.id)?.call;
    if (call === undefined) counts.resultsOrphaned.push(result.id);
    else counts.resultsLate.push(result.id);
    const { wire, policy } = this.#admission;
    const { sentId: id, name } = call ?? { sentId: wellFormed(result.id), name: "" };
    const text = this.#capped(wire.textOf(result), policy.resultCap(name), { id, tool: name }, () => 1);
    const wording = call === undefined ? policy.wordings.orphanResult : policy.wordings.lateResult;
    said.push(...wire.read(wire.say("user", fill(wording, { id, name, text }))).units);
  }

  /** The first call of this id that has no result yet; else, on wires whose results may name a tool or nothing, the first of this tool, or of all. */
  #nextOpen(id: string): Slot | undefined {
    const own = this.#byId.get(id);
    if (own !== undefined) return own.find(isOpen);
    if (this.#admission.wire.abilities.resultsByName !== true) return undefined;
    return this.#slots.find((slot) => (id === "" || slot.call.name === id) && isOpen(slot));
  }

  #say(nativeRole: string, role: Entry["role"], units: readonly Unit[], source: number): void {
    this.#rest.push({ nativeRole: role === "user" ? "user" : nativeRole, role, units: [...units], sources: [source] });
  }

  /** The result as it is sent: its call's id, a placeholder when empty, capped. */
  #finish(result: Result, call: AdmittedCall): Result {
    const { wire, policy } = this.#admission;
    const unit = call.sentId === result.id ? result : this.#carry(result, wire.withId(result, call.sentId) as Result);
    const cap = policy.resultCap(call.name);
    const from = (): number =>
      policy.lines?.({ id: call.id, name: call.name, arguments: this.#argumentsOf(call) }, unit.text ?? "")?.from ?? 1;
    const shorten = (text: string, tokensMax: number): string => this.#capped(text, tokensMax, { id: call.sentId, tool: call.name }, from);
    if (unit.text === undefined) {
      const block = capWords(unit.block, cap, policy.countText, shorten);
      return block === unit.block ? unit : this.#carry(unit, { ...unit, block });
    }
    const text = unit.text.trim() === "" ? policy.wordings.emptyResult : shorten(unit.text, cap);
    return text === unit.text ? unit : this.#carry(unit, wire.withText(unit, text) as Result);
  }

  /** Rule 13: what a tool said, within the tool's cap. The whole is archived where there is an archive. */
  #capped(text: string, cap: number, { id, tool }: { readonly id: string; readonly tool: string }, from: () => number): string {
    const { archived, countText, wordings } = this.#admission.policy;
    const tokens = countText(text);
    if (tokens <= cap) return text;
    const firstLine = from();
    const reference = archived?.(text, { call: id, tool, from: firstLine });
    this.#admission.counts.resultsCapped.push({ id, tool, tokens, cap, ...(reference === undefined ? {} : { reference }) });
    return capText(text, cap, countText, wordings, { firstLine, reference });
  }

  #argumentsOf(call: AdmittedCall): Value {
    return this.#unitOf(call).value;
  }

  /** The call's own unit, as it was sent; each reply is read once. */
  #unitOf({ sentId }: AdmittedCall): CallUnit {
    if (!this.#callUnits.has(sentId)) {
      const sent = this.#admission.soFar.findCall(sentId)?.entry.sent as ObjectValue;
      for (const unit of this.#admission.wire.read(sent).units) if (unit.kind === "call") this.#callUnits.set(unit.id, unit);
    }
    return this.#callUnits.get(sentId) as CallUnit;
  }

  #carry<U extends Unit>(old: Unit, next: U): U {
    const mark = this.#marks.get(old);
    if (mark !== undefined) this.#marks.set(next, mark);
    return next;
  }

  /** Rule 12: a call that the conversation has moved past gets one result that says why; one that is still pending stops the request. */
  closeCalls(): void {
    const { policy, wire, history, counts } = this.#admission;
    const { deferredResult, missingResult, reasons } = policy.wordings;
    const open = this.#slots.filter(isOpen);
    const pending = new Set(open.map(({ call }) => call).filter((call) => !policy.deferred(call)));
    const movedPast = this.#rest.length > 0 || this.#to < history.length;
    if (!movedPast && pending.size > 0) {
      if (wire.abilities.refusesPendingCalls) throw new PendingCallsError([...pending], [...messagesPlace(wire), history.lead + this.#to]);
      return;
    }
    for (const slot of open) {
      const { call } = slot;
      const isPending = pending.has(call);
      if (isPending) counts.resultsMadeUp.push(call.sentId);
      const text = isPending ? fill(missingResult, { reason: reasons[policy.callReason(call)] }) : deferredResult;
      slot.sent = wire.resultFor(this.#unitOf(call), text) as Result;
    }
  }

  entries(): readonly Entry[] {
    const pieces = this.#pieces();
    const { history, wire, nextId } = this.#admission;
    const stands = { kind: "host", role: "user" } as const;
    if (pieces.length === 0 && this.#to > this.#from)
      return [makeEntry(nextId(), { ...stands, given: history.copies(this.#from, this.#to), sent: null })];
    const given = this.#givenTo(pieces);
    return pieces.map((piece, index) =>
      makeEntry(nextId(), {
        ...stands,
        role: piece.role,
        given: given[index] as readonly ObjectValue[],
        sent: wire.compose(piece.nativeRole, piece.units),
        marks: this.#marksOf(piece),
        said: this.#saidIn(piece),
      }),
    );
  }

  /** What a source said in a message that the host took over from the window (rule 5): it is not said again. */
  #saidIn(piece: Piece): Entry["said"] {
    const { tailEvents, wire } = this.#admission;
    return tailEvents.flatMap((event) => {
      const units = event.sent === null ? [] : wire.read(event.sent).units;
      return units.length > 0 && units.every((unit) => piece.units.some((own) => sameUnit(unit, own))) ? event.said : [];
    });
  }

  #pieces(): readonly Piece[] {
    const pieces = this.#resultPieces();
    const { resultsJoinUserTurn } = this.#admission.wire.abilities;
    for (const [index, said] of this.#rest.entries()) {
      const piece = said.role === "system" ? this.#placed(said, index, pieces.length > 0) : said;
      const last = pieces.at(-1);
      const behindResults = resultsJoinUserTurn && last?.units.some((unit) => unit.kind === "result");
      if (last !== undefined && behindResults && piece.role === "user") {
        last.units.push(...piece.units);
        last.sources.push(...piece.sources);
      } else pieces.push(piece);
    }
    return pieces;
  }

  #resultPieces(): Piece[] {
    const { wire, history } = this.#admission;
    const answered = this.#slots.filter((slot): slot is Answered => slot.sent !== undefined);
    if (answered.length === 0) return [];
    const sourcesOf = (slots: readonly Slot[]): number[] => slots.flatMap(({ source }) => source ?? []);
    const { resultsJoinUserTurn, resultsTogether } = wire.abilities;
    if (resultsJoinUserTurn || resultsTogether === true) {
      const units = [...this.#resultFields, ...answered.map(({ sent }) => sent)];
      return [{ nativeRole: resultsJoinUserTurn ? "user" : "tool", role: "user", units, sources: sourcesOf(answered) }];
    }
    return answered.map((slot) => {
      const nativeRole = slot.source === undefined ? "tool" : history.at(slot.source).reading.nativeRole;
      return { nativeRole, role: "user", units: [slot.sent], sources: sourcesOf([slot]) };
    });
  }

  /** Rule 20: a positional system message stands only where model and wire allow one; elsewhere it is said by the user and keeps its channel. */
  #placed(said: Piece, index: number, behind: boolean): Piece {
    const { wire, profile, policy } = this.#admission;
    const behindUser = behind && this.#rest.slice(index + 1).every((piece) => piece.role === "system");
    const stays = (): boolean =>
      (profile.positionalSystem && (wire.abilities.systemPlace === "anywhere" || behindUser)) ||
      (behindUser && wire.systemStays?.(wire.compose(said.nativeRole, said.units), profile) === true);
    const asUser = saidByUser(wire, said.units, policy.wordings);
    if (asUser === undefined || stays()) return said;
    return { ...said, role: "user", nativeRole: "user", units: [...wire.read(asUser).units] };
  }

  /** Each piece stands for its own messages, and for those behind them that bear nothing, where the orders agree; else the first stands for all of the run. */
  #givenTo(pieces: readonly Piece[]): readonly (readonly ObjectValue[])[] {
    const lists = pieces.map((piece) => [...new Set(piece.sources)].sort((a, b) => a - b));
    const inOrder = lists.flat().every((at, index, all) => index === 0 || at > (all[index - 1] as number));
    const starts = lists.map(([start]) => (inOrder ? start : undefined));
    const first = Math.max(
      starts.findIndex((start) => start !== undefined),
      0,
    );
    const given: (readonly ObjectValue[])[] = [];
    let to = this.#to;
    for (let index = pieces.length - 1; index >= 0; index--) {
      const from = index === first ? this.#from : (starts[index] ?? to);
      given.unshift(this.#admission.history.copies(from, to));
      to = from;
    }
    return given;
  }

  #marksOf(piece: Piece): readonly UnitMark[] {
    return piece.units.flatMap((unit, index) => {
      const mark = this.#marks.get(unit);
      return mark === undefined ? [] : [{ unit: index, mark }];
    });
  }
}

function isOpen({ sent }: Slot): boolean {
  return sent === undefined;
}
