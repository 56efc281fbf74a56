import { cacheStore } from "../cache-store.ts";
import { type Clock, hourMs } from "../clock.ts";
import { digest, link } from "../digest.ts";
import { unitsPerToken } from "../tokens.ts";
import type { CacheReading, ChatCache } from "./cache.ts";
import { type Piece, promptPieces, settingsOf } from "./pieces.ts";

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
      const blocks = blockDigests(digest(settingsOf(request, model)), pieces, options.blockTokens);
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

/** Chained digests of the prompt's whole blocks. */
function blockDigests(seed: string, pieces: readonly Piece[], blockTokens: number): readonly string[] {
  const text = pieces.map((piece) => piece.text).join("");
  const units = blockTokens * unitsPerToken;
  const digests: string[] = [];
  let last = seed;
  for (let at = units; at <= text.length; at += units) {
    last = link(last, text.slice(at - units, at));
    digests.push(last);
  }
  return digests;
}
