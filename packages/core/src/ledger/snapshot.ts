import { TidemarkError } from "../json/error.ts";
import type { KeyOrders } from "../json/key-order.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Origin } from "../wire/origin.ts";
import { withoutMedia } from "../wire/stored-media.ts";
import type { Wire } from "../wire/wire.ts";
import { chained } from "./digest-chain.ts";
import { dormantForm } from "./dormant.ts";
import type { DormantForm } from "./dormant-form.ts";
import { type Entry, type KeptWords, makeEntry } from "./entry.ts";
import type { LedgerState, LedgerTurn } from "./state.ts";
import { goesOn } from "./window-facts.ts";

/** The snapshot cannot be read, or is of another wire or a newer version. Nothing was replaced. Code: `snapshot`. */
export class SnapshotError extends TidemarkError {
  constructor(path: string, problem: string) {
    super("snapshot", `${path}: ${problem}. Start a new session, or restore an older snapshot.`, { path });
  }
}

/** A ledger as plain JSON: windows, digests of what was given, and what representation alone would not bring back. */
export type LedgerSnapshot = {
  readonly nextTurn: number;
  readonly nextEntry: number;
  readonly settles: boolean;
  readonly restarted: boolean;
  readonly nextLanding: number;
  readonly revoked: readonly number[];
  readonly trimsInRow: number;
  /** Key lists, each once; entries name them by position. */
  readonly keyLists: readonly (readonly string[])[];
  readonly origins: readonly Origin[];
  readonly heads: readonly Head[];
  readonly entries: readonly StoredEntry[];
  readonly turns: readonly StoredTurn[];
  /** Wires that the ledger was on before, each with its turns and the window that was left. Absent: there are none. */
  readonly parked?: readonly { readonly place: string; readonly turns: readonly StoredTurn[]; readonly window: readonly number[] }[];
};

type StoredEntry = Pick<Entry, "id" | "kind" | "role" | "calls" | "said" | "lostReasoning" | "empty" | "folded"> & {
  readonly unknownReasoning?: boolean;
  readonly twin?: NonNullable<Entry["twin"]>;
  readonly reasoning?: {
    readonly origin: number;
    readonly after?: number;
    readonly vouched: boolean;
    readonly proven?: boolean;
    readonly lent: boolean;
  };
  readonly landed?: { readonly landing: number; readonly source: readonly number[]; readonly signed: boolean; readonly words?: KeptWords };
  /** Of an event, or of what a landing put in place and the host hands nothing over for: its words. */
  readonly sent?: ObjectValue;
  /** Of what the host hands over. Key orders are positions in `keyLists`, -1 for sorted. */
  readonly form?: Omit<DormantForm, "sent"> & { readonly sent: StoredSent };
};

type StoredSent =
  | { readonly kind: "none" }
  | { readonly kind: "kept"; readonly message: ObjectValue }
  | {
      readonly kind: "composed";
      readonly bare: boolean;
      readonly orders?: readonly number[];
      readonly digest?: string;
      readonly stripped: boolean;
    };

type StoredTurn = {
  readonly number: number;
  readonly head: number;
  readonly origin: number;
  readonly entries: readonly number[];
  readonly prefill?: ObjectValue;
  readonly settled?: {
    readonly reply: readonly ObjectValue[];
    readonly dropped: readonly number[];
    readonly usage: Readonly<Record<string, unknown>>;
  };
};

/** `whole`: sent forms are kept in full, since the host may not hand their words over again. `parts`: of the snapshots before, so that only what is new is stored anew. */
export function storeLedger(wire: Wire, state: LedgerState, parts: StoredParts, whole = false): LedgerSnapshot {
  const heads = new Table<Head>((head) => JSON.stringify(head));
  const windows: StoredWindow[] = [];
  const storeTurn = (turn: LedgerTurn, window: StoredWindow): StoredTurn => {
    windows.push(window);
    return {
      number: turn.number,
      head: heads.place(turn.head),
      origin: parts.origins.place(turn.origin),
      entries: window.ids,
      ...(turn.prefill === undefined ? {} : { prefill: turn.prefill }),
      ...(turn.settled === undefined ? {} : { settled: storeSettlement(turn.settled) }),
    };
  };
  const store = (entry: Entry): StoredEntry => storeEntry(wire, entry, parts, whole);
  const turns = state.turns.map((turn) => storeTurn(turn, parts.window(turn.entries, store)));
  // Another wire's history may never bring the words back. Where the wire is not known, its entries sleep and are stored as they are.
  const parked = state.parked.map(({ place, wire: own = wire, turns: left, window: last }) => {
    const storeWhole = (entry: Entry): StoredEntry => storeEntry(own, entry, parts, true);
    const stored = left.map((turn) => storeTurn(turn, parts.left(turn.entries, storeWhole)));
    const window = parts.left(last, storeWhole);
    windows.push(window);
    return { place, window: window.ids, turns: stored };
  });
  const { nextTurn, nextEntry, nextLanding, settles, restarted, revoked, trimsInRow } = state;
  return {
    ...{ nextTurn, nextEntry, nextLanding, settles, restarted, revoked, trimsInRow },
    keyLists: [...parts.keyLists.list],
    origins: [...parts.origins.list],
    heads: heads.list,
    entries: entriesOf(windows),
    turns,
    ...(parked.length === 0 ? {} : { parked }),
  };
}

