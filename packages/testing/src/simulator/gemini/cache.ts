import type { ObjectValue, Profile } from "@tidemark/core";
import { cacheStore } from "../cache-store.ts";
import { type Clock, minuteMs } from "../clock.ts";
import { digest } from "../digest.ts";
import { prefixBlocks } from "../prefix-blocks.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { type Piece, promptPieces, settingsOf, tokensIn } from "./pieces.ts";

/** Google states no granularity, and recorded counts are multiples of nothing: small blocks stand in for single tokens. */
export const blockTokens = 16;
/** Minutes, says the guide; the least that this can mean for an agent that goes on. */
const lifetimeMs = 5 * minuteMs;

export type ImplicitCache = {
  /** The account of a request; `begin` writes its prefix when the response begins. `held`: what a cached content puts before it. */
  read(request: ObjectValue, profile: Profile, held: readonly Piece[]): { readonly account: CacheAccount; begin(): void };
};

/** The implicit cache: the longest common prefix in whole blocks, from the model's minimum on, without marks and without a fee for writing. */
export function implicitCache(clock: Clock): ImplicitCache {
  const store = cacheStore(clock);
  return {
    read: (request, profile, held) => {
      const pieces = [...held, ...promptPieces(request)];
      const prompt = tokensIn(pieces);
      const blocks = prefixBlocks(digest(settingsOf(request, profile.id)), pieces, blockTokens);
      const missing = blocks.findIndex((block) => !store.use(block));
      const common = (missing < 0 ? blocks.length : missing) * blockTokens;
      // What a cached content holds is read whatever came before.
      const read = Math.max(common >= (profile.cacheTokensMin ?? 0) ? common : 0, tokensIn(held));
      return {
        account: { prompt, read, written: 0, writtenByLifetime: {}, uncached: prompt - read, breakpoints: [] },
        begin: () => {
          for (const block of blocks) store.put(block, lifetimeMs);
        },
      };
    },
  };
}
