import { wellFormed } from "./unicode.ts";
import { isArray, isObject, type ObjectValue, setMember, type Value } from "./value.ts";

/** The value with every string mapped and the names of its members well-formed; the same object when nothing changed. `skips`: members, by name, that stay as they are. */
export function mapTexts(value: Value, map: (text: string) => string, skips?: (name: string) => boolean): Value {
  if (typeof value === "string") return map(value);
  if (isArray(value)) return mapItems(value, map, skips);
  return isObject(value) ? mapMembers(value, map, skips) : value;
}

/** Rule 9: the value with no lone surrogate in it. The same value gives the same one each time. */
export function wellFormedTexts<V extends Value>(value: V): V {
  return mapTexts(value, wellFormed) as V;
}

function mapItems(items: readonly Value[], map: (text: string) => string, skips?: (name: string) => boolean): readonly Value[] {
  let mapped: Value[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Value;
    const next = mapTexts(item, map, skips);
    if (next !== item) mapped ??= [...items];
    if (mapped !== undefined) mapped[index] = next;
  }
  return mapped === undefined ? items : Object.freeze(mapped);
}

function mapMembers(object: ObjectValue, map: (text: string) => string, skips?: (name: string) => boolean): ObjectValue {
  const names = Object.keys(object);
  let mapped: Record<string, Value> | undefined;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const member = object[name] as Value;
    const next = skips?.(name) === true ? member : mapTexts(member, map, skips);
    const nextName = wellFormed(name);
    if (next !== member || nextName !== name) mapped ??= firstMembers(object, names.slice(0, index));
    if (mapped !== undefined) setMember(mapped, nextName, next);
  }
  return mapped === undefined ? object : Object.freeze(mapped);
}

function firstMembers(object: ObjectValue, names: readonly string[]): Record<string, Value> {
  const members: Record<string, Value> = {};
  for (const name of names) setMember(members, name, object[name] as Value);
  return members;
}
