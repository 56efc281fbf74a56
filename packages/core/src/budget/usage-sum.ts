import type { Prices } from "../wire/profile.ts";
import type { Usage } from "../wire/usage.ts";

/** What a session's replies have reported in all (rule 32). Plain JSON. */
export type UsageSum = {
  readonly replies: number;
  /** Tokens, as far as they were reported. */
  readonly prompt: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Prompt and read tokens of the replies that report both: their ratio is the cache rate. */
  readonly rated: { readonly prompt: number; readonly cacheRead: number };
  /** US dollars of the replies whose price is known. */
  readonly price: number;
  readonly priced: number;
};

export const noUsage: UsageSum = {
  ...{ replies: 0, prompt: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  ...{ rated: { prompt: 0, cacheRead: 0 }, price: 0, priced: 0 },
};

/** What a session has used so far, for its host. */
export type SessionUsage = Pick<UsageSum, "replies" | "prompt" | "cacheRead" | "cacheWrite" | "output"> & {
  /** Share of prompt tokens that were read from the cache, over the replies that report both; undefined: none does. */
  readonly cacheRate: number | undefined;
  /** US dollars; undefined where the price of any reply is not known. */
  readonly price: number | undefined;
};

export function addUsage(sum: UsageSum, usage: Usage, prices: Prices | undefined, lifetime: string | undefined): UsageSum {
  const { prompt, cacheRead } = usage;
  const price = priceOf(usage, prices, lifetime);
  const isRated = prompt !== undefined && cacheRead !== undefined;
  return {
    replies: sum.replies + 1,
    prompt: sum.prompt + (prompt ?? 0),
    cacheRead: sum.cacheRead + (cacheRead ?? 0),
    cacheWrite: sum.cacheWrite + (usage.cacheWrite ?? 0),
    output: sum.output + (usage.output ?? 0),
    rated: isRated ? { prompt: sum.rated.prompt + prompt, cacheRead: sum.rated.cacheRead + cacheRead } : sum.rated,
    price: sum.price + (price ?? 0),
    priced: sum.priced + (price === undefined ? 0 : 1),
  };
}

export function usageOf({ rated, price, priced, ...sums }: UsageSum): SessionUsage {
  return Object.freeze({
    ...sums,
    cacheRate: rated.prompt > 0 ? rated.cacheRead / rated.prompt : undefined,
    price: priced === sums.replies ? price : undefined,
  });
}

/**
 * US dollars of a reply and its prompt; undefined where prices or figures are missing. What was written for the cache costs what its lifetime costs: as reported, else `lifetime`, else
 * the first of the price list.
 */
export function priceOf(usage: Usage, prices: Prices | undefined, lifetime?: string): number | undefined {
  const { prompt, cacheRead = 0, cacheWrite = 0, output } = usage;
  if (prices === undefined || prompt === undefined || output === undefined) return undefined;
  const uncached = usage.uncached ?? Math.max(prompt - cacheRead - cacheWrite, 0);
  const input = uncached * prices.input + cacheRead * prices.cacheRead + writePrice(usage, cacheWrite, prices, lifetime);
  return (input + output * prices.output) / 1_000_000;
}

function writePrice({ cacheWriteByLifetime }: Usage, written: number, prices: Prices, lifetime: string | undefined): number {
  const rate = (name: string | undefined): number =>
    (name === undefined ? undefined : prices.cacheWrite[name]) ?? Object.values(prices.cacheWrite)[0] ?? prices.input;
  if (cacheWriteByLifetime === undefined) return written * rate(lifetime);
  return Object.entries(cacheWriteByLifetime).reduce((sum, [name, tokens]) => sum + tokens * rate(name), 0);
}
