import { compareValues, sameValue } from "../json/compare.ts";
import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Reading, Unit } from "./unit.ts";
import { sameUnit } from "./unit.ts";
import type { Lens } from "./value-changes.ts";
import type { Wire } from "./wire.ts";

/** Readings of messages, each made once. A message that the wire cannot read has none and is known by its value alone. */
export interface MessageReader {
  read(message: ObjectValue): Reading | undefined;
  /** Whether the provider reads two messages alike (rule 4). */
  same(a: ObjectValue, b: ObjectValue): boolean;
}

export function messageReader(wire: Pick<Wire, "read">): MessageReader {
  const readings = new Map<ObjectValue, Reading | undefined>();
  const read = (message: ObjectValue): Reading | undefined => {
    if (!readings.has(message)) readings.set(message, readOrNot(wire, message));
    return readings.get(message);
  };
  const same = (a: ObjectValue, b: ObjectValue): boolean => compareValues(a, b) !== "different" || sameReading(read(a), read(b));
  return { read, same };
}

function readOrNot(wire: Pick<Wire, "read">, message: ObjectValue): Reading | undefined {
  try {
    return wire.read(message);
  } catch {
    return undefined;
  }
}

export function sameReading(a: Reading | undefined, b: Reading | undefined): boolean {
  return a !== undefined && b !== undefined && a.nativeRole === b.nativeRole && sameUnits(a.units, b.units);
}

/** Whether two runs of units are read alike: the same units in the same order, but for results that stand together. */
export function sameUnits(a: readonly Unit[], b: readonly Unit[]): boolean {
  return a.length === b.length && startsWithUnits(a, b);
}

/** Whether the units of `b` begin with all of `a`. */
export function startsWithUnits(a: readonly Unit[], b: readonly Unit[]): boolean {
  let at = 0;
  while (at < a.length) {
    const results = resultsAt(a, at);
    if (results === 0) {
      if (b[at] === undefined || !sameUnit(a[at] as Unit, b[at] as Unit)) return false;
      at += 1;
    } else if (sameSet(a.slice(at, at + results), b.slice(at, at + results))) at += results;
    else return false;
  }
  return true;
}

function resultsAt(units: readonly Unit[], from: number): number {
  let to = from;
  while (units[to]?.kind === "result") to += 1;
  return to - from;
}

function sameSet(a: readonly Unit[], b: readonly Unit[]): boolean {
  const left = [...b];
  return a.every((unit) => {
    const index = left.findIndex((other) => sameUnit(unit, other));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** What the walk through two native messages has to know of the wire, from their readings. */
export function lensOf(readings: readonly (Reading | undefined)[]): Lens {
  const marks: Value[] = [];
  const ids = new Set<string>();
  for (const reading of readings) {
    for (const { mark } of reading?.marks ?? []) marks.push(mark);
    for (const unit of reading?.units ?? []) if (unit.kind === "result") ids.add(unit.id);
  }
  return { isMark: (value) => isObject(value) && marks.some((mark) => sameValue(mark, value)), identity: (element) => idIn(element, ids) };
}

function idIn(element: Value, ids: ReadonlySet<string>): string | undefined {
  if (!isObject(element) || ids.size === 0) return undefined;
  return Object.values(element).find((member): member is string => typeof member === "string" && ids.has(member));
}
