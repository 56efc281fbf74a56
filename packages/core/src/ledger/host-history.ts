import { compareValues } from "../json/compare.ts";
import { type Path, pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue } from "../json/value.ts";
import { InvalidMessageError, InvalidRequestError } from "../wire/errors.ts";
import { messagesPlace } from "../wire/places.ts";
import { visibleKey } from "../wire/reply-envelope.ts";
import type { Reading, Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";

/** `assistant` and `other` alternate; `empty` is a message that bears nothing and is transparent. */
export type Side = "assistant" | "other" | "empty";

export type HostMessage = { readonly copy: ObjectValue; readonly reading: Reading; readonly side: Side };

export type HistoryExtras = {
  /** Native units of replies by the key of their visible blocks (rule 56). */
  readonly envelopes?: ReadonlyMap<string, readonly Unit[]> | undefined;
  /** So many messages were handed over earlier: the session owns them, and their cache marks are no longer the host's. */
  readonly owned?: number;
  /** The messages are private copies already: they are taken as they are, so that a known one is told by being the same object. */
  readonly copies?: boolean;
  /** Replies as they were settled, private copies: one that comes back to the letter is taken as it is. */
  readonly replies?: readonly ObjectValue[];
  /** The host hands over what was kept behind the last landing, and what is new. */
  readonly tail?: boolean;
  /** The first `count` messages are those that a turn's window was made from. */
  readonly made?: { readonly turn: number; readonly count: number } | undefined;
};

const noEnvelopes: ReadonlyMap<string, readonly Unit[]> = new Map();

export type LocatedUnit = { readonly unit: Unit; readonly message: number; readonly index: number };

/**
 * The messages that the host handed over for one request, read as late as possible: comparing an unchanged message needs
 * neither a copy nor a reading.
 */
export class HostHistory {
  readonly messages: readonly unknown[];
  readonly wire: Wire;
  readonly lead: number;
  readonly ignore: readonly string[];
  readonly #owned: number;
  readonly #copies: boolean;
  readonly #replies: readonly ObjectValue[];
  readonly made: HistoryExtras["made"];
  readonly tail: boolean;
  readonly #envelopes: ReadonlyMap<string, readonly Unit[]>;
  readonly #read: Map<number, HostMessage> = new Map();
  #matched: ObjectValue | undefined;
  #matchedAt = -1;

  constructor(wire: Wire, messages: readonly unknown[], lead: number, ignore: readonly string[], extras: HistoryExtras = {}) {
    this.wire = wire;
    this.messages = messages;
    this.lead = lead;
    this.ignore = ignore;
    this.#envelopes = extras.envelopes ?? noEnvelopes;
    this.#owned = extras.owned ?? 0;
    this.#copies = extras.copies ?? false;
    this.#replies = extras.replies ?? [];
    this.made = extras.made;
    this.tail = extras.tail ?? false;
  }

  get length(): number {
    return this.messages.length;
  }

  /** The host's own object, without the metadata that it asked to ignore. */
  given(index: number): unknown {
    const message = this.messages[index];
    return this.ignore.length === 0 ? message : withoutMembers(message, this.ignore);
  }

  /** Whether a message is the same as one that was given before, to the order of its keys. The last match is remembered: two steps in a row ask for it. */
  repeats(index: number, given: ObjectValue): boolean {
    if (given === this.#matched && index === this.#matchedAt) return true;
    if (compareValues(given, this.given(index)) !== "same") return false;
    this.#matched = given;
    this.#matchedAt = index;
    return true;
  }

  at(index: number): HostMessage {
    const known = this.#read.get(index);
    if (known !== undefined) return known;
    const copy = this.#copies ? this.given(index) : (this.#settled(index) ?? copyValue(this.given(index), this.#place(index)));
    if (!isObject(copy)) throw new InvalidRequestError(pathText(this.#place(index)), "a message must be an object");
    const native = this.#native(this.#readAt(index, copy));
    const reading = index < this.#owned ? { ...native, marks: [] } : native;
    const side = reading.units.length === 0 ? "empty" : reading.role === "assistant" ? "assistant" : "other";
    const message: HostMessage = { copy, reading, side };
    this.#read.set(index, message);
    return message;
  }

  #settled(index: number): ObjectValue | undefined {
    return this.#replies.find((reply) => compareValues(reply, this.given(index)) === "same");
  }

  #place(index: number): Path {
    return [...messagesPlace(this.wire), index + this.lead];
  }

  /** An error inside a message names its place in the request. */
  #readAt(index: number, message: ObjectValue): Reading {
    try {
      return this.wire.read(message);
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error;
      throw new InvalidRequestError(`${pathText(this.#place(index))}${error.path?.slice(1) ?? ""}`, error.problem);
    }
  }

  /** A reply whose store kept only the visible blocks is read as its envelope has it. */
  #native(reading: Reading): Reading {
    if (this.#envelopes.size === 0 || reading.role !== "assistant" || reading.units.some((unit) => unit.kind === "reasoning"))
      return reading;
    const units = this.#envelopes.get(visibleKey(reading.units));
    return units === undefined ? reading : { ...reading, units };
  }

  /** The same history from a position on. */
  from(position: number): HostHistory {
    return new HostHistory(this.wire, this.messages.slice(position), this.lead + position, this.ignore, {
      envelopes: this.#envelopes,
      owned: this.#owned - position,
      copies: this.#copies,
      replies: this.#replies,
      tail: this.tail,
    });
  }

  /** A run of messages. */
  run(from: number, to: number): readonly HostMessage[] {
    const messages: HostMessage[] = [];
    for (let index = from; index < to; index++) messages.push(this.at(index));
    return messages;
  }

  /** The private copies of a run of messages. */
  copies(from: number, to: number): readonly ObjectValue[] {
    return this.run(from, to).map(({ copy }) => copy);
  }

  side(index: number): Side {
    return this.at(index).side;
  }

  /** End of the run of messages of one side that starts at `from`; empty ones belong to it. */
  runEnd(from: number, side: Side): number {
    let end = from;
    while (end < this.length && (this.side(end) === side || this.side(end) === "empty")) end += 1;
    return end;
  }

  /** The units of a run of messages, each with the message and the place that it came from. */
  unitsOf(from: number, to: number): readonly LocatedUnit[] {
    const items: LocatedUnit[] = [];
    for (let message = from; message < to; message++) {
      const { units } = this.at(message).reading;
      for (let index = 0; index < units.length; index++) items.push({ unit: units[index] as Unit, message, index });
    }
    return items;
  }

  /** The units alone. */
  readUnits(from: number, to: number): readonly Unit[] {
    if (to - from === 1) return this.at(from).reading.units;
    return this.unitsOf(from, to).map(({ unit }) => unit);
  }

  /** The first position from `from` on that bears something. */
  nextFilled(from: number): number {
    let at = from;
    while (at < this.length && this.side(at) === "empty") at += 1;
    return at;
  }
}

export function withoutMembers(message: unknown, names: readonly string[]): unknown {
  if (typeof message !== "object" || message === null || !names.some((name) => Object.hasOwn(message, name))) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));
}
