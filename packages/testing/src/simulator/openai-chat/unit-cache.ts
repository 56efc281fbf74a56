import type { ObjectValue } from "@tidemark/core";
import { cacheStore } from "../cache-store.ts";
import type { Clock } from "../clock.ts";
import { digest } from "../digest.ts";
import { objectsOf } from "../json.ts";
import type { CacheReading, ChatCache } from "./cache.ts";
import { headPieces, type Stop, settingsOf, stopReader, stopsOf } from "./pieces.ts";

/** How many requests are remembered for the place where another one parts from them. */
const rememberedMax = 50;

/**
 * DeepSeek's prefix units (facts 6.1): a prefix is read only as a whole unit, and units end where a request's input ended, where its output ended, and where two requests part. Of `A+B` and
 * then `A+C` the second reads nothing, but `A` is a unit from then on. Units at fixed intervals of tokens are documented without a figure, and left out: the strict reading.
 */
export function unitCache(clock: Clock, options: { readonly lifetimeMs: number }): ChatCache {
  const units = cacheStore(clock);
  const reader = stopReader();
  const remembered: ReadonlySet<string>[] = [];
  return {
    read: (request, model): CacheReading => {
      const head = { digest: digest(settingsOf(request, model)), tokens: 0, isMarked: false };
      const stops = stopsOfRequest(head, request, reader.after);
      const end = stops.at(-1) ?? head;
      const read = stops.findLast((stop) => units.use(stop.digest))?.tokens ?? 0;
      const parting = stops.findLast((stop) => remembered.some((other) => other.has(stop.digest)));
      const prompt = end.tokens;
      return {
        account: { prompt, read, written: 0, writtenByLifetime: {}, uncached: prompt - read, breakpoints: [] },
        begin: (reply) => {
          const output = reader.after(end, reply).at(-1) ?? end;
          for (const unit of [end, output, ...(parting === undefined ? [] : [parting])]) units.put(unit.digest, options.lifetimeMs);
          remembered.push(new Set(stops.map((stop) => stop.digest)));
          if (remembered.length > rememberedMax) remembered.shift();
        },
      };
    },
  };
}

function stopsOfRequest(head: Stop, request: ObjectValue, after: (from: Stop, message: ObjectValue) => readonly Stop[]): readonly Stop[] {
  const stops: Stop[] = [...stopsOf(head, headPieces(request))];
  for (const message of objectsOf(request.messages)) for (const stop of after(stops.at(-1) ?? head, message)) stops.push(stop);
  return stops;
}
