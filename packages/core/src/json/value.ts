import { TidemarkError } from "./error.ts";
import { type Path, pathText } from "./path.ts";

/** What Tidemark keeps: JSON, and bytes where a host hands bytes over. Deeply frozen, made by {@link copyValue} only. */
export type Value = null | boolean | number | string | Uint8Array | readonly Value[] | ObjectValue;
/** An object of the value domain. Absent and `undefined` members are the same thing: absent. */
export type ObjectValue = { readonly [name: string]: Value };

/** Levels of nesting that a value may have; a request of a real agent has about twelve. */
export const levelsMax = 512;

/** From this level on a value is looked for among its holders: a cycle must not be walked round for all of {@link levelsMax}. */
const cycleLevel = 24;
/** Holes that an array may have. One with more has no size that its length tells. */
const holesMax = 10_000;

/**
 * The host handed over something that has no JSON form. `path` says where. Codes: `value-cycle`, `value-depth`, `value-type`, and `value-unreadable` for what
 * throws when it is read: a getter, a `toJSON`, a proxy; its own error is the `cause`.
 */
export class ValueError extends TidemarkError {}

export function isObject(value: unknown): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isBytes(value);
}

/** To ask for its class walks up the prototypes of an object; whether it is a view of bytes at all is seen at once. */
export function isBytes(value: object): value is Uint8Array {
  return ArrayBuffer.isView(value) && value instanceof Uint8Array;
}

export function isArray(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/**
 * A private, deeply frozen copy that shares its strings with the original, so that comparing with an unchanged original
 * is a pointer comparison a string. `undefined` members are left out, `toJSON` is honoured once, a URL is its string.
 *
 * @throws {ValueError} for bigint, functions, symbols, non-finite numbers, cycles, more than {@link levelsMax} levels, sparse arrays, and what throws when it is read.
 */
export function copyValue(value: unknown, path: Path = []): Value {
  if (typeof value === "object" && value !== null && kept.has(value)) return value as Value;
  const walk: Walk = { base: path, steps: [], holders: [] };
  try {
    return copyAt(value, walk);
  } catch (error) {
    throw error instanceof ValueError
      ? error
      : refuse(walk, "value-unreadable", "this throws when it is read; hand over plain data", error);
  }
}

/** Copies that are handed over as they are, again and again. */
const kept = new WeakSet<object>();

/** A copy that is a copy of itself: what is given of it once is compared as one object from then on, and held once. For values that come to Tidemark as text, and are nobody else's. */
export function keptValue(value: unknown, path: Path): Value {
  const copy = copyValue(value, path);
  if (typeof copy === "object" && copy !== null) kept.add(copy);
  return copy;
}

type Walk = { readonly base: Path; readonly steps: (string | number)[]; readonly holders: object[] };

function copyAt(given: unknown, walk: Walk): Value {
  const value = readable(given);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refuse(walk, "value-type", `${value} has no JSON form`);
    return value;
  }
  if (typeof value !== "object") throw refuse(walk, "value-type", `a ${typeof value} has no JSON form`);
  // Not `slice`: a Buffer's goes on sharing its bytes with the host.
  if (isBytes(value)) return new Uint8Array(value);
  if (walk.holders.length >= cycleLevel) checkLevel(walk, value);
  walk.holders.push(value);
  const copy = Array.isArray(value) ? copyArray(value, walk) : copyObject(value as Record<string, unknown>, walk);
  walk.holders.pop();
  return Object.freeze(copy);
}

/** The value as JSON reads it: `toJSON` is asked once, holes and `undefined` in arrays are null. */
export function readable(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || isBytes(value)) return value;
  const asked = (value as { toJSON?: unknown }).toJSON;
  return typeof asked === "function" ? (asked.call(value) ?? null) : value;
}

/** Made at its full length: an array that grows by pushes keeps room for more, ten times what a message needs. */
function copyArray(value: readonly unknown[], walk: Walk): Value[] {
  checkHoles(value, walk);
  const copy = new Array<Value>(value.length);
  for (let index = 0; index < copy.length; index++) {
    const item = value[index];
    copy[index] = typeof item === "string" ? shared(item) : copyMember(item, index, walk);
  }
  return copy;
}

/** Spread makes the object with as many slots as it has members, adding them one by one leaves room for more. */
function copyObject(value: Readonly<Record<string, unknown>>, walk: Walk): ObjectValue {
  const copy = { ...value } as Record<string, Value>;
  let absent = Object.getOwnPropertySymbols(copy).length > 0;
  for (const name of Object.keys(copy)) {
    const member = copy[name] as unknown;
    if (typeof member === "string") copy[name] = shared(member);
    else if (member === undefined) absent = true;
    else if (typeof member !== "boolean" && member !== null) copy[name] = copyMember(member, name, walk);
  }
  return absent ? withoutAbsent(copy) : copy;
}

function withoutAbsent(copy: Readonly<Record<string, Value | undefined>>): ObjectValue {
  const present: Record<string, Value> = {};
  for (const name of Object.keys(copy)) if (copy[name] !== undefined) setMember(present, name, copy[name]);
  return present;
}

function copyMember(member: unknown, step: string | number, walk: Walk): Value {
  walk.steps.push(step);
  const copy = copyAt(member, walk);
  walk.steps.pop();
  return copy;
}

/** Words that are said in every message, such as types and roles: one string each. What is longer may be a slice that holds on to a whole text. */
const words = new Map<string, string>();
const wordLengthMax = 12;
const wordsMax = 500;

function shared(text: string): string {
  if (text.length > wordLengthMax) return text;
  const known = words.get(text);
  if (known === undefined && words.size < wordsMax) words.set(text, text);
  return known ?? text;
}

/** Sets a member as data, also one that is called `__proto__`. */
export function setMember(target: Record<string, Value>, name: string, value: Value): void {
  if (name === "__proto__") Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

function checkLevel(walk: Walk, value: object): void {
  const near: Walk = { ...walk, steps: walk.steps.slice(0, 12) };
  if (walk.holders.includes(value)) throw refuse(near, "value-cycle", "the value holds itself; hand over plain data");
  if (walk.holders.length >= levelsMax) throw refuse(near, "value-depth", `more than ${levelsMax} levels of nesting`);
}

/**
 * Refuses an array whose length is far beyond what it holds: a few bytes that would take up gigabytes.
 *
 * @throws {ValueError} `value-type`
 */
export function refuseSparse(list: readonly unknown[], path: Path): void {
  checkHoles(list, { base: path, steps: [], holders: [] });
}

function checkHoles(list: readonly unknown[], walk: Walk): void {
  if (list.length <= holesMax) return;
  let holes = 0;
  for (let index = 0; index < list.length; index++) {
    if (!(index in list)) holes += 1;
    if (holes > holesMax) throw refuse(walk, "value-type", "a sparse array has no JSON form; fill it or cut its length");
  }
}

function refuse(walk: Walk, code: string, problem: string, cause?: unknown): ValueError {
  const path = pathText([...walk.base, ...walk.steps]);
  return new ValueError(code, `${path}: ${problem}.`, { path, cause });
}

/** Freezes a value that was put together from frozen parts. */
export function freezeValue<V extends Value>(value: V): V {
  if (typeof value === "object" && value !== null && !isBytes(value) && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) freezeValue(member as Value);
    Object.freeze(value);
  }
  return value;
}
