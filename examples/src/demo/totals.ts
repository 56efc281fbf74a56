import type { Prices, Usage } from "@tidemark/core";
import type { RequestRow } from "./request-row.ts";
import { uncachedTokens } from "./request-row.ts";

/** What a run came to. Tokens are sums of reported usage; a rejected request reports and costs nothing. */
export type Totals = {
  /** Requests that were sent, rejected ones included. */
  readonly sent: number;
  readonly rejected: number;
  readonly checkpoints: number;
  readonly prompt: number;
  readonly read: number;
  readonly uncached: number;
  readonly output: number;
  /** US dollars; undefined: the model's prices are not known. */
  readonly price: number | undefined;
};

export function totalsOf(rows: readonly RequestRow[], prices: Prices | undefined): Totals {
  const usages = rows.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const sum = (of: (usage: Usage) => number | undefined): number => usages.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const rejected = rows.reduce((total, row) => total + row.rejections.length, 0);
  return {
    sent: usages.length + rejected,
    rejected,
    checkpoints: rows.reduce((total, row) => total + row.checkpoints.length, 0),
    prompt: sum(({ prompt }) => prompt),
    read: sum(({ cacheRead }) => cacheRead),
    uncached: sum(uncachedTokens),
    output: sum(({ output }) => output),
    price: prices === undefined ? undefined : sum((usage) => priceOf(usage, prices)),
  };
}

/** Writing to the cache has its own price by lifetime, where the provider has one. */
function priceOf(usage: Usage, prices: Prices): number {
  const written = Object.entries(usage.cacheWriteByLifetime ?? {});
  const writtenTokens = written.reduce((total, [, tokens]) => total + tokens, 0);
  const writing = written.reduce((total, [lifetime, tokens]) => total + tokens * (prices.cacheWrite[lifetime] ?? prices.input), 0);
  const fresh = uncachedTokens(usage) - writtenTokens;
  const dollars = fresh * prices.input + writing + (usage.cacheRead ?? 0) * prices.cacheRead + (usage.output ?? 0) * prices.output;
  return dollars / 1_000_000;
}
