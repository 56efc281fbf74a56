import type { Prices } from "../wire/profile.ts";

/** What a landing does to the tokens of a request. */
export type Landed = {
  readonly before: number;
  readonly after: number;
  /** Of those behind it: what stands before the first change. */
  readonly unchanged: number;
};

/** What a landing at high water has to bring in. */
export type GainOptions = {
  /** One that saves less over the expected turns than so many times what it costs in lost cache is declined. Default 1; 0: none is. */
  readonly minimumGain?: number | undefined;
  /** Requests that a landing is expected to save for: until the window is cut again, or the conversation ends. Default 25. */
  readonly expectedTurns?: number | undefined;
};

/** Recorded agents land every 20 to 40 requests in a window of half their size. Of the models whose prices are known, the dearest landing from high to low water pays in 24. */
const defaults = { minimumGain: 1, expectedTurns: 25 };

/** What a token costs beside one that is not cached, where prices are not known. */
const ratios = { read: 0.1, write: 1.25 };

/** Whether a landing saves enough for what it costs (rule 43): each turn reads less, and what stands behind the change is written once more in place of being read. */
export function paysOff({ before, after, unchanged }: Landed, options: GainOptions, prices: Prices | undefined): boolean {
  const { minimumGain = defaults.minimumGain, expectedTurns = defaults.expectedTurns } = options;
  const read = prices === undefined ? ratios.read : prices.cacheRead / prices.input;
  const fees = prices === undefined ? [] : Object.values(prices.cacheWrite);
  const write = prices === undefined ? ratios.write : fees.length === 0 ? 1 : Math.min(...fees) / prices.input;
  // Who charges for writing reads where something was written and nowhere shorter; others read whatever is the same.
  const again = after - (fees.length === 0 ? unchanged : 0);
  return (before - after) * read * expectedTurns >= again * Math.max(write - read, 0) * minimumGain;
}
