import type { DifferenceClass } from "../wire/difference.ts";

/** Why a window stops repeating the one before (rule 26). */
export type CheckpointReason = "history" | "ledger" | "system" | "tools" | "params" | "model" | "elision" | "compaction";

/** What the host did, where that can be told from what it handed over (rule 5), or what the library had to do. */
export type CheckpointHint =
  | "trimmed"
  | "host-compaction"
  | "replaced"
  | "shared-session"
  | "folded-loop"
  | "landing-dropped"
  | "dropped-by-provider"
  | "restarted"
  | "no-record";

/** A recorded place where the window stops repeating the previous one. Plain JSON. */
export type Checkpoint = {
  readonly reason: CheckpointReason;
  /** Number of the turn that carries it. */
  readonly window: number;
  /** Index in the native message list of the place; 0 for head fields. */
  readonly at: number;
  /** JSON path of the first difference, in the request that was sent before or, for an insertion, in this one. */
  readonly path: string;
  readonly class: DifferenceClass;
  /** Tokens of this request from the place on, by the session's count: what the cache no longer covers. */
  readonly tokens: number;
  /** Their price in US dollars at the uncached rate; undefined: prices are not known. */
  readonly price: number | undefined;
  /** JSON paths, in the request that was sent before, of the reasoning that is no longer sent. */
  readonly voids: readonly string[];
  /** Of a compaction: whether its recap is the provider's signed block. */
  readonly signed: boolean | undefined;
  readonly hint: CheckpointHint | undefined;
};
