import type { ObjectValue, Profile } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { type Clock, hourMs } from "../clock.ts";
import { stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { type Piece, promptPieces, tokensIn } from "./pieces.ts";

/** Explicit caches: objects on the server that requests name (facts 3.5). What they hold never changes. */
export interface CachedContents {
  /** The answer to `POST cachedContents`. @throws {Refusal} for one that is too small (GE-11). */
  create(body: ObjectValue, profile: Profile): ObjectValue;
  /** What a request's cached content puts before it. @throws {Refusal} for one of another model, or that is gone (GE-11). */
  heldBy(request: ObjectValue, model: string): readonly Piece[];
}

export function cachedContents(clock: Clock, chance: Chance): CachedContents {
  const held = new Map<string, { readonly model: string; readonly pieces: readonly Piece[]; readonly expires: number }>();
  return {
    create: (body, profile) => {
      const pieces = promptPieces(body);
      const tokens = tokensIn(pieces);
      const least = profile.cacheTokensMin ?? 0;
      if (tokens < least)
        throw new Refusal(400, `Cached content is too small. total_token_count=${tokens}, min_total_token_count=${least}`, {
          rule: "GE-11",
        });
      const name = `cachedContents/${chance.token(40).toLowerCase()}`;
      const expires = clock.now() + lifetimeMs(stringOf(body.ttl));
      held.set(name, { model: profile.id, pieces, expires });
      const times = { createTime: timeText(clock.now()), updateTime: timeText(clock.now()), expireTime: timeText(expires) };
      return {
        name,
        model: `models/${profile.id}`,
        displayName: stringOf(body.displayName),
        usageMetadata: { totalTokenCount: tokens },
        ...times,
      };
    },
    heldBy: ({ cachedContent }, model) => {
      if (cachedContent === undefined) return [];
      const found = held.get(stringOf(cachedContent));
      if (found === undefined || found.expires <= clock.now())
        throw new Refusal(403, "CachedContent not found (or permission denied)", { rule: "GE-11", path: "cached_content" });
      if (found.model === model) return found.pieces;
      const text = `Model used by GenerateContent request (models/${model}) and CachedContent (models/${found.model}) has to be the same.`;
      throw new Refusal(400, text, { rule: "GE-11", path: "cached_content" });
    },
  };
}

/** `300s`; an hour where nothing is said. */
function lifetimeMs(ttl: string): number {
  const seconds = Number(/^(\d+(?:\.\d+)?)s$/.exec(ttl)?.[1] ?? Number.NaN);
  return Number.isNaN(seconds) ? hourMs : seconds * 1_000;
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
