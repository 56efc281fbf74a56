/** Throws by seed: the same seed tells the same story on every machine. */
export interface Dice {
  /** A whole number in [0, count). */
  below(count: number): number;
  /** One of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  happens(probability: number): boolean;
}

export function diceOf(seed: string): Dice {
  let state = 2_166_136_261;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  // A linear congruential step, of which the upper bits are used: plenty for picking words.
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError("There is nothing to pick from.");
      return item;
    },
    happens: (probability) => next() < probability,
  };
}
