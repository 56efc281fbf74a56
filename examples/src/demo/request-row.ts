import type { Checkpoint, Repairs, Usage } from "@tidemark/core";

/** What became of one request of the story in one run: a line's half. All figures come from the simulator's replies and from the turn. */
export type RequestRow = {
  /** What the host brought to this request. */
  readonly label: string;
  /** Messages of the request that was answered before which this one repeats, from the front, and those behind them. */
  readonly kept: number;
  readonly appended: number;
  /** The provider's words, one for each attempt that it refused before this request was answered. */
  readonly rejections: readonly string[];
  /** Tokens as the provider's usage reports them. Undefined: the request was not answered. */
  readonly usage: Usage | undefined;
  /** Only of a request that Tidemark prepared. */
  readonly checkpoints: readonly Checkpoint[];
  readonly repairs: Repairs | undefined;
  /** Why Tidemark did not send it, or what it found wrong with itself. */
  readonly problem?: string;
};

/** Prompt tokens that were not read from the cache, whether or not they were written to it. */
export function uncachedTokens({ prompt, cacheRead }: Usage): number {
  return (prompt ?? 0) - (cacheRead ?? 0);
}

/** How many things were put right without a break. */
export function repairCount(repairs: Repairs | undefined): number {
  if (repairs === undefined) return 0;
  const { doubtful: _doubtful, ...counted } = repairs;
  return Object.values(counted).reduce((sum: number, value) => sum + (typeof value === "number" ? value : value.length), 0);
}
