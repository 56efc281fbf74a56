import type { ObjectValue } from "@tidemark/core";
import { cacheStore } from "../cache-store.ts";
import { type Clock, minuteMs } from "../clock.ts";
import { digest } from "../digest.ts";
import { objectOf, objectsOf, stringOf } from "../json.ts";
import type { CacheReading, ChatCache } from "./cache.ts";
import { headPieces, type Stop, settingsOf, stopReader, stopsOf } from "./pieces.ts";

const tokensMin = 1_024;
const writesMax = 4;
const lookUpMax = 80;
const lifetimeMs = 30 * minuteMs;

/** Models that cache this way: prompt caching guide, September 2026. */
const models: ReadonlySet<string> = new Set(
  "gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna gpt-6-astra gpt-6-sol gpt-6-luna gpt-6.1-sol gpt-6.1-terra gpt-6.2-sol gpt-6.2-astra".split(" "),
);

export function cachesByBreakpoint(model: string): boolean {
  return models.has(model);
}

/**
 * GPT-5.6 and later, by OpenAI's prompt caching guide: a prefix is read exactly where an earlier request wrote one, and nowhere shorter. Boundaries are the ends of user
 * messages, of a batch's last result and of the first developer messages, and explicit breakpoints; the newest end and the latest three
 * explicit ones are written, or four explicit ones in `explicit` mode.
 */
export function breakpointCache(clock: Clock): ChatCache {
  const store = cacheStore(clock);
  const reader = stopReader();
  return {
    read: (request, model): CacheReading => {
      const { stops, ends, prompt } = boundaries(request, model, reader.after);
      const explicit = stops.filter((stop) => stop.isMarked);
      const implicit = objectOf(request.prompt_cache_options).mode === "explicit" ? [] : ends;
      const candidates = [...new Set([...implicit, ...explicit])].sort((a, b) => a.tokens - b.tokens).slice(-lookUpMax);
      const newest = implicit.slice(-1);
      const writes = [...new Set([...newest, ...explicit.slice(newest.length - writesMax)])].filter((stop) => stop.tokens >= tokensMin);
      const read = candidates.findLast((stop) => store.use(stop.digest))?.tokens ?? 0;
      const written = Math.max(0, ...writes.map((stop) => stop.tokens - read));
      const breakpoints = [...new Set([...newest, ...explicit])].map((stop) => ({
        tokens: stop.tokens,
        ttl: "30m",
        writable: writes.includes(stop),
      }));
      return {
        account: {
          prompt,
          read,
          written,
          writtenByLifetime: written === 0 ? {} : { "30m": written },
          uncached: prompt - read - written,
          breakpoints,
        },
        begin: () => {
          for (const stop of writes) store.put(stop.digest, lifetimeMs);
        },
      };
    },
  };
}

type Boundaries = { readonly stops: readonly Stop[]; readonly ends: readonly Stop[]; readonly prompt: number };

function boundaries(request: ObjectValue, model: string, after: (from: Stop, message: ObjectValue) => readonly Stop[]): Boundaries {
  const messages = objectsOf(request.messages);
  const start: Stop = { digest: digest(settingsOf(request, model)), tokens: 0, isMarked: false };
  const stops: Stop[] = [...stopsOf(start, headPieces(request))];
  const ends: Stop[] = [];
  const initial = initialGroupEnd(messages);
  for (const [index, message] of messages.entries()) {
    for (const stop of after(stops.at(-1) ?? start, message)) stops.push(stop);
    const last = stops.at(-1);
    if (last !== undefined && isEnd(messages, index, initial)) ends.push(last);
  }
  return { stops, ends, prompt: stops.at(-1)?.tokens ?? 0 };
}

function isEnd(messages: readonly ObjectValue[], index: number, initial: number): boolean {
  const role = stringOf(messages[index]?.role);
  if (role === "user") return true;
  if (role === "tool") return messages[index + 1]?.role !== "tool";
  return index === initial - 1;
}

/** How many developer or system messages the conversation starts with. */
function initialGroupEnd(messages: readonly ObjectValue[]): number {
  const first = messages.findIndex(({ role }) => role !== "developer" && role !== "system");
  return first < 0 ? messages.length : first;
}
