/**
 * A shorter list for which `fails` still holds: halves are left out first, then smaller parts, then single items, until nothing more can go. Each item may
 * depend on those before it, so that all kept ones stay in order.
 */
export async function shrinkList<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let kept = items;
  let size = Math.ceil(kept.length / 2);
  while (size >= 1) {
    const before = kept.length;
    // From the end on: what came last has most likely nothing behind it that needs it.
    for (let from = kept.length - size; from > -size; from -= size) {
      const shorter = [...kept.slice(0, Math.max(from, 0)), ...kept.slice(from + size)];
      if (shorter.length < kept.length && (await fails(shorter))) kept = shorter;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (kept.length === before) break;
  }
  return kept;
}

/** The simplest choices for which `fails` still holds: each is set to its first value where that changes nothing. */
export async function simplify<R extends Readonly<Record<string, string>>>(
  choices: R,
  values: { readonly [name in keyof R]: readonly R[name][] },
  fails: (choices: R) => Promise<boolean>,
): Promise<R> {
  let kept = choices;
  for (const name of Object.keys(values) as (keyof R)[]) {
    for (const value of values[name]) {
      if (value === kept[name]) break;
      const simpler = { ...kept, [name]: value };
      if (await fails(simpler)) {
        kept = simpler;
        break;
      }
    }
  }
  return kept;
}
