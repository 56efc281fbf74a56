import { digestText, digestValue } from "../json/canonical.ts";
import type { Value } from "../json/value.ts";

const sums = new WeakMap<readonly object[], string>();

/** Digest of a list: each link holds the digest of an item and all before it. */
export function chainOf(list: readonly object[]): string {
  return sums.get(list) ?? linked("", list);
}

/** A list that goes on from another, so that its digest costs what was added. Both are never changed. */
export function chained<T extends object>(list: readonly T[], added: readonly T[]): readonly T[] {
  if (added.length === 0) return list;
  const whole = list.concat(added);
  sums.set(whole, linked(chainOf(list), added));
  return whole;
}

function linked(sum: string, items: readonly object[]): string {
  return items.reduce<string>((before, item) => digestText(before + digestValue(item as Value)), sum);
}
