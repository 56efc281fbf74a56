import { anything, count, expecting, flag, kindsOf, listOf, misfitIn, objectOf, oneOf, optional, text, wholeFrom } from "../json/check.ts";
import { pathText } from "../json/path.ts";
import { copyValue, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { chained } from "../ledger/digest-chain.ts";
import { loadLedger, SnapshotError, storeLedger } from "../ledger/snapshot.ts";
import type { LedgerSnapshot } from "../ledger/stored-form.ts";
import { StoredParts } from "../ledger/stored-parts.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Setting } from "../sources/source.ts";
import { withoutMedia } from "../wire/stored-media.ts";
import type { Wire } from "../wire/wire.ts";
import { policyVersion } from "./policy.ts";
import type { SessionState } from "./session-state.ts";
import { sumOf } from "./snapshot-sum.ts";
import { loadMeasure, type StoredMeasure, storedMeasure, storedMeasureShape } from "./stored-measure.ts";
import { loadOverflow, type StoredOverflow, storedOverflow, storedOverflowShape } from "./stored-overflow.ts";
import { noToolRules, type ToolRules } from "./tool-rules.ts";

/** A session as versioned plain JSON, small beside its conversation: store it beside the history. Its form is Tidemark's own and may grow. */
export type Snapshot = {
  readonly tidemark: 1;
  /** Digest of all the rest: a snapshot that was cut or altered is refused whole. */
  readonly sum: string;
  readonly policy: string;
  readonly wire: string;
  readonly wordings: Wordings;
  readonly ledger: LedgerSnapshot;
  readonly open: readonly number[];
  /** When the last request was sent: what of it is cached is told by that. Absent: none was, or a release of before did not say. */
  readonly sentAt?: number;
  readonly warned: boolean;
  readonly doubts: readonly string[];
  /** What the last report covers of the last window, and what reports have taught (rule 31). */
  readonly measured: StoredMeasure;
  /** The provider's name for the last settled reply. Absent: no diagnostics are asked for. */
  readonly replyId?: string;
  /** What sources are set to, by their ids; cleared ones are an empty list. Absent: nothing was set. */
  readonly settings?: { readonly [source: string]: readonly Value[] };
  /** What sources read for themselves and when they first saw it; what the model wrote by their tools. Rows: source, key, digest, turn. */
  readonly seen?: readonly (readonly [string, string, string, number])[];
  readonly writes?: readonly (readonly [string, string, string | null, number])[];
  /** Banned tools with their reasons, and those that the last request declared and did not offer. */
  readonly tools?: { readonly bans: readonly (readonly [string, string])[]; readonly withdrawn: readonly string[] };
  /** Breaker and loop guard of the overflow strategy, and what the host asked it for. Absent: as at the start. */
  readonly overflow?: StoredOverflow;
  /** With `history: "new"`: the history itself, media by digest. */
  readonly owned?: readonly ObjectValue[];
};

export function takeSnapshot<W extends object>(session: SessionState<W>): Snapshot {
  const content = {
    policy: policyVersion,
    wire: session.wire.name,
    wordings: session.wordings,
    ledger: storeLedger(session.wire as unknown as Wire, session.ledger, session.stored, session.options.trims === "ignore"),
    open: session.open,
    ...(session.sentAt === undefined ? {} : { sentAt: session.sentAt }),
    warned: session.warned,
    doubts: [...session.doubts],
    measured: storedMeasure(session),
    ...(session.replyId === undefined ? {} : { replyId: session.replyId }),
    ...(session.settings.size === 0 ? {} : { settings: storeSettings(session.settings) }),
    ...storedTools(session.toolRules),
    ...(session.seen.size === 0 ? {} : { seen: rowsOf(session.seen, ([digest, turn]) => [digest, turn] as const) }),
    ...(session.writes.size === 0 ? {} : { writes: rowsOf(session.writes, ({ digest, turn }) => [digest, turn] as const) }),
    ...storedOverflow(session),
    ...(session.options.history === "new" ? { owned: storedMessages(session.owned) } : {}),
  };
  return { tidemark: 1, sum: sumOf(content), ...content };
}

type StoredHistory = { readonly length: number; readonly stored: readonly ObjectValue[] };
/** By the last message of a history that a session owns: such a history only grows, so that two that have a message in common at one place begin alike. */
const histories = new WeakMap<ObjectValue, StoredHistory>();

/** The messages of a history that the session owns, their media by digest. Only those that were added since the last time are made. */
function storedMessages(owned: readonly ObjectValue[]): readonly ObjectValue[] {
  const at = owned.findLastIndex((message, index) => histories.get(message)?.length === index + 1);
  const before = at < 0 ? [] : (histories.get(owned[at] as ObjectValue)?.stored ?? []);
  const added = owned.slice(at + 1).map((message) => withoutMedia(message) as ObjectValue);
  const stored = chained(before, added);
  const last = owned.at(-1);
  if (last !== undefined) histories.set(last, { length: owned.length, stored });
  return stored;
}

function storeSettings(settings: ReadonlyMap<string, Setting>): NonNullable<Snapshot["settings"]> {
  return Object.fromEntries(Array.from(settings, ([id, setting]) => [id, "value" in setting ? [setting.value] : []]));
}

function loadSettings(settings: NonNullable<Snapshot["settings"]>): ReadonlyMap<string, Setting> {
  return new Map(
    Object.entries(settings).map(([id, [value]]) => [id, value === undefined ? { cleared: true } : { value: copyValue(value) }]),
  );
}

function storedTools({ bans, withdrawn }: ToolRules): Pick<Snapshot, "tools"> {
  return bans.size + withdrawn.length === 0 ? {} : { tools: { bans: [...bans], withdrawn } };
}

type Row<D> = readonly [source: string, key: string, digest: D, turn: number];

function rowsOf<T, D>(lists: ReadonlyMap<string, ReadonlyMap<string, T>>, read: (item: T) => readonly [D, number]): readonly Row<D>[] {
  return Array.from(lists).flatMap(([source, items]) => Array.from(items, ([key, item]): Row<D> => [source, key, ...read(item)]));
}

function fromRows<T, D>(rows: readonly Row<D>[], make: (digest: D, turn: number) => T): ReadonlyMap<string, ReadonlyMap<string, T>> {
  const lists = new Map<string, Map<string, T>>();
  for (const [source, key, digest, turn] of rows) {
    const own = lists.get(source) ?? new Map<string, T>();
    lists.set(source, own.set(key, make(digest, turn)));
  }
  return lists;
}

/** Fills a fresh session from a snapshot. @throws {SnapshotError} before anything is changed. */
export function loadSnapshot<W extends object>(session: SessionState<W>, given: unknown): SessionState<W> {
  const snapshot = readSnapshot(given);
  if (snapshot.wire !== session.wire.name)
    throw new SnapshotError("$.wire", `is of the wire ${snapshot.wire}, the session of ${session.wire.name}`);
  const ledger = loadLedger(snapshot.ledger, snapshot.policy === policyVersion);
  return {
    ...session,
    ledger,
    stored: new StoredParts(snapshot.ledger),
    // One of before there were sources lacks what they say.
    wordings: { ...session.wordings, ...snapshot.wordings },
    settings: loadSettings(snapshot.settings ?? {}),
    toolRules: snapshot.tools === undefined ? noToolRules : { ...snapshot.tools, bans: new Map(snapshot.tools.bans) },
    seen: fromRows(snapshot.seen ?? [], (digest, turn) => [digest, turn] as const),
    writes: fromRows(snapshot.writes ?? [], (digest, turn) => ({ digest, turn })),
    owned: (snapshot.owned ?? []).map((message) => copyValue(message) as ObjectValue),
    mediaAway: true,
    open: snapshot.open,
    doubts: new Set(snapshot.doubts),
    warned: snapshot.warned,
    sentAt: snapshot.sentAt,
    replyId: snapshot.replyId,
    ...loadMeasure(ledger, snapshot.measured),
    ...loadOverflow(snapshot.overflow),
  };
}

const object = objectOf({});
const origin = objectOf({ wire: text, model: text, endpoint: optional(text) });
const unit = objectOf({
  side: oneOf("assistant", "other"),
  kind: text,
  digest: text,
  id: optional(text),
  block: optional(object),
  bound: optional(flag),
  arguments: optional(anything),
});
const sent = kindsOf("kind", {
  none: object,
  kept: objectOf({ message: object }),
  composed: objectOf({ bare: flag, stripped: flag, digest: optional(text), orders: optional(listOf(wholeFrom(-1))) }),
});
const roles = ["user", "assistant", "system"] as const;
const entry = objectOf({
  id: count,
  kind: oneOf("host", "event", "recap"),
  role: oneOf(...roles),
  calls: listOf(objectOf({ id: text, sentId: text, name: text })),
  said: listOf(objectOf({ source: text, value: anything, revision: count })),
  lostReasoning: flag,
  unknownReasoning: optional(flag),
  twin: optional(objectOf({ key: text, size: count })),
  empty: flag,
  folded: flag,
  landed: optional(
    objectOf({
      landing: count,
      source: listOf(count),
      signed: flag,
      words: optional(objectOf({ pinned: listOf(listOf(objectOf({ role: oneOf(...roles), text }))), question: optional(text) })),
    }),
  ),
  reasoning: optional(objectOf({ origin: count, after: optional(count), vouched: flag, proven: optional(flag), lent: flag })),
  sent: optional(object),
  form: optional(objectOf({ units: listOf(unit), nativeRole: text, sent, letter: optional(text) })),
});
const turn = objectOf({
  number: count,
  head: count,
  origin: count,
  entries: listOf(count),
  prefill: optional(object),
  settled: optional(objectOf({ reply: listOf(object), dropped: listOf(count), usage: object })),
});
const head = objectOf({ model: text, system: listOf(object), tools: listOf(object), params: object });
const shape = objectOf({
  tidemark: oneOf(1),
  sum: text,
  policy: text,
  wire: text,
  wordings: object,
  ledger: objectOf({
    ...{ nextTurn: count, nextEntry: count, nextLanding: count, settles: flag, restarted: flag, revoked: listOf(count), trimsInRow: count },
    keyLists: listOf(listOf(text)),
    origins: listOf(origin),
    heads: listOf(head),
    entries: listOf(entry),
    turns: listOf(turn),
    parked: optional(listOf(objectOf({ place: text, turns: listOf(turn), window: listOf(count) }))),
  }),
  open: listOf(count),
  sentAt: optional(expecting("a number", (value) => typeof value === "number")),
  warned: flag,
  doubts: listOf(text),
  measured: storedMeasureShape,
  replyId: optional(text),
  settings: optional(object),
  tools: optional(objectOf({ bans: listOf(listOf(text)), withdrawn: listOf(text) })),
  seen: optional(listOf(listOf(anything))),
  writes: optional(listOf(listOf(anything))),
  overflow: optional(storedOverflowShape),
  owned: optional(listOf(object)),
});

function readSnapshot(given: unknown): Snapshot {
  const plain = plainValue(given);
  const misfit = misfitIn(plain, shape);
  if (misfit !== undefined) {
    if (!isObject(plain)) throw new SnapshotError("$", "is no snapshot, which is an object: what session.snapshot() gave, parsed");
    const version = typeof plain["tidemark"] === "number" && plain["tidemark"] !== 1;
    throw new SnapshotError(pathText(misfit.path), version ? "is of a version that this release does not read" : "is damaged");
  }
  const { tidemark: _version, sum, ...content } = plain as unknown as Snapshot;
  if (sumOf(content) !== sum) throw new SnapshotError("$.sum", "does not fit the rest: the snapshot was cut or altered");
  return plain as unknown as Snapshot;
}

function plainValue(given: unknown): Value {
  try {
    return copyValue(given);
  } catch (error) {
    throw new SnapshotError("$", `is no plain JSON (${error instanceof Error ? error.message : "unreadable"})`);
  }
}
