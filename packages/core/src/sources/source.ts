import { oneOf, type Shape } from "../json/check.ts";
import { TidemarkError } from "../json/error.ts";
import type { Value } from "../json/value.ts";
import type { Channel } from "../ledger/entry.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Heard } from "./heard.ts";
import type { OwnTool } from "./own-tool.ts";

/** Sources of one request speak in this order; of one kind, as they are declared (rule 17). */
export const kindsInOrder = ["system", "memory", "skill", "state", "retrieval", "announcement", "guardrail"] as const;
export const channelShape: Shape = oneOf("user", "system", "turn");
export type SourceKind = (typeof kindsInOrder)[number];

/**
 * Something that speaks into the window by appended events (rule 16).
 *  1. A definition is a value without state: the session holds what was set, and what was last said is read off the window's own events.
 *  2. `speak` is pure: the same setting, window and time give the same words.
 *  3. It says nothing where the window already says it.
 */
export interface Source<In = unknown> {
  /** Names it in events, snapshots and `turn.said`; one of its kind in a session. */
  readonly id: string;
  readonly kind: SourceKind;
  /** Where it asks to be heard; model and place decide (rule 20). */
  readonly channel: Channel;
  /** The value as it is kept and said: plain JSON. Absent: nothing can be set. @throws {SourceValueError} */
  accept?(value: In): Value;
  /** Reads, once a request and before anything is said, what stands for what was set. Absent: the host sets it. */
  collect?(context: CollectContext): Promise<Collected>;
  speak(asked: Asked): Utterance | undefined;
  /** The tool by which the model writes what this source says. */
  readonly tool?: OwnTool;
  /** Text that stands behind the host's system text as long as it is set so (rule 23). */
  systemText?(setting: Setting | undefined): string | undefined;
  /** How a reply shall begin. `native`: as a prefilled reply whatever the model. */
  prefill?(setting: Setting | undefined): { readonly text: string; readonly native: boolean } | undefined;
}

/** What was set since the session began; undefined: nothing ever, which says nothing and takes nothing back. */
export type Setting = { readonly value: Value } | { readonly cleared: true };

export type Asked = {
  readonly setting: Setting | undefined;
  readonly heard: Heard;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The wire has a place for a source's text behind the host's system text. */
  readonly inSystem: boolean;
  /** The model takes a prefilled reply. */
  readonly prefills: boolean;
  /** Number of the request's turn. */
  readonly turn: number;
  readonly wordings: Wordings;
  /** What the model wrote itself by the source's tool since the last checkpoint, by key. */
  readonly writes: ReadonlyMap<string, KnownWrite>;
  /** Tokens of the request before anything is said, and the most that it may have. Counted when asked for. */
  readonly room: () => Room;
};

/** A write of the model: the digest of what it wrote (null: removed), and the turn whose reply made it. */
export type KnownWrite = { readonly digest: string | null; readonly turn: number };

export type CollectContext = {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Number of the request's turn. */
  readonly turn: number;
  /** What the last collected reading saw, by key: a digest, and the turn that first saw it. */
  readonly seen: Seen;
  /** Makes a text well-formed and redacts it, as at admission. */
  readonly clean: (text: string) => string;
};

export type Seen = ReadonlyMap<string, readonly [digest: string, turn: number]>;
export type Collected = { readonly value: Value; readonly seen: Seen };

export type Room = { readonly tokens: number; readonly limit: number };

/** What a source says: its words and what the window will know of them. */
export type Utterance = {
  readonly text: string;
  readonly value: Value;
  /** It says what changed since the revision before, which must stand in the window. */
  readonly change?: true;
  /** It takes back what was said: a tombstone. */
  readonly withdrawn?: true;
};

/** A value cannot be set: its schema refuses it, or it is no plain JSON. The source says what it said before. Code: `source-value`. */
export class SourceValueError extends TidemarkError {
  constructor(source: string, path: string, problem: string, cause?: unknown) {
    super("source-value", `The value for the source ${JSON.stringify(source)} is refused at ${path}: ${problem}.`, { path, cause });
  }
}

/** The source is not among the session's `sources`. Code: `source-unknown`. */
export class SourceUnknownError extends TidemarkError {
  constructor(source: unknown) {
    super(
      "source-unknown",
      `There is no source ${JSON.stringify(source)} in this session. Name it in the option \`sources\`, and hand over the source itself, as state(id) made it.`,
    );
  }
}
