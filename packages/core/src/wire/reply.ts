import type { ObjectValue } from "../json/value.ts";
import type { Usage } from "./usage.ts";

/** What `settle` reads of a provider's reply. */
export type ReplyReading = {
  /** The reply as it stands in the history: one message, or the items that the wire makes of it. Empty: it has none (refused, compaction, nothing said). */
  readonly messages: readonly ObjectValue[];
  /** False for a stream that was cut or a reply that failed: such a one settles nothing. */
  readonly finished: boolean;
  readonly usage: Usage;
  /** Reasoning that the provider says it dropped, by its place in the request that was sent. */
  readonly dropped: readonly { readonly message: number; readonly block: number; readonly reason: string }[];
  /** The provider's own word for why its cache did not help: `system_changed`. */
  readonly cacheMissReason: string | undefined;
};