/** The entries of all windows, each once: what a landing replaced stands before what replaced it. */
function entriesOf(windows: readonly StoredWindow[]): readonly StoredEntry[] {
  const [only] = windows;
  if (windows.length === 1 && only !== undefined) return only.entries;
  return [...new Map(windows.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry] as const))).values()];
}

function storeSettlement({ reply, dropped, usage }: NonNullable<LedgerTurn["settled"]>): NonNullable<StoredTurn["settled"]> {
  return { reply: reply.map((message) => withoutMedia(message) as ObjectValue), dropped, usage };
}

function storeEntry(wire: Wire, entry: Entry, { keyLists, origins }: StoredParts, whole: boolean): StoredEntry {
  const { id, kind, role, calls, said, lostReasoning, unknownReasoning, empty, folded, landed, reasoning, reasonedAfter, twin } = entry;
  const stored = {
    ...{ id, kind, role, calls, said, lostReasoning, empty, folded },
    ...(unknownReasoning ? { unknownReasoning } : {}),
    ...(twin === undefined ? {} : { twin }),
    ...(landed === undefined ? {} : { landed: { ...landed, source: landed.source.map((entry) => entry.id) } }),
    ...(reasoning === undefined
      ? {}
      : {
          reasoning: {
            origin: origins.place(reasoning.origin),
            vouched: reasoning.vouched,
            lent: reasoning.lent,
            ...(reasoning.proven === true ? { proven: true } : {}),
            ...(reasonedAfter === undefined ? {} : { after: reasonedAfter }),
          },
        }),
  };
  const standsAlone = (landed ?? twin) !== undefined && entry.given.length === 0 && entry.dormant === undefined;
  const saysItself = kind === "event" || standsAlone;
  if (saysItself) return entry.sent === null ? stored : { ...stored, sent: entry.sent };
  const form = dormantForm(wire, entry);
  const inFull = whole && entry.sent !== null && form.sent.kind === "composed";
  const sent: StoredSent = inFull ? { kind: "kept", message: withoutMedia(entry.sent) as ObjectValue } : storeSent(form.sent, keyLists);
  return { ...stored, form: { ...form, sent } };
}

function storeSent(sent: DormantForm["sent"], keyLists: Table<readonly string[]>): StoredSent {
  if (sent.kind !== "composed") return sent;
  const { kind, bare, digest, orders, stripped } = sent;
  const places = orders?.map((order) => (order === null ? -1 : keyLists.place(order)));
  return { kind, bare, stripped, ...(digest === undefined ? {} : { digest }), ...(places === undefined ? {} : { orders: places }) };
}

/**
 * The state that a checked snapshot stands for. Its entries sleep until a history brings their words back. `sameRules`: it was taken under the rules of this
 * release, so that the same words make the same bytes.
 */
