import { callable, listOf, objectOf, optional, text, wholeFrom } from "../json/check.ts";
import { isArray, isObject, type Value } from "../json/value.ts";
import type { Channel, Said } from "../ledger/entry.ts";
import { checked, stray } from "../wire/checked.ts";
import { element, escapeText } from "./event-text.ts";
import { type Heard, standing } from "./heard.ts";
import { entryDigest, type MemoryEntry } from "./memory-store.ts";
import { type MemoryToolOptions, memoryTool } from "./memory-tool.ts";
import { type CollectContext, type Collected, channelShape, type KnownWrite, type Source } from "./source.ts";

export type MemoryOptions = Omit<MemoryToolOptions, "id"> & {
  /** Default `memory`; also the name of its tool. */
  readonly id?: string | undefined;
  readonly channel?: Channel | undefined;
  /** Picks what the window is told of, and in which order. It gets a copy. Default: everything. */
  readonly selector?: ((entries: readonly MemoryEntry[]) => readonly MemoryEntry[]) | undefined;
};

const shape = objectOf(
  {
    store: objectOf({ read: callable, write: callable, remove: callable }),
    id: optional(text),
    channel: optional(channelShape),
    selector: optional(callable),
    ttl: optional(objectOf({ turns: optional(wholeFrom(1)), milliseconds: optional(wholeFrom(1)) }, stray)),
    allowedKeys: optional(listOf(text)),
    veto: optional(callable),
  },
  stray,
);

/**
 * What is remembered (rule 21): one snapshot opens a window, then what changed is appended. The model writes through one tool whose definition is static
 * (`session.tools.own`, `session.tools.call`); its own writes are not echoed.
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function memory(options: MemoryOptions): Source<never> {
  const { id = "memory", channel = "user" } = checked(options, shape);
  return Object.freeze({
    id,
    kind: "memory",
    channel,
    tool: memoryTool({ ...options, id }),
    collect: (context) => collect(options, context),
    speak: ({ setting, heard, turn, writes }) => {
      if (setting === undefined || !("value" in setting)) return undefined;
      const { selected, present } = readingOf(setting.value);
      const known = knownEntries(heard, writes);
      const changed = selected.filter(({ key, digest }) => known.get(key) !== digest);
      const removed = Array.from(known).flatMap(([key, digest]) => (digest === null || present.has(key) ? [] : [key]));
      if (changed.length + removed.length === 0) return undefined;
      const rev = heard.revision + 1;
      const isChange = standing(heard).length > 0;
      const body = [
        ...changed.map(({ key, description, text }) => element("entry", { key, description }, escapeText(text))),
        ...removed.map((key) => element("entry", { key, removed: "true" })),
      ].join("\n");
      const entries = [...changed.map(({ key, digest }) => [key, digest]), ...removed.map((key) => [key, null])];
      return {
        text: element("memory", { id: id === "memory" ? undefined : id, rev, changes: isChange ? rev - 1 : undefined }, body),
        value: { turn, entries },
        ...(isChange ? { change: true } : {}),
      };
    },
  } satisfies Source<never>);
}

/** One reading of the store: what is picked and still lasts, and the keys of all that lasts. */
async function collect({ store, selector, ttl }: MemoryOptions, { now, turn, seen, clean }: CollectContext): Promise<Collected> {
  const nextSeen = new Map<string, readonly [digest: string, turn: number]>();
  const lasting: MemoryEntry[] = [];
  for (const entry of await store.read()) {
    const cleaned = cleanEntry(entry, clean);
    const digest = entryDigest(cleaned);
    const [seenDigest, since] = seen.get(entry.key) ?? [digest, turn];
    const from = seenDigest === digest ? since : turn;
    nextSeen.set(entry.key, [digest, from]);
    const turnsMax = entry.turns ?? ttl?.turns;
    const ended = (entry.expiresAt !== undefined && entry.expiresAt <= now) || (turnsMax !== undefined && turn - from >= turnsMax);
    if (!ended) lasting.push(cleaned);
  }
  const picked = selector === undefined ? lasting : picks(selector, lasting);
  const selected = picked.map((entry) => ({
    key: entry.key,
    text: entry.text,
    digest: entryDigest(entry),
    ...(entry.description === undefined ? {} : { description: entry.description }),
  }));
  return { value: { selected, present: lasting.map(({ key }) => key) }, seen: nextSeen };
}

function cleanEntry(entry: MemoryEntry, clean: (text: string) => string): MemoryEntry {
  const { key, text, description } = entry;
  return { ...entry, key: clean(key), text: clean(text), ...(description === undefined ? {} : { description: clean(description) }) };
}

/** What it returns tells which entries, not what they say. */
function picks(selector: NonNullable<MemoryOptions["selector"]>, entries: readonly MemoryEntry[]): readonly MemoryEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const keys = new Set(selector(entries.map((entry) => ({ ...entry }))).map(({ key }) => key));
  return Array.from(keys).flatMap((key) => byKey.get(key) ?? []);
}

type Selected = { readonly key: string; readonly text: string; readonly digest: string; readonly description: string | undefined };

function readingOf(value: Value): { readonly selected: readonly Selected[]; readonly present: ReadonlySet<string> } {
  const { selected, present } = value as unknown as { readonly selected: readonly Selected[]; readonly present: readonly string[] };
  return { selected, present: new Set(present) };
}

/** What the model knows of each key: what the standing events say, and what it wrote itself since. Null: that there is nothing. */
function knownEntries(heard: Heard, writes: ReadonlyMap<string, KnownWrite>): ReadonlyMap<string, string | null> {
  const known = new Map<string, { readonly digest: string | null; readonly turn: number }>();
  for (const said of standing(heard)) for (const [key, digest, turn] of saidEntries(said)) known.set(key, { digest, turn });
  for (const [key, write] of writes) {
    const said = known.get(key);
    if (said === undefined || write.turn >= said.turn) known.set(key, write);
  }
  return new Map(Array.from(known, ([key, { digest }]) => [key, digest]));
}

function saidEntries({ value }: Said): readonly (readonly [key: string, digest: string | null, turn: number])[] {
  if (!isObject(value) || !isArray(value["entries"])) return [];
  const turn = Number(value["turn"]);
  return value["entries"].flatMap((item) =>
    isArray(item) && typeof item[0] === "string" ? [[item[0], typeof item[1] === "string" ? item[1] : null, turn] as const] : [],
  );
}
