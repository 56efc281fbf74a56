/** How two sequences go on from a place where they differ. `order`: what stands here stands elsewhere in both. */
export type Relation = "edit" | "insertion" | "removal" | "order";

/** Two sequences that are the same before `at` and are looked at up to `to`. */
export type Side<T> = { readonly items: readonly T[]; readonly at: number; readonly to: number };

/** Beyond so many remaining items a change of order is told by the nearest find alone. */
const permutationMax = 256;

/**
 * What happened at the place where two sequences part. An item that comes up again later on the other side was moved by what
 * stands before it; where the items behind the place still match one to one, the item itself was edited.
 */
export function relationAt<T>(previous: Side<T>, next: Side<T>, alike: (a: T, b: T) => boolean): Relation {
  if (previous.at >= previous.to) return "insertion";
  if (next.at >= next.to) return "removal";
  const ahead = distanceTo(previous.items[previous.at] as T, next, alike);
  const behind = distanceTo(next.items[next.at] as T, previous, alike);
  if (ahead === undefined && behind === undefined) return "edit";
  if (ahead !== undefined && behind !== undefined) return bothFound(previous, next, alike, { ahead, behind });
  if (followersMatch(previous, next, alike)) return "edit";
  return ahead === undefined ? "removal" : "insertion";
}

/** Whether every item of the previous side has a partner of its own on the next side; `partners[i]` is the partner's place. */
export function permutationOf<T>(previous: Side<T>, next: Side<T>, alike: (a: T, b: T) => boolean): readonly number[] | undefined {
  const count = previous.to - previous.at;
  if (count !== next.to - next.at || count > permutationMax) return undefined;
  const taken = new Set<number>();
  const partners: number[] = [];
  for (let index = previous.at; index < previous.to; index++) {
    const partner = partnerOf(previous.items[index] as T, next, alike, taken);
    if (partner === undefined) return undefined;
    taken.add(partner);
    partners.push(partner);
  }
  return partners;
}

function bothFound<T>(
  previous: Side<T>,
  next: Side<T>,
  alike: (a: T, b: T) => boolean,
  found: { readonly ahead: number; readonly behind: number },
): Relation {
  if (found.ahead === found.behind || permutationOf(previous, next, alike) !== undefined) return "order";
  if (followersMatch(previous, next, alike)) return "edit";
  return found.ahead < found.behind ? "insertion" : "removal";
}

function distanceTo<T>(item: T, side: Side<T>, alike: (a: T, b: T) => boolean): number | undefined {
  for (let index = side.at + 1; index < side.to; index++) if (alike(item, side.items[index] as T)) return index - side.at;
  return undefined;
}

function followersMatch<T>(previous: Side<T>, next: Side<T>, alike: (a: T, b: T) => boolean): boolean {
  if (previous.at + 1 >= previous.to || next.at + 1 >= next.to) return false;
  return alike(previous.items[previous.at + 1] as T, next.items[next.at + 1] as T);
}

/** The nearest partner first: the same place, so that what did not move pairs with itself. */
function partnerOf<T>(item: T, side: Side<T>, alike: (a: T, b: T) => boolean, taken: ReadonlySet<number>): number | undefined {
  for (let index = side.at; index < side.to; index++) if (!taken.has(index) && alike(item, side.items[index] as T)) return index;
  return undefined;
}
