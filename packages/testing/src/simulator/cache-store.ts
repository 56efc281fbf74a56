import type { Clock } from "./clock.ts";

/** Written prefixes by key, each with its time to live, which every use renews. */
export interface CacheStore {
  put(key: string, milliseconds: number): void;
  /** Whether the prefix is there and alive; renews it if so. */
  use(key: string): boolean;
}

/** A soak writes a prefix a request; the oldest go when there are more than this. */
const entriesMax = 200_000;

export function cacheStore(clock: Clock): CacheStore {
  const entries = new Map<string, { readonly milliseconds: number; expires: number }>();
  return {
    put: (key, milliseconds) => {
      // Set anew so that the map stays in the order of last writing.
      const longest = Math.max(milliseconds, live(key)?.milliseconds ?? 0);
      entries.delete(key);
      entries.set(key, { milliseconds: longest, expires: clock.now() + longest });
      if (entries.size > entriesMax) for (const oldest of entries.keys()) return void entries.delete(oldest);
    },
    use: (key) => {
      const entry = live(key);
      if (entry === undefined) return false;
      entry.expires = clock.now() + entry.milliseconds;
      return true;
    },
  };

  function live(key: string) {
    const entry = entries.get(key);
    return entry !== undefined && entry.expires > clock.now() ? entry : undefined;
  }
}
