import { isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";

/**
 * A native object in the wire's key order: the named members first, unknown ones sorted behind them. What lies inside stays as received. Google's
 * JSON reads a name in snake_case like the one in camelCase, and null like absent; both are laid out as the wire writes them. The same object
 * when it is laid out already.
 */
export function laidOut(object: ObjectValue, order: readonly string[]): ObjectValue {
  const own = Object.keys(object);
  const known = order.filter((name) => memberOf(object, name) !== undefined);
  const unknown = own.filter((name) => object[name] !== null && !order.includes(camelCase(name))).toSorted();
  const wanted = [...known, ...unknown];
  if (wanted.length === own.length && wanted.every((name, at) => name === own[at])) return object;
  const laid: Record<string, Value> = {};
  for (const name of known) setMember(laid, name, memberOf(object, name) as Value);
  for (const name of unknown) setMember(laid, name, object[name] as Value);
  return Object.freeze(laid);
}

/** The name under which an object has a member: as the wire writes it, or in snake_case. */
export function nameIn(object: ObjectValue, name: string): string {
  if (Object.hasOwn(object, name)) return name;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(object, snake) ? snake : name;
}

/** A member under either of its names; null is absent. */
export function memberOf(object: ObjectValue, name: string): Value | undefined {
  return object[nameIn(object, name)] ?? undefined;
}

/** The object without a member; the same one when it has none. */
export function without(object: ObjectValue, name: string): ObjectValue {
  if (!Object.hasOwn(object, name)) return object;
  const { [name]: _left, ...rest } = object;
  return Object.freeze(rest);
}

/** The object with another member in the place of its own; the same one when it is equal to it. */
export function withMember(object: ObjectValue, name: string, value: Value): ObjectValue {
  return object[name] === value ? object : Object.freeze({ ...object, [name]: value });
}

export function objectIn(object: ObjectValue, name: string): ObjectValue | undefined {
  const member = object[name];
  return isObject(member) ? member : undefined;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
