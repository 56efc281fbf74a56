import { wellFormed } from "../json/unicode.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import { messagesPlace } from "../wire/places.ts";
import { type Reading, sameUnit, type Unit } from "../wire/unit.ts";
import { type Admission, PendingCallsError } from "./admission.ts";
import { capWords } from "./cap-words.ts";
import { cleanUnit } from "./clean-unit.ts";
import { type AdmittedCall, type Entry, makeEntry, type UnitMark } from "./entry.ts";
import { coversMedium, sendable, type WithheldBy } from "./media-left-out.ts";
import { capText } from "./result-cap.ts";
import { fill } from "./wordings.ts";

/** One message to be sent, with the positions of the given messages that it stands for. */
type Piece = {
  readonly nativeRole: string;
  readonly role: Entry["role"];
  readonly units: Unit[];
  readonly sources: number[];
  readonly joinable: boolean;
};
type Result = Unit & { readonly kind: "result" };
type CallUnit = Unit & { readonly kind: "call" };
type Call = AdmittedCall & { readonly value: Value };

/**
 * Admits what stands behind a row of replies: the results of its calls first, in their order, then what else was said (rules 10 to 13, 20).
 * Returns the history position behind it.
 */
export function admitTurn(admission: Admission, from: number): number {
  const to = admission.history.runEnd(from, "other");
  const turn = new Turn(admission, from, to);
  turn.sort();
  turn.closeCalls(to === admission.history.length);
  admission.soFar.add(...turn.entries());
  return to;
}

/** Calls at the very end of the history, with nothing behind them: deferred ones get their interim results, others are pending. */
export function closeOpenBatch(admission: Admission): void {
  const end = admission.history.length;
  if (admission.soFar.openBatch().length === 0) return;
  const turn = new Turn(admission, end, end);
  turn.closeCalls(true);
  admission.soFar.add(...turn.entries());
}

class Turn {
  readonly #admission: Admission;
  readonly #from: number;
  readonly #to: number;
  readonly #calls: readonly AdmittedCall[];
  readonly #results: (Result | undefined)[];
  readonly #given: (Result | undefined)[];
  readonly #resultSources: (number | undefined)[];
  readonly #rest: Piece[] = [];
  readonly #resultFields: Unit[] = [];
  readonly #marks = new Map<Unit, Value>();
  #callUnits: Map<string, CallUnit> | undefined;
  /** Places of the batch's calls by the host's and the sent id, in order; those that have their results are taken off. */
  readonly #open = new Map<string, number[]>();

  constructor(admission: Admission, from: number, to: number) {
    this.#admission = admission;
    this.#from = from;
    this.#to = to;
    this.#calls = admission.soFar.openBatch();
    this.#results = new Array(this.#calls.length).fill(undefined);
    this.#given = this.#results.slice();
    this.#resultSources = new Array(this.#calls.length).fill(undefined);
    for (let index = 0; index < this.#calls.length; index++) {
      const { id, sentId } = this.#calls[index] as AdmittedCall;
      this.#open.set(id, [...(this.#open.get(id) ?? []), index]);
      if (sentId !== id) this.#open.set(sentId, [...(this.#open.get(sentId) ?? []), index]);
    }
  }

