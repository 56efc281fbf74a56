import { copyValue } from "../json/value.ts";
import type { Origin } from "../wire/origin.ts";
import { chained } from "./digest-chain.ts";
import type { Entry } from "./entry.ts";
import type { LedgerSnapshot, StoredEntry } from "./stored-form.ts";
import { goesOn } from "./window-facts.ts";

/** What the snapshots of one session have in common: tables that only grow, and each entry as it was stored. */
export class StoredParts {
  readonly keyLists: Table<readonly string[]>;
  readonly origins: Table<Origin>;
  readonly #entries: WeakMap<Entry, StoredEntry>;
  readonly #left: WeakMap<readonly Entry[], StoredWindow>;
  #last: StoredWindow | undefined;

  /** `from`: the snapshot that the session was restored from, or the parts that these go on from. */
  constructor(from?: LedgerSnapshot | StoredParts) {
    const { keyLists, origins } = from instanceof StoredParts ? { keyLists: from.keyLists.list, origins: from.origins.list } : (from ?? {});
    this.keyLists = new Table((list) => list.join("\u0000"), keyLists);
    this.origins = new Table((origin) => JSON.stringify(origin), origins);
    this.#entries = from instanceof StoredParts ? from.#entries : new WeakMap();
    this.#left = from instanceof StoredParts ? from.#left : new WeakMap();
    this.#last = from instanceof StoredParts ? from.#last : undefined;
  }

  /** The entries of a window, with those that landings replaced in it. One that goes on from the last window that was asked for is not gone through again. */
  window(list: readonly Entry[], store: (entry: Entry) => StoredEntry): StoredWindow {
    const last = this.#last !== undefined && goesOn(list, this.#last.list) ? this.#last : nothingStored;
    const added = list.slice(last.list.length);
    const landed = new Set(last.landed);
    const stored: StoredEntry[] = [];
    for (const entry of added) {
      for (const source of entry.landed?.source ?? [])
        if (landed.size < landed.add(source.id).size) stored.push(this.#entry(source, store));
      stored.push(this.#entry(entry, store));
    }
    const ids = added.map(({ id }) => id);
    const window = { list, landed: [...landed], ids: last.ids.concat(ids), entries: chained(last.entries, stored) };
    this.#last = window;
    return window;
  }

  /** A window of a wire that was left: it is stored once, as a whole. */
  left(list: readonly Entry[], store: (entry: Entry) => StoredEntry): StoredWindow {
    const known = this.#left.get(list);
    if (known !== undefined) return known;
    const entries = list
      .flatMap((entry) => [...(entry.landed?.source ?? []), entry])
      .map((entry) => copyValue(store(entry)) as unknown as StoredEntry);
    const window = { list, landed: [], ids: list.map(({ id }) => id), entries };
    this.#left.set(list, window);
    return window;
  }

  /** An entry never changes: it is stored once, frozen. */
  #entry(entry: Entry, store: (entry: Entry) => StoredEntry): StoredEntry {
    const stored = this.#entries.get(entry) ?? (copyValue(store(entry)) as unknown as StoredEntry);
    this.#entries.set(entry, stored);
    return stored;
  }
}

export type StoredWindow = {
  readonly list: readonly Entry[];
  /** Ids of entries that landings replaced in it. */
  readonly landed: readonly number[];
  readonly ids: readonly number[];
  readonly entries: readonly StoredEntry[];
};

const nothingStored: StoredWindow = { list: [], landed: [], ids: [], entries: [] };

/** Values that are kept once and named by their position. */
export class Table<T> {
  readonly list: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #keyOf: (value: T) => string;

  constructor(keyOf: (value: T) => string, values: readonly T[] = []) {
    this.#keyOf = keyOf;
    for (const value of values) this.place(value);
  }

  place(value: T): number {
    const key = this.#keyOf(value);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.list.push(value);
    this.#places.set(key, this.list.length - 1);
    return this.list.length - 1;
  }
}
