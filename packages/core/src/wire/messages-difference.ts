import { compareValues } from "../json/compare.ts";
import type { Path } from "../json/path.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Difference, DifferenceClass, DifferenceStrength, FoundDifference } from "./difference.ts";
import { lensOf, type MessageReader, messageReader, sameReading, sameUnits, startsWithUnits } from "./message-reader.ts";
import { mergesTurns, messagesPlace } from "./places.ts";
import { relationAt } from "./sequence-relation.ts";
import type { Unit } from "./unit.ts";
import { changesBetween } from "./value-changes.ts";
import type { Wire } from "./wire.ts";

export type MessagesDifferenceOptions = {
  readonly strength: DifferenceStrength;
  /** Compare `previous[0..to)` only; the default is all of it. */
  readonly to?: number;
  /** Added to the indices in `path` and `at`: how many leading native messages belong to the head. */
  readonly offset?: number;
};

/**
 * The first place where `next` does not go on as `previous` was; undefined when it repeats all of it. Indices count native messages of
 * `previous`, for an insertion those of `next`. `strength: "bytes"` sees everything, key order too; `"provider"` only what the
 * provider reads. Cost: one comparison of the values up to the difference.
 */
export function messagesDifference(
  wire: Wire,
  previous: readonly ObjectValue[],
  next: readonly ObjectValue[],
  options: MessagesDifferenceOptions,
): Difference | undefined {
  const found = findMessagesDifference(wire, previous, next, options);
  return found === undefined ? undefined : { path: found.path, class: found.class, at: found.at };
}

/** The same, with the values at the place. */
export function findMessagesDifference(
  wire: Wire,
  previous: readonly ObjectValue[],
  next: readonly ObjectValue[],
  options: MessagesDifferenceOptions,
): FoundDifference | undefined {
  const to = Math.min(options.to ?? previous.length, previous.length);
  const search: Search = { wire, reader: messageReader(wire), previous, next, to, offset: options.offset ?? 0 };
  const place = options.strength === "bytes" ? firstOtherBytes(search) : firstOtherReading(search);
  return place === undefined ? undefined : differenceAt(search, place, options.strength);
}

type Search = {
  readonly wire: Wire;
  readonly reader: MessageReader;
  readonly previous: readonly ObjectValue[];
  readonly next: readonly ObjectValue[];
  readonly to: number;
  readonly offset: number;
};

/** A message of the previous list and the one that stands for it in the next. */
type Pair = { readonly p: number; readonly n: number };

function firstOtherBytes({ previous, next, to }: Search): Pair | undefined {
  for (let index = 0; index < to; index++) {
    if (index >= next.length || compareValues(previous[index] as Value, next[index]) !== "same") return { p: index, n: index };
  }
  return undefined;
}

function firstOtherReading(search: Search): Pair | undefined {
  let place: Pair = { p: 0, n: 0 };
  while (place.p < search.to) {
    const after = pastSameTurn(search, place);
    if (after === undefined) return place;
    place = after;
  }
  return undefined;
}

/** The places behind the messages that are read alike; undefined where they are not. */
function pastSameTurn(search: Search, { p, n }: Pair): Pair | undefined {
  const { previous, next, reader } = search;
  if (n >= next.length) return undefined;
  if (reader.same(previous[p] as ObjectValue, next[n] as ObjectValue)) return { p: p + 1, n: n + 1 };
  const before = runFrom(search, previous, p, search.to);
  const after = runFrom(search, next, n, next.length);
  if (before === undefined || after === undefined || before.nativeRole !== after.nativeRole) return undefined;
  if (sameUnits(before.units, after.units)) return { p: before.to, n: after.to };
  const isTail = mergesTurns(search.wire) && before.to === search.to;
  return isTail && startsWithUnits(before.units, after.units) ? { p: before.to, n: after.to } : undefined;
}

type Run = { readonly units: readonly Unit[]; readonly nativeRole: string; readonly to: number };

