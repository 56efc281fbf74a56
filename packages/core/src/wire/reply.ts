import type { ObjectValue } from "../json/value.ts";
import type { Usage } from "./usage.ts";

/** Reasoning that the provider left out, by its place in the request that was sent or by the id of its item. */
export type DroppedReasoning =
  | { readonly message: number; readonly block: number; readonly reason: string }
  | { readonly id: string; readonly reason: string };

/** What `settle` reads of a provider's reply. */
export type ReplyReading = {
  /** The reply as it stands in the history: one message, or the items that the wire makes of it. Empty: it has none (refused, compaction, nothing said). */
  readonly messages: readonly ObjectValue[];
  /** False for a stream that was cut or a reply that failed: such a one settles nothing. */
  readonly finished: boolean;
  readonly usage: Usage;
  /** Reasoning that the provider says it dropped, as the provider names it. */
  readonly dropped: readonly DroppedReasoning[];
  /** The provider's name for it, by which a later request is compared with this one. Absent: it has none. */
  readonly id?: string;
  /** The provider's own word for why its cache did not help: `system_changed`. */
  readonly cacheMissReason: string | undefined;
};
