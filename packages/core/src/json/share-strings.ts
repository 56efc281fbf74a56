import { isArray, isObject, setMember, type Value } from "./value.ts";

/** Strings shorter than this are not worth sharing. */
const lengthMin = 24;

/** Every long string of a value, for {@link shareStrings}. */
export function stringsOf(value: Value, found: Map<string, string> = new Map()): Map<string, string> {
  if (typeof value === "string") {
    if (value.length >= lengthMin && !found.has(value)) found.set(value, value);
  } else if (isArray(value)) {
    for (const item of value) stringsOf(item, found);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) stringsOf(value[name] as Value, found);
  }
  return found;
}

/** The same value over strings that are held already, so that a text is held once and comparing it again is a pointer comparison. Frozen. */
export function shareStrings(value: Value, held: ReadonlyMap<string, string>): Value {
  if (typeof value === "string") return value.length < lengthMin ? value : (held.get(value) ?? value);
  if (isArray(value)) return Object.freeze(value.map((item) => shareStrings(item, held)));
  if (!isObject(value)) return value;
  const shared: Record<string, Value> = {};
  for (const name of Object.keys(value)) setMember(shared, name, shareStrings(value[name] as Value, held));
  return Object.freeze(shared);
}
