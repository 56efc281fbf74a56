import { cacheStore } from "../cache-store.ts";
import { type Clock, hourMs } from "../clock.ts";
import { digest } from "../digest.ts";
import { prefixBlocks } from "../prefix-blocks.ts";
import type { CacheReading, ChatCache } from "./cache.ts";
import { promptPieces, settingsOf } from "./pieces.ts";

export type BlockCacheOptions = {
  /** Only whole blocks are read. */
  readonly blockTokens: number;
  /** Shorter prefixes are not read. */
  readonly tokensMin: number;
  readonly lifetimeMs: number;
};

/** Servers that cache by the longest common token prefix, in whole blocks, without marks and without a fee for writing. */
export function blockCache(clock: Clock, options: BlockCacheOptions): ChatCache {
  const store = cacheStore(clock);
  return {
    read: (request, model): CacheReading => {
      const pieces = promptPieces(request);
      const prompt = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
      const blocks = prefixBlocks(digest(settingsOf(request, model)), pieces, options.blockTokens);
      const missing = blocks.findIndex((block) => !store.use(block));
      const common = (missing < 0 ? blocks.length : missing) * options.blockTokens;
      const read = common >= options.tokensMin ? common : 0;
      const lifetimeMs = request.prompt_cache_retention === "24h" ? 24 * hourMs : options.lifetimeMs;
      return {
        account: { prompt, read, written: 0, writtenByLifetime: {}, uncached: prompt - read, breakpoints: [] },
        begin: () => {
          for (const block of blocks) store.put(block, lifetimeMs);
        },
      };
    },
  };
}
