/** A seeded stream of chances: the same seed gives the same run on every machine. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, count). */
  below(count: number): number;
  happens(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** Letters and digits, as providers' ids have them. */
  token(length: number): string;
}

const letters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export function chanceOf(seed: string | number): Chance {
  let state = seedState(String(seed));
  // mulberry32: 32 bits of state are plenty for test traffic, and it is a few operations long.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    token: (length) => {
      let text = "";
      for (let index = 0; index < length; index++) text += letters[below(letters.length)];
      return text;
    },
  };
}

/** FNV-1a over UTF-16 units. */
function seedState(seed: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return state | 0;
}
