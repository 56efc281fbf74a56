import { type ObjectValue, setMember, type Value } from "./value.ts";

/**
 * An object in a key order: the named members first, all others sorted behind them, `without` left out. What lies inside stays as received.
 * The same object when it is laid out already.
 */
export function laidOut(object: ObjectValue, order: readonly string[], without: readonly string[] = []): ObjectValue {
  const names = Object.keys(object);
  const known = order.filter((name) => Object.hasOwn(object, name));
  const unknown = names.filter((name) => !order.includes(name)).toSorted();
  const wanted = [...known, ...unknown].filter((name) => !without.includes(name));
  if (wanted.length === names.length && wanted.every((name, index) => name === names[index])) return object;
  const laid: Record<string, Value> = {};
  for (const name of wanted) setMember(laid, name, object[name] as Value);
  return Object.freeze(laid);
}