  /** Finds each result's call; what is no result of this batch becomes text. */
  sort(): void {
    for (let at = this.#from; at < this.#to; at++) {
      const { reading } = this.#admission.history.at(at);
      const holdsResults = reading.units.some((unit) => unit.kind === "result");
      const marks = reading.marks.length === 0 ? undefined : new Map(reading.marks.map(({ unit, mark }) => [unit, mark]));
      const said: Unit[] = [];
      for (let index = 0; index < reading.units.length; index++) {
        const mark = marks?.get(index);
        const clean = cleanUnit(reading.units[index] as Unit, this.#admission.policy.redact) as Unit;
        const [first, ...more] = this.#sendable(clean, reading);
        if (mark !== undefined && first !== undefined) this.#marks.set(first, mark);
        if (first?.kind === "result") this.#place(first, at, said);
        else if (first?.kind === "fields" && holdsResults) this.#resultFields.push(first);
        else if (first !== undefined) said.push(first, ...more);
      }
      if (said.length > 0) this.#say(reading.nativeRole, reading.role, said, at);
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
    const own = this.#nextOpen(result.id);
    if (own !== undefined) {
      this.#given[own] = result;
      this.#results[own] = this.#finish(result, this.#calls[own] as AdmittedCall);
      this.#resultSources[own] = source;
      return;
    }
    const text = this.#admission.wire.textOf(result);
    const { wordings } = this.#admission.policy;
    const twice = this.#open.get(result.id)?.[0];
    const earlier = twice !== undefined ? this.#calls[twice] : this.#admission.soFar.findCall(result.id)?.call;
    if (twice !== undefined && sameUnit(this.#given[twice] as Result, result)) {
      counts.resultsDropped.push(result.id);
    } else if (earlier !== undefined) {
      counts.resultsLate.push(result.id);
      said.push(
        ...this.#textUnits(
          fill(wordings.lateResult, {
            id: earlier.sentId,
            name: earlier.name,
            text: this.#cappedSaid(text, earlier.sentId, earlier.name),
          }),
        ),
      );
    } else {
      counts.resultsOrphaned.push(result.id);
      said.push(
        ...this.#textUnits(
          fill(wordings.orphanResult, {
            id: wellFormed(result.id),
            text: this.#cappedSaid(text, wellFormed(result.id), ""),
          }),
        ),
      );
    }
  }

  /** The first call of this id that has no result yet; else, on wires whose results may name a tool or nothing, the first of this tool, or of all. */
  #nextOpen(id: string): number | undefined {
    const isOpen = (index: number): boolean => this.#results[index] === undefined;
    const own = this.#open.get(id)?.find(isOpen);
    if (own !== undefined || this.#open.has(id) || !this.#admission.wire.abilities.resultsByName) return own;
    const index = this.#calls.findIndex(({ name }, at) => (id === "" || name === id) && isOpen(at));
    return index < 0 ? undefined : index;
  }

  #say(nativeRole: string, role: Entry["role"], units: readonly Unit[], source: number): void {
    const spoken = role === "user" ? "user" : nativeRole;
    this.#rest.push({
      nativeRole: spoken,
      role,
      units: [...units],
      sources: [source],
      joinable: !units.some((unit) => unit.kind === "fields"),
    });
  }

  #textUnits(text: string): readonly Unit[] {
    return this.#admission.wire.read(this.#admission.wire.say("user", text)).units;
  }

  /** The result as it is sent: its call's id, a placeholder when empty, capped. */
  #finish(result: Result, call: AdmittedCall): Result {
    const { wire, policy } = this.#admission;
    let unit = result;
    if (call.sentId !== unit.id) unit = this.#carry(unit, wire.withId(unit, call.sentId) as Result);
    const cap = policy.resultCap(call.name);
    const from = (): number =>
      policy.lines?.({ id: call.id, name: call.name, arguments: this.#argumentsOf(call) }, unit.text ?? "")?.from ?? 1;
    const shorten = (text: string, tokensMax: number): string => this.#capped(text, tokensMax, { id: call.sentId, tool: call.name }, from);
    if (unit.text === undefined) {
      const block = cap === undefined ? unit.block : capWords(unit.block, cap, policy.countText, shorten);
      return block === unit.block ? unit : this.#carry(unit, { ...unit, block });
    }
    if (unit.text.trim() === "") return this.#carry(unit, wire.withText(unit, policy.wordings.emptyResult) as Result);
    const capped = cap === undefined ? unit.text : shorten(unit.text, cap);
    return capped === unit.text ? unit : this.#carry(unit, wire.withText(unit, capped) as Result);
  }

  /** Rule 13: what a tool said, within the tool's cap. The whole is archived where there is an archive. */
  #capped(text: string, cap: number, { id, tool }: { readonly id: string; readonly tool: string }, from: () => number): string {
    const { policy, counts } = this.#admission;
    if (text.length <= cap) return text;
    const { archived } = policy;
    const firstLine = from();
    let reference: string | undefined;
    const keep = archived && ((): string => (reference ??= archived(text, { call: id, tool, from: firstLine })));
    const capped = capText(text, cap, policy.countText, policy.wordings, { firstLine, ...(keep && { reference: keep }) });
    if (capped === text) return text;
    counts.resultsCapped.push({ id, tool, tokens: policy.countText(text), cap, ...(reference === undefined ? {} : { reference }) });
    return capped;
  }

  #cappedSaid(text: string, id: string, tool: string): string {
    const cap = this.#admission.policy.resultCap(tool);
    return cap === undefined ? text : this.#capped(text, cap, { id, tool }, () => 1);
  }

  #argumentsOf(call: AdmittedCall): Value {
    return this.#unitOf(call)?.value ?? null;
  }

  /** The call's own unit, as it was sent; each reply is read once. */
  #unitOf(call: AdmittedCall): CallUnit | undefined {
    this.#callUnits ??= new Map();
    if (!this.#callUnits.has(call.sentId)) {
      const sent = this.#admission.soFar.findCall(call.sentId)?.entry.sent;
      for (const unit of sent == null ? [] : this.#admission.wire.read(sent).units)
        if (unit.kind === "call") this.#callUnits.set(unit.id, unit);
    }
    return this.#callUnits.get(call.sentId);
  }

  #carry<U extends Unit>(old: Unit, next: U): U {
    const mark = this.#marks.get(old);
    if (mark !== undefined) this.#marks.set(next, mark);
    return next;
  }

  /** Rule 12: a call that the conversation has moved past gets one result that says why; one that is still pending stops the request. */
  closeCalls(atEnd: boolean): void {
    if (!this.#results.includes(undefined)) return;
    const { policy, wire, counts } = this.#admission;
    const open = this.#calls.flatMap((call, index) => (this.#results[index] === undefined ? [{ call, index }] : []));
    const late = open.filter(({ call }) => policy.deferred(call));
    const movedPast = this.#rest.length > 0 || !atEnd;
    const pending = open.filter(({ call }) => !policy.deferred(call));
    if (!movedPast && pending.length > 0) {
      if (wire.abilities.refusesPendingCalls)
        throw new PendingCallsError(
          pending.map(({ call }) => call),
          [...messagesPlace(wire), this.#admission.history.lead + this.#to],
        );
      return;
    }
    for (const { call, index } of late) this.#results[index] = this.#madeUp(call, policy.wordings.deferredResult);
    for (const { call, index } of pending) {
      counts.resultsMadeUp.push(call.sentId);
      this.#results[index] = this.#madeUp(
        call,
        fill(policy.wordings.missingResult, { reason: policy.wordings.reasons[policy.callReason(call)] }),
      );
    }
  }

  #madeUp(call: AdmittedCall, text: string): Result {
    const unit: Call & { kind: "call"; block: ObjectValue } = {
      ...call,
      id: call.sentId,
      kind: "call",
      value: null,
      block: Object.freeze({}),
    };
    return this.#admission.wire.resultFor(this.#unitOf(call) ?? unit, text) as Result;
  }

  entries(): readonly Entry[] {
    const pieces = this.#pieces();
    if (pieces.length === 0) return this.#to > this.#from ? [this.#unsent()] : [];
    const sources = this.#assignSources(pieces);
    return pieces.map((piece, index) =>
      makeEntry(this.#admission.nextId(), {
        kind: "host",
        role: piece.role,
        given: (sources[index] as readonly number[]).map((at) => this.#admission.history.at(at).copy),
        sent: this.#admission.wire.compose(piece.nativeRole, piece.units),
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

  #unsent(): Entry {
    const given = this.#admission.history.copies(this.#from, this.#to);
    return makeEntry(this.#admission.nextId(), { kind: "host", role: "user", given, sent: null });
  }

  #pieces(): readonly Piece[] {
    const pieces = this.#resultPieces();
    const { abilities } = this.#admission.wire;
    for (let index = 0; index < this.#rest.length; index++) {
      const said = this.#rest[index] as Piece;
      const piece = said.role === "system" ? this.#placed(said, index, pieces.length > 0) : said;
      const last = pieces.at(-1);
      const behindResults = abilities.resultsJoinUserTurn && pieces.length === 1 && last?.units.some((unit) => unit.kind === "result");
      const isNeighbour = abilities.refusesNeighbours === true && last?.role === "user";
      if (last !== undefined && (behindResults || isNeighbour) && piece.role === "user" && piece.joinable) {
        last.units.push(...piece.units);
        last.sources.push(...piece.sources);
      } else pieces.push(piece);
    }
    return pieces;
  }

  #resultPieces(): Piece[] {
    const { wire, history } = this.#admission;
    const units = this.#results.filter((unit) => unit !== undefined);
    if (units.length === 0) return [];
    const { resultsJoinUserTurn, resultsTogether } = wire.abilities;
    if (resultsJoinUserTurn || resultsTogether === true) {
      return [
        {
          nativeRole: resultsJoinUserTurn ? "user" : "tool",
          role: "user",
          units: [...this.#resultFields.slice(0, 1), ...units],
          sources: this.#resultSources.filter((source) => source !== undefined),
          joinable: resultsJoinUserTurn,
        },
      ];
    }
    return this.#results.flatMap((unit, index) => {
      if (unit === undefined) return [];
      const source = this.#resultSources[index];
      const nativeRole = source === undefined ? "tool" : history.at(source).reading.nativeRole;
      return [{ nativeRole, role: "user" as const, units: [unit], sources: source === undefined ? [] : [source], joinable: false }];
    });
  }

  /** Rule 20: a positional system message stands only where model and wire allow one; elsewhere it is said by the user and keeps its channel. */
  #placed(said: Piece, index: number, behind: boolean): Piece {
    const { wire, profile, policy } = this.#admission;
    const rest = this.#rest.slice(index + 1);
    const anywhere = wire.abilities.systemPlace === "anywhere";
    const behindUser =
      (behind || this.#rest.slice(0, index).some((piece) => piece.role === "user")) && rest.every((piece) => piece.role === "system");
    const bearsNoText = said.units.every((unit) => unit.kind === "fields" || unit.kind === "other");
    if (bearsNoText || (profile.positionalSystem && (anywhere || behindUser))) return said;
    if (behindUser && wire.systemStays?.(wire.compose(said.nativeRole, said.units), profile) === true) return said;
    const text = said.units
      .filter((unit) => unit.kind !== "fields")
      .map((unit) => wire.textOf(unit))
      .join("\n");
    return {
      ...said,
      role: "user",
      nativeRole: "user",
      units: [...this.#textUnits(fill(policy.wordings.systemAsUser, { text }))],
      joinable: true,
    };
  }

  /** Each piece stands for its own messages where the orders agree; else the first stands for all of the run. */
  #assignSources(pieces: readonly Piece[]): readonly (readonly number[])[] {
    if (pieces.length === 1) return [this.#all()];
    const lists = pieces.map((piece) => [...new Set(piece.sources)].sort((a, b) => a - b));
    let next = this.#from;
    for (const list of lists) {
      for (const at of list) {
        if (at < next) return lists.map((_, index) => (index === 0 ? this.#all() : []));
        next = at + 1;
      }
    }
    const owner = new Map(lists.flatMap((list, index) => list.map((at) => [at, index] as const)));
    let current = Math.max(
      lists.findIndex((list) => list.length > 0),
      0,
    );
    const assigned: number[][] = lists.map(() => []);
    for (const at of this.#all()) {
      current = owner.get(at) ?? current;
      assigned[current]?.push(at);
    }
    return assigned;
  }

  #all(): number[] {
    const all: number[] = [];
    for (let at = this.#from; at < this.#to; at++) all.push(at);
    return all;
  }

  #marksOf(piece: Piece): readonly UnitMark[] {
    if (this.#marks.size === 0) return [];
    return piece.units.flatMap((unit, index) => {
      const mark = this.#marks.get(unit);
      return mark === undefined ? [] : [{ unit: index, mark }];
    });
  }
}
