import { isArray, isBytes, isObject, type ObjectValue, readable, type Value } from "./value.ts";

/** `same`: also the keys stand in the same order. `reordered`: the same value, keys in another order. `different`: another value. */
export type Comparison = "same" | "reordered" | "different";

/**
 * Compares a kept value with whatever a host hands over, without copying or hashing it. Cost: one pointer comparison a
 * string that is shared, one pass over the nodes.
 */
export function compareValues(kept: Value, given: unknown): Comparison {
  if (kept === given) return "same";
  const room = free;
  try {
    return compareAt(kept, given, walksMeetStrangers() ? namesMax : room);
  } finally {
    free = room;
  }
}

/** Of two that are not the same object or leaf. `room`: from where on {@link names} and {@link values} are free. */
function compareAt(kept: Value, given: unknown, room: number): Comparison {
  if (typeof kept !== "object" || kept === null || typeof given !== "object" || given === null) return compareLeaves(kept, given);
  if (isArray(kept)) return compareArrays(kept, given, room);
  if (isBytes(kept)) return sameBytes(kept, readable(given)) ? "same" : "different";
  return Object.getPrototypeOf(given) === Object.prototype
    ? compareObjects(kept as ObjectValue, given as Record<string, unknown>, room)
    : compareOddObjects(kept as ObjectValue, given);
}

/** Whether two values are the same, whatever the order of their keys. */
export function sameValue(kept: Value | undefined, given: unknown): boolean {
  return kept === undefined || given === undefined ? kept === given : compareValues(kept, given) !== "different";
}

function compareLeaves(kept: Value, given: unknown): Comparison {
  const value = typeof given === "object" || given === undefined ? readable(given) : given;
  if (value === kept) return "same";
  return typeof value === "object" && value !== null && value !== given ? compareValues(kept, value) : "different";
}

function compareArrays(kept: readonly Value[], host: object, room: number): Comparison {
  const given = Array.isArray(host) && (host as { readonly toJSON?: unknown }).toJSON === undefined ? host : readable(host);
  if (!Array.isArray(given)) return "different";
  if (given.length !== kept.length) return "different";
  let result: Comparison = "same";
  for (let index = 0; index < kept.length; index++) {
    const own = kept[index] as Value;
    const other: unknown = given[index];
    if (own === other) continue;
    const item = compareAt(own, other, room);
    if (item === "different") return item;
    if (item === "reordered") result = item;
  }
  return result;
}

/**
 * Names and members of the kept objects that are being compared, each one's behind its holder's: to make a list for every object costs as much as comparing it, and
 * a member is read at once where an object is walked, while to look it up by a name takes a search.
 */
const names: string[] = [];
const values: Value[] = [];
const namesMax = 1_000;
/** From where on they are free for a comparison that begins inside another: of what a `toJSON` gives, or by a host's own getter. */
let free = 0;

function compareObjects(kept: ObjectValue, given: Record<string, unknown>, room: number): Comparison {
  let end = room;
  for (const name in kept) {
    if (end === namesMax) return compareUnordered(kept, given);
    names[end] = name;
    values[end++] = kept[name] as Value;
  }
  free = end;
  let at = room;
  let result: Comparison = "same";
  for (const name in given) {
    if (at === end || names[at] !== name) return compareUnordered(kept, given);
    const own = values[at++] as Value;
    const other = given[name];
    if (own === other) continue;
    if (other === undefined) return compareUnordered(kept, given);
    const member = compareAt(own, other, end);
    if (member === "different") return Object.hasOwn(given, "toJSON") ? compareUnordered(kept, given) : member;
    if (member === "reordered") result = member;
  }
  return at === end ? result : compareUnordered(kept, given);
}

const plain: object = Object.freeze({});

/** Whether someone gave `Object.prototype` an enumerable member: walking an object then meets names that are not its own. */
function walksMeetStrangers(): boolean {
  for (const _name in plain) return true;
  return false;
}

function compareOddObjects(kept: ObjectValue, given: object): Comparison {
  const value = readable(given);
  if (!isObject(value) || value instanceof Map || value instanceof Set) return "different";
  return compareUnordered(kept, value as Record<string, unknown>);
}

/** The slow path: keys in another order, members that are `undefined`, objects with `toJSON`. */
function compareUnordered(kept: ObjectValue, host: Record<string, unknown>): Comparison {
  const given = readable(host);
  if (!isObject(given)) return "different";
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const keptNames = Object.keys(kept);
  if (names.length !== keptNames.length) return "different";
  let result: Comparison = "same";
  for (let index = 0; index < keptNames.length; index++) {
    const name = keptNames[index] as string;
    if (!Object.hasOwn(given, name)) return "different";
    const member = compareValues(kept[name] as Value, given[name]);
    if (member === "different") return member;
    if (member === "reordered" || names[index] !== name) result = "reordered";
  }
  return result;
}

function sameBytes(kept: Uint8Array, given: unknown): boolean {
  if (!(given instanceof Uint8Array) || given.length !== kept.length) return false;
  for (let index = 0; index < kept.length; index++) if (kept[index] !== given[index]) return false;
  return true;
}
