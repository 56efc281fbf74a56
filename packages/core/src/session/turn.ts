import type { Measure } from "../budget/measure.ts";
import type { CappedResult } from "../ledger/admission.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Said } from "../ledger/entry.ts";
import type { WithheldMedium } from "../ledger/media-left-out.ts";
import type { Held } from "../overflow/held.ts";
import type { DroppedReasoning } from "../wire/reply.ts";
import type { ReplayEnvelope } from "../wire/reply-envelope.ts";
import type { Usage } from "../wire/usage.ts";

/** What was put right in one request, without a break. */
export type Repairs = {
  /** Messages and tool lists that the host handed over in another representation (rule 4). */
  readonly equivalent: number;
  /** Replies whose bound reasoning stays away, since the window that made them is not known or not repeated (rule 6). */
  readonly reasoningWithheld: number;
  /** Replies whose reasoning the redaction would have changed. */
  readonly reasoningRedacted: number;
  /** Messages and head fields that differ and wait until the open tool loop is over (rule 62). */
  readonly held: number;
  /** Edits under a folded loop: it stands, and nothing that was sent changes (rule 7). */
  readonly underRecap: number;
  /** Media in place of which the model is told that they are left out, each when it is new to the model: the wire or model does not take them, or the host does not allow them. */
  readonly mediaWithheld: readonly WithheldMedium[];
  readonly resultsCapped: readonly CappedResult[];
  /** Ids of calls that got a result which says why there is none. */
  readonly resultsMadeUp: readonly string[];
  /** Ids of results without a call, sent as user text. */
  readonly resultsOrphaned: readonly string[];
  /** Ids of results that came after their call was closed, sent as user text. */
  readonly resultsLate: readonly string[];
  /** Ids of results that the host handed over twice. */
  readonly resultsDropped: readonly string[];
  /** Ids under which repeated call ids go out. */
  readonly idsMapped: readonly string[];
  /** Breaches of rules that the provider only likely has, each once a session: rule, path and its words. Unknown fields are among them. */
  readonly doubtful: readonly { readonly rule: string; readonly path: string; readonly message: string }[];
};

/** What a request measures, and what kept it above its marks; `held` is empty where nothing did. */
export type TurnBudget = Measure & { readonly held: readonly Held[] };

/** One prepared request and what belongs to it. */
export interface Turn<Request extends object = object> {
  readonly number: number;
  /** The native request, ready to send. Its messages are frozen: writing to them throws a TypeError. */
  readonly request: Request;
  /** Headers that the request needs beside the body; empty when none are. */
  readonly headers: Readonly<Record<string, string>>;
  readonly continuity: {
    /** Messages that the last request had too, from the front. */
    readonly kept: number;
    readonly appended: number;
    /** Where and why the last request is not repeated; empty: it is. */
    readonly checkpoints: readonly Checkpoint[];
  };
  /** What the request measures, and what it is held to. Counted when asked for. */
  readonly budget: TurnBudget;
  readonly repairs: Repairs;
  /** What sources said in this request. */
  readonly said: readonly Said[];
  /**
   * Tells the session what the provider answered: which reply this window made, its usage, the reasoning that was dropped. An unfinished stream or a failed reply changes nothing.
   * @throws {TidemarkError} `invalid-reply` for what is no reply of this wire.
   */
  settle(reply: object): Settled;
}

export type Settled = {
  /** False: the reply was cut or failed, and nothing was recorded but that the request was sent. */
  readonly recorded: boolean;
  readonly usage: Usage;
  /** Reasoning that the provider says it dropped; it will not be sent again. */
  readonly dropped: readonly DroppedReasoning[];
  readonly cacheMissReason: string | undefined;
  /** For a host whose store keeps only visible blocks: keep it beside the reply and hand it to `prepare` (`envelopes`). Made when asked for. Undefined: the reply has no native state to keep. */
  readonly envelope: ReplayEnvelope | undefined;
};