/** Messages that the provider reads as one turn: neighbours of one role where it merges them, else the results of one batch. */
function runFrom(search: Search, list: readonly ObjectValue[], from: number, end: number): Run | undefined {
  const first = search.reader.read(list[from] as ObjectValue);
  if (first === undefined) return undefined;
  const joins = mergesTurns(search.wire) ? first.role !== "system" && !first.units.some(isFields) : first.units.every(isResult);
  const units = [...first.units];
  let to = from + 1;
  while (joins && to < end) {
    const reading = search.reader.read(list[to] as ObjectValue);
    if (reading === undefined || reading.nativeRole !== first.nativeRole) break;
    if (mergesTurns(search.wire) ? reading.units.some(isFields) : !reading.units.every(isResult)) break;
    units.push(...reading.units);
    to += 1;
  }
  return { units, nativeRole: first.nativeRole, to };
}

function isFields(unit: Unit): boolean {
  return unit.kind === "fields";
}

function isResult(unit: Unit): boolean {
  return unit.kind === "result";
}

function differenceAt(search: Search, place: Pair, strength: DifferenceStrength): FoundDifference {
  const { p, n } = strength === "provider" ? sameResult(search, place) : place;
  const before = search.previous[p] as ObjectValue;
  const after = search.next[n];
  if (after === undefined) return atMessage(search, { p, n }, "removal");
  if (!answersSameCall(search, before, after)) {
    const relation = relationAt(
      { items: search.previous, at: p, to: search.to },
      { items: search.next, at: n, to: search.next.length },
      search.reader.same,
    );
    if (relation !== "edit" && !search.reader.same(before, after)) return atMessage(search, { p, n }, relation);
  }
  return insideMessage(search, { p, n }, strength);
}

/** Where results came in another order: the first one whose partner differs, with that partner. Of several results of one call the first is the first one's. */
function sameResult(search: Search, place: Pair): Pair {
  const before = runFrom(search, search.previous, place.p, search.to);
  const after = runFrom(search, search.next, place.n, search.next.length);
  if (mergesTurns(search.wire) || before === undefined || after === undefined) return place;
  const places = new Map<string | undefined, number[]>();
  for (let n = place.n; n < after.to; n++) {
    const id = resultId(search, search.next[n] as ObjectValue);
    const known = places.get(id);
    if (known !== undefined) known.push(n);
    else if (id !== undefined) places.set(id, [n]);
  }
  for (let p = place.p; p < before.to; p++) {
    const n = places.get(resultId(search, search.previous[p] as ObjectValue))?.shift();
    if (n === undefined) return place;
    if (!search.reader.same(search.previous[p] as ObjectValue, search.next[n] as ObjectValue)) return { p, n };
  }
  return place;
}

function answersSameCall(search: Search, before: ObjectValue, after: ObjectValue): boolean {
  const id = resultId(search, before);
  return id !== undefined && id === resultId(search, after);
}

/** The call that a message answers, where it answers one and holds nothing else. */
function resultId(search: Search, message: ObjectValue): string | undefined {
  const units = search.reader.read(message)?.units;
  const unit = units?.length === 1 ? units[0] : undefined;
  return unit?.kind === "result" ? unit.id : undefined;
}

function atMessage(search: Search, { p, n }: Pair, kind: DifferenceClass): FoundDifference {
  const at = (kind === "insertion" ? n : p) + search.offset;
  return {
    path: messagePath(search, at),
    class: kind,
    at,
    nextAt: n + search.offset,
    previous: kind === "insertion" ? undefined : search.previous[p],
    next: kind === "removal" ? undefined : search.next[n],
  };
}

function messagePath(search: Search, at: number): Path {
  return [...messagesPlace(search.wire), at];
}

/** The first change inside a message; for the provider, the first one that alone makes the message read otherwise. */
function insideMessage(search: Search, pair: Pair, strength: DifferenceStrength): FoundDifference {
  const before = search.previous[pair.p] as ObjectValue;
  const after = search.next[pair.n] as ObjectValue;
  const at = pair.p + search.offset;
  const reading = search.reader.read(before);
  const lens = lensOf([reading, search.reader.read(after)]);
  for (const change of changesBetween(before, after, lens, messagePath(search, at))) {
    if (strength === "provider" && isUnread(search, reading, change.patched() as ObjectValue)) continue;
    return { path: change.path, class: change.class, at, nextAt: pair.n + search.offset, previous: change.previous, next: change.next };
  }
  return atMessage(search, pair, "edit");
}

function isUnread(search: Search, reading: ReturnType<MessageReader["read"]>, patched: ObjectValue): boolean {
  return sameReading(reading, search.reader.read(patched));
}
