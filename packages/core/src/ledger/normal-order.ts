import type { Unit } from "../wire/unit.ts";

/**
 * Puts the units of one user-side run in normal order: results first, in the order of the calls they answer (those without a call by their ids), then the rest as
 * it came. Two runs that differ only in that order are the same by rule 4.
 */
export function normalOrder<T>(items: readonly T[], unitOf: (item: T) => Unit, callIds: readonly string[]): readonly T[] {
  const results = items.filter((item) => unitOf(item).kind === "result");
  if (results.length === 0) return items;
  const rank = new Map<string, number>();
  for (const [index, id] of callIds.entries()) if (!rank.has(id)) rank.set(id, index);
  const rankOf = (item: T): number => {
    const unit = unitOf(item);
    return unit.kind === "result" ? (rank.get(unit.id) ?? callIds.length) : 0;
  };
  const idOf = (item: T): string => {
    const unit = unitOf(item);
    return unit.kind === "result" ? unit.id : "";
  };
  const byId = (a: T, b: T): number => (rankOf(a) < callIds.length || idOf(a) === idOf(b) ? 0 : idOf(a) < idOf(b) ? -1 : 1);
  const sorted = results.toSorted((a, b) => rankOf(a) - rankOf(b) || byId(a, b));
  return [...sorted, ...items.filter((item) => unitOf(item).kind !== "result")];
}