export function loadLedger(snapshot: LedgerSnapshot, sameRules = false): LedgerState {
  const origins = snapshot.origins.map((origin) => Object.freeze({ ...origin, endpoint: origin.endpoint }));
  const entries = new Map<number, Entry>();
  for (const stored of snapshot.entries)
    entries.set(stored.id, loadEntry(stored, { keyLists: snapshot.keyLists, origins, sameRules, entries }));
  const loadTurn = (turn: StoredTurn, index: number): LedgerTurn => {
    const path = `$.ledger.turns[${index}]`;
    return {
      number: turn.number,
      head: copyValue(found(snapshot.heads[turn.head], `${path}.head`)) as unknown as Head,
      origin: found(origins[turn.origin], `${path}.origin`),
      entries: turn.entries.map((id, place) => found(entries.get(id), `${path}.entries[${place}]`)),
      prefill: turn.prefill === undefined ? undefined : (copyValue(turn.prefill) as ObjectValue),
      settled: turn.settled === undefined ? undefined : loadSettlement(turn.settled),
      trusted: false,
    };
  };
  const turns = snapshot.turns.map(loadTurn);
  const parked = (snapshot.parked ?? []).map(({ place, turns: left, window }) => ({
    ...{ place, wire: undefined, turns: left.map(loadTurn) },
    window: window.map((id) => found(entries.get(id), "$.ledger.parked.window")),
  }));
  const { nextTurn, nextEntry, nextLanding, settles, restarted, revoked, trimsInRow } = snapshot;
  return { turns, parked, nextTurn, nextEntry, nextLanding, settles, restarted, revoked, trimsInRow };
}

function loadSettlement({ reply, dropped, usage }: NonNullable<StoredTurn["settled"]>): NonNullable<LedgerTurn["settled"]> {
  const figure = (name: string): number | undefined => (typeof usage[name] === "number" ? usage[name] : undefined);
  return {
    reply: reply.map((message) => copyValue(message) as ObjectValue),
    dropped,
    usage: {
      prompt: figure("prompt"),
      uncached: figure("uncached"),
      cacheRead: figure("cacheRead"),
      cacheWrite: figure("cacheWrite"),
      output: figure("output"),
      reasoning: figure("reasoning"),
    },
  };
}

type Loading = {
  readonly keyLists: readonly (readonly string[])[];
  readonly origins: readonly Origin[];
  readonly sameRules: boolean;
  /** Those that are loaded already: what a landing replaced stands before what replaced it. */
  readonly entries: ReadonlyMap<number, Entry>;
};

function loadEntry(stored: StoredEntry, { keyLists, origins, sameRules, entries }: Loading): Entry {
  const path = `$.ledger.entries(id ${stored.id})`;
  const { id, kind, role, calls, said, lostReasoning, unknownReasoning = false, empty, folded, landed, reasoning, form, twin } = stored;
  return makeEntry(id, {
    ...{ kind, role, calls, said: copyValue(said) as unknown as Entry["said"], empty, folded, given: [] },
    ...{ lostReasoning, unknownReasoning },
    ...(twin === undefined ? {} : { twin: { key: twin.key, size: twin.size } }),
    landed:
      landed === undefined
        ? undefined
        : { ...landed, source: landed.source.map((source) => found(entries.get(source), `${path}.landed.source`)) },
    sent: stored.sent === undefined ? null : (copyValue(stored.sent) as ObjectValue),
    reasoning:
      reasoning === undefined
        ? undefined
        : {
            origin: found(origins[reasoning.origin], `${path}.reasoning.origin`),
            vouched: reasoning.vouched,
            lent: reasoning.lent,
            ...(reasoning.proven === true ? { proven: true } : {}),
          },
    reasonedAfter: reasoning?.after,
    dormant:
      form === undefined
        ? undefined
        : {
            units: copyValue(form.units) as unknown as DormantForm["units"],
            nativeRole: form.nativeRole,
            sent: loadSent(form.sent, keyLists, path),
            ...(form.letter === undefined || !sameRules ? {} : { letter: form.letter }),
          },
  });
}

function loadSent(sent: StoredSent, keyLists: readonly (readonly string[])[], path: string): DormantForm["sent"] {
  if (sent.kind === "kept") return { kind: "kept", message: copyValue(sent.message) as ObjectValue };
  if (sent.kind === "none") return sent;
  const orders: KeyOrders | undefined = sent.orders?.map((place) =>
    place === -1 ? null : found(keyLists[place], `${path}.form.sent.orders`),
  );
  return { kind: "composed", bare: sent.bare, digest: sent.digest, orders, stripped: sent.stripped };
}

function found<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new SnapshotError(path, "refers to something that the snapshot does not hold");
  return value;
}

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

type StoredWindow = {
  readonly list: readonly Entry[];
  /** Ids of entries that landings replaced in it. */
  readonly landed: readonly number[];
  readonly ids: readonly number[];
  readonly entries: readonly StoredEntry[];
};

const nothingStored: StoredWindow = { list: [], landed: [], ids: [], entries: [] };

/** Values that are kept once and named by their position. */
class Table<T> {
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
