import * as z from "zod/mini";
import { digestValue } from "../json/canonical.ts";
import { copyValue, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { type LedgerSnapshot, loadLedger, SnapshotError, storeLedger } from "../ledger/snapshot.ts";
import type { Wordings } from "../ledger/wordings.ts";
import { withoutMedia } from "../wire/stored-media.ts";
import type { Wire } from "../wire/wire.ts";
import { policyVersion } from "./policy.ts";
import type { SessionState } from "./session-state.ts";

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
  readonly warned: boolean;
  readonly doubts: readonly string[];
  /** With `history: "new"`: the history itself, media by digest. */
  readonly owned?: readonly ObjectValue[];
};

export function takeSnapshot<W extends object>(session: SessionState<W>): Snapshot {
  const content = {
    policy: policyVersion,
    wire: session.wire.name,
    wordings: session.wordings,
    ledger: storeLedger(session.wire as unknown as Wire, session.ledger),
    open: session.open,
    warned: session.warned,
    doubts: [...session.doubts],
    ...(session.options.history === "new" ? { owned: session.owned.map((message) => withoutMedia(message) as ObjectValue) } : {}),
  };
  return { tidemark: 1, sum: sumOf(content), ...content };
}

function sumOf(content: object): string {
  return digestValue(copyValue(content));
}

/** Fills a fresh session from a snapshot. @throws {SnapshotError} before anything is changed. */
export function loadSnapshot<W extends object>(session: SessionState<W>, given: unknown): SessionState<W> {
  const snapshot = readSnapshot(given);
  if (snapshot.wire !== session.wire.name)
    throw new SnapshotError("$.wire", `is of the wire ${snapshot.wire}, the session of ${session.wire.name}`);
  return {
    ...session,
    wordings: snapshot.wordings,
    ledger: loadLedger(snapshot.ledger),
    owned: (snapshot.owned ?? []).map((message) => copyValue(message) as ObjectValue),
    open: snapshot.open,
    doubts: new Set(snapshot.doubts),
    warned: snapshot.warned,
  };
}

const object = z.custom<ObjectValue>((value) => isObject(value));
const count = z.int().check(z.gte(0));
const origin = z.object({ wire: z.string(), model: z.string(), endpoint: z.optional(z.string()) });
const unit = z.object({
  side: z.enum(["assistant", "other"]),
  kind: z.string(),
  digest: z.string(),
  id: z.optional(z.string()),
  block: z.optional(object),
});
const sent = z.union([
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("kept"), message: object }),
  z.object({ kind: z.literal("composed"), bare: z.boolean(), digest: z.string(), orders: z.optional(z.array(z.int())) }),
]);
const entry = z.object({
  id: count,
  kind: z.enum(["host", "event", "recap"]),
  role: z.enum(["user", "assistant", "system"]),
  calls: z.array(z.object({ id: z.string(), sentId: z.string(), name: z.string() })),
  said: z.array(z.object({ source: z.string(), value: z.any(), revision: count })),
  empty: z.boolean(),
  folded: z.boolean(),
  reasoning: z.optional(z.object({ origin: count, after: z.optional(count), vouched: z.boolean(), lent: z.boolean() })),
  sent: z.optional(object),
  form: z.optional(z.object({ units: z.array(unit), nativeRole: z.string(), sent })),
});
const turn = z.object({
  number: count,
  head: count,
  origin: count,
  entries: z.array(count),
  prefill: z.optional(object),
  settled: z.optional(z.object({ reply: z.array(object), dropped: z.array(count), usage: object })),
});
const head = z.object({ model: z.string(), system: z.array(object), tools: z.array(object), params: object });
const shape = z.object({
  tidemark: z.literal(1),
  sum: z.string(),
  policy: z.string(),
  wire: z.string(),
  wordings: object,
  ledger: z.object({
    ...{ nextTurn: count, nextEntry: count, settles: z.boolean(), restarted: z.boolean(), trimsInRow: count },
    keyLists: z.array(z.array(z.string())),
    origins: z.array(origin),
    heads: z.array(head),
    entries: z.array(entry),
    turns: z.array(turn),
  }),
  open: z.array(count),
  warned: z.boolean(),
  doubts: z.array(z.string()),
  owned: z.optional(z.array(object)),
});

function readSnapshot(given: unknown): Snapshot {
  const plain = plainValue(given);
  const result = z.safeParse(shape, plain);
  if (!result.success) {
    const issue = result.error.issues[0];
    const path = (issue?.path ?? []).reduce<string>(
      (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${String(step)}`),
      "$",
    );
    const version = isObject(plain) && typeof plain["tidemark"] === "number" && plain["tidemark"] !== 1;
    throw new SnapshotError(path, version ? "is of a version that this release does not read" : "is damaged");
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
