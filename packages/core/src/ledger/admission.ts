import { TidemarkError } from "../json/error.ts";
import { type Path, pathText } from "../json/path.ts";
import type { Value } from "../json/value.ts";
import type { Origin } from "../wire/origin.ts";
import type { Profile } from "../wire/profile.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { EntriesSoFar } from "./entries-so-far.ts";
import type { AdmittedCall, Entry, UnitMark } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import type { MediumFacts, WithheldMedium } from "./media-left-out.ts";
import type { CountText } from "./result-cap.ts";
import type { Salvage } from "./salvage.ts";
import type { Wordings } from "./wordings.ts";

export type CallReason = "cancelled" | "failed" | "unknown";

/** What a session decides about admission, once for all. Pure: the same history and policy give the same bytes. */
export type AdmissionPolicy = {
  readonly wordings: Wordings;
  /** Cap of a tool's result in tokens; infinity: none. */
  readonly resultCap: (tool: string) => number;
  readonly countText: CountText;
  /** Keeps a text that is to be capped and gives its reference; undefined: there is no archive. */
  readonly archived: ((text: string, about: { readonly call: string; readonly tool: string; readonly from: number }) => string) | undefined;
  readonly redact: ((text: string) => string) | undefined;
  /** Whether a medium may be sent. */
  readonly allowMedia: ((medium: MediumFacts) => boolean) | undefined;
  readonly reasoning: "replay" | "omit";
  /** Whether a call's result comes later, behind other turns. */
  readonly deferred: (call: { readonly id: string; readonly name: string }) => boolean;
  /** Why a call has no result, where the host knows. */
  readonly callReason: (call: { readonly id: string; readonly name: string }) => CallReason;
  /** Where a reader's result starts in its file. */
  readonly lines:
    | ((
        call: { readonly id: string; readonly name: string; readonly arguments: Value },
        result: string,
      ) => { readonly from: number } | undefined)
    | undefined;
};

/** What is being admitted: the history from `from` on, behind entries that stay. */
export type Admission = {
  readonly wire: Wire;
  readonly profile: Profile;
  readonly policy: AdmissionPolicy;
  readonly history: HostHistory;
  readonly from: number;
  readonly soFar: EntriesSoFar;
  readonly vouched: Vouched | undefined;
  /** Where the request goes; what is new is taken to come from there. */
  readonly origin: Origin;
  /** A reply that is known, although not behind the window that made it: what made its reasoning is known too. */
  readonly met: MetReply | undefined;
  /** The events of the window's unanswered tail: where the host stores one, its own message carries on what was said. */
  readonly tailEvents: readonly Entry[];
  /** Whether the reply that made a call is known to have had bound reasoning, although the host's copy may no longer show it. */
  readonly hadReasoning: (callId: string) => boolean;
  /** Takes up, by entry id, all units of replies that went without their bound reasoning. */
  readonly withheld: Map<number, readonly Unit[]>;
  /** Runs of the window that the history still has behind the place where it stopped repeating it. */
  readonly salvage: Salvage | undefined;
  /** Takes up the ids of entries whose reasoning was made over something that no longer stands before it. */
  readonly stale: Set<number>;
  /** Takes up the host's cache marks of entries that come back, by entry id, where they are not the entry's own. */
  readonly marks: Map<number, readonly UnitMark[]>;
  readonly nextId: () => number;
  readonly counts: AdmissionCounts;
};

/** `history[from..to)` is the reply of the window that stays. `units`: as it was settled; undefined: taken on trust (rule 6). */
export type Vouched = {
  readonly from: number;
  readonly to: number;
  readonly units: readonly Unit[] | undefined;
  readonly origin: Origin;
  /** Ids of its calls as the host has them. Absent: as they were made. */
  readonly callIds?: readonly string[];
};

/** Where the reply to the last window was met in the history. */
export type MetReply = {
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
  /** Number of the turn that it answers. */
  readonly turn: number;
};

/** A result that went out shortened. `reference`: under which the whole is archived. */
export type CappedResult = {
  readonly id: string;
  readonly tool: string;
  readonly tokens: number;
  readonly cap: number;
  readonly reference?: string;
};

export type AdmissionCounts = {
  reasoningWithheld: number;
  reasoningRedacted: number;
  reasoningRestored: number;
  mediaWithheld: WithheldMedium[];
  resultsCapped: CappedResult[];
  resultsMadeUp: string[];
  resultsOrphaned: string[];
  resultsLate: string[];
  resultsDropped: string[];
  idsMapped: string[];
};

/** A bare assistant message at the end of the history: sent, never admitted. */
export type Prefill = { readonly nativeRole: string; readonly units: readonly Unit[] };

/** The last calls have no results yet, and the provider refuses such a request. Hand over the results, or a user message that moves on. Code: `pending-calls`. */
export class PendingCallsError extends TidemarkError {
  readonly calls: readonly AdmittedCall[];

  constructor(calls: readonly AdmittedCall[], path: Path) {
    const named = calls.map((call) => `${call.id} (${call.name})`).join(", ");
    super("pending-calls", `No result yet for ${named}. Append the results, or name the calls as deferred.`, {
      path: pathText(path),
    });
    this.calls = calls;
  }
}
