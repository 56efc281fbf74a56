import type { ObjectValue } from "../json/value.ts";
import { foldEvent, type LedgerEvent, type LedgerState } from "../ledger/state.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Wire } from "../wire/wire.ts";
import type { Listeners } from "./listeners.ts";
import type { SessionOptions } from "./options.ts";
import type { Queue } from "./queue.ts";
import type { RenderedText } from "./self-check.ts";

/** Everything that a session holds between two requests. Only `publish` changes it, and only when a `prepare` or `settle` succeeds. */
export type SessionState<W extends object = object> = {
  readonly wire: Wire<W>;
  readonly options: SessionOptions<W>;
  readonly listeners: Listeners;
  readonly queue: Queue;
  readonly wordings: Wordings;
  readonly log: ((event: LedgerEvent) => void) | undefined;
  ledger: LedgerState;
  /** With `history: "new"`: the history that the session owns, replies included. */
  owned: readonly ObjectValue[];
  /** Turns that may still be settled. */
  open: readonly number[];
  /** Doubts already reported, by rule and words. */
  readonly doubts: Set<string>;
  rendered: RenderedText | undefined;
  warned: boolean;
};

export function publish(session: SessionState, event: LedgerEvent): void {
  session.ledger = foldEvent(session.ledger, event);
  session.log?.(event);
}
