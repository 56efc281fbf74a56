import type { ObjectValue, Value } from "@tidemark/core";

/** Objects of the JSON that a request is made of; what is missing or of another type reads as nothing. */
export function isObjectValue(value: unknown): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: Value | undefined): ObjectValue {
  return isObjectValue(value) ? value : {};
}

export function objectsOf(value: Value | undefined): readonly ObjectValue[] {
  if (!Array.isArray(value)) return [];
  return value.every(isObjectValue) ? value : value.filter(isObjectValue);
}

export function stringOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

/** JSON text with sorted keys at every level. Linear in its input. */
export function sortedJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const name of Object.keys(members).sort())
    if (members[name] !== undefined) parts.push(`${JSON.stringify(name)}:${sortedJson(members[name])}`);
  return `{${parts.join(",")}}`;
}

/** JSON text with the object's own keys sorted and everything inside as received. */
export function shallowSortedJson(value: ObjectValue): string {
  const parts: string[] = [];
  for (const name of Object.keys(value).sort())
    if (value[name] !== undefined) parts.push(`${JSON.stringify(name)}:${JSON.stringify(value[name])}`);
  return `{${parts.join(",")}}`;
}

export function without(value: ObjectValue, ...names: readonly string[]): ObjectValue {
  if (!names.some((name) => Object.hasOwn(value, name))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
