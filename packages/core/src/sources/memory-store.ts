import { digestText } from "../json/canonical.ts";

/** Something to be remembered across conversations. */
export type MemoryEntry = {
  /** Names it, with slashes for folders: `people/ada`. */
  readonly key: string;
  readonly text: string;
  /** What it is about, for lists. */
  readonly description?: string | undefined;
  /** When it ends, in milliseconds since the epoch. Absent: never. */
  readonly expiresAt?: number | undefined;
  /** How many requests of a session it lasts from when that session first reads it as it is. Absent: as the source says. */
  readonly turns?: number | undefined;
};

/**
 * Where memory is kept. A store belongs to one user or tenant.
 *  1. `read` answers all entries in a stable order; one reading serves a whole request.
 *  2. `write` puts an entry in the place of one of the same key; `remove` of an unknown key does nothing.
 */
export interface MemoryStore {
  read(): readonly MemoryEntry[] | Promise<readonly MemoryEntry[]>;
  write(entry: MemoryEntry): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/** A store that lives and dies with the process. */
export function inMemoryStore(entries: readonly MemoryEntry[] = []): MemoryStore {
  const kept = new Map(entries.map((entry) => [entry.key, entry]));
  return {
    read: () => [...kept.values()],
    write: (entry) => {
      kept.set(entry.key, entry);
    },
    remove: (key) => {
      kept.delete(key);
    },
  };
}

const digestDigits = 16;

/** Tells one form of an entry's words from another. */
export function entryDigest({ text, description }: MemoryEntry): string {
  return digestText(JSON.stringify([text, description ?? null])).slice(0, digestDigits);
}
