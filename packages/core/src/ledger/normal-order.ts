import type { Unit } from "../wire/unit.ts";

/**
 * Puts the units of one user-side run in normal order: results first, in the order of the calls they answer (those without a call by their ids), then the rest as
 * it came. Two runs that differ only in that order are the same by rule 4.
 */
export function normalOrder<T>(items: readonly T[], unitOf: (item: T) => Unit, callIds: readonly string[]): readonly T[] {
  // Of calls with one id the first counts.
  const ranks = new Map(callIds.map((id, index) => [id, index] as const).toReversed());
  const results = items.flatMap((item) => {
    const unit = unitOf(item);
    return unit.kind === "result" ? [{ item, id: unit.id, rank: ranks.get(unit.id) ?? callIds.length }] : [];
  });
  if (results.length === 0) return items;
  const sorted = results.toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : Number(a.id > b.id)));
  return [...sorted.map(({ item }) => item), ...items.filter((item) => unitOf(item).kind !== "result")];
}
