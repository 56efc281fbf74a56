import type { Profile } from "@tidemark/core";
import { cacheStore } from "../cache-store.ts";
import { type Clock, minuteMs } from "../clock.ts";
import { digest } from "../digest.ts";
import { prefixBlocks } from "../prefix-blocks.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { type Piece, tokensIn } from "./pieces.ts";

/** Google states no granularity, and recorded counts are multiples of nothing: small blocks stand in for single tokens. */
export const blockTokens = 16;
/** Minutes, says the guide; the least that this can mean for an agent that goes on. */
const lifetimeMs = 5 * minuteMs;

/** A prompt as it is rendered, and the settings whose change is a miss from the start. `held`: what a cached content puts before it. */
export type Prompt = { readonly settings: string; readonly pieces: readonly Piece[]; readonly held: readonly Piece[] };

export type ImplicitCache = {
  /** The account of a prompt; `begin` writes its prefix when the response begins. */
  read(prompt: Prompt, profile: Profile): { readonly account: CacheAccount; begin(): void };
};

/** The implicit cache: the longest common prefix in whole blocks, from the model's minimum on, without marks and without a fee for writing. */
export function implicitCache(clock: Clock): ImplicitCache {
  const store = cacheStore(clock);
  return {
    read: ({ settings, pieces, held }, profile) => {
      const all = [...held, ...pieces];
      const prompt = tokensIn(all);
      const blocks = prefixBlocks(digest(settings), all, blockTokens);
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
