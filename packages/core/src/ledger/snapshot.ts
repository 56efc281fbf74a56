import { TidemarkError } from "../json/error.ts";
import type { KeyOrders } from "../json/key-order.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import type { Origin } from "../wire/origin.ts";
import { withoutMedia } from "../wire/stored-media.ts";
import type { Wire } from "../wire/wire.ts";
import { dormantForm } from "./dormant.ts";
import type { DormantForm } from "./dormant-form.ts";
import { type Entry, makeEntry } from "./entry.ts";
import type { LedgerState, LedgerTurn } from "./state.ts";
import type { LedgerSnapshot, StoredEntry, StoredSent, StoredTurn } from "./stored-form.ts";
import { type StoredParts, type StoredWindow, Table } from "./stored-parts.ts";

/** The snapshot cannot be read, or is of another wire or a newer version. Nothing was replaced. Code: `snapshot`. */
export class SnapshotError extends TidemarkError {
  constructor(path: string, problem: string) {
    super("snapshot", `${path}: ${problem}. Start a new session, or restore an older snapshot.`, { path });
  }
}

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
