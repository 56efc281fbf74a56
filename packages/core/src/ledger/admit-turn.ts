import type { ObjectValue, Value } from "../json/value.ts";
import { type Reading, sameUnit, type Unit } from "../wire/unit.ts";
import type { Admission } from "./admission.ts";
import { type Answered, Batch } from "./batch.ts";
import { cleanUnit } from "./clean-unit.ts";
import { type Entry, makeEntry, type UnitMark } from "./entry.ts";
import { saidByUser } from "./forms.ts";
import { coversMedium, sendable, type WithheldBy } from "./media-left-out.ts";

/** One message to be sent, with the positions of the given messages that it stands for. */
type Piece = {
  readonly nativeRole: string;
  readonly role: Entry["role"];
  readonly units: Unit[];
  readonly sources: number[];
};

/**
 * Admits what stands behind a row of replies: the results of its calls first, in their order, then what else was said (rules 10 to 13, 20). Behind calls at the very end of the history
 * that is nothing: deferred ones get their interim results, others are pending.
 * Returns the history position behind it.
 */
export function admitTurn(admission: Admission, from: number): number {
  const to = admission.history.runEnd(from, "other");
  const turn = new Turn(admission, from, to);
  turn.sort();
  admission.soFar.add(...turn.entries());
  return to;
}

class Turn {
  readonly #admission: Admission;
  readonly #from: number;
  readonly #to: number;
  readonly #batch: Batch;
  readonly #rest: Piece[] = [];
  readonly #resultFields: Unit[] = [];
  readonly #marks = new Map<Unit, Value>();

  constructor(admission: Admission, from: number, to: number) {
    this.#admission = admission;
    this.#from = from;
    this.#to = to;
    this.#batch = new Batch(admission, this.#marks);
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
        for (const unit of units) said.push(...(unit.kind === "result" ? this.#batch.answer(unit, at) : [unit]));
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

  #say(nativeRole: string, role: Entry["role"], units: readonly Unit[], source: number): void {
    this.#rest.push({ nativeRole: role === "user" ? "user" : nativeRole, role, units: [...units], sources: [source] });
  }

  entries(): readonly Entry[] {
    const pieces = this.#pieces();
    const { wire, nextId } = this.#admission;
    const given = this.#givenTo(pieces);
    return pieces.map((piece, index) =>
      makeEntry(nextId(), {
        kind: "host",
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
      const { units } = wire.read(event.sent as ObjectValue);
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
    const movedPast = this.#rest.length > 0 || this.#to < history.length;
    const answered = this.#batch.close(movedPast, history.lead + this.#to);
    if (answered.length === 0) return [];
    const sourcesOf = (slots: readonly Answered[]): number[] => slots.flatMap(({ source }) => source ?? []);
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
