import type { Calibration } from "../budget/calibration.ts";
import type { CountedWindow, UsageReport } from "../budget/measure.ts";
import type { TurnAccount } from "../continuity/explain.ts";
import type { ObjectValue } from "../json/value.ts";
import type { ReplayLog } from "../ledger/replay-log.ts";
import { foldEvent, type LedgerEvent, type LedgerState } from "../ledger/state.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Setting } from "../sources/source.ts";
import type { Wire } from "../wire/wire.ts";
import type { Listeners } from "./listeners.ts";
import type { SessionOptions } from "./options.ts";
import type { Queue } from "./queue.ts";
import type { RenderedText } from "./self-check.ts";
import type { SentTurn } from "./sent-turn.ts";

/** Keeps a session in a store (rule 49). */
export interface Saving {
  /** Saves a state of the session. @throws {SessionConflictError} when another process was faster; what the store rejects with, otherwise. */
  save(state: SessionState): Promise<void>;
  /** Saves what was recorded outside of `prepare`, as soon as the calls before it are through. A failure waits for {@link assertSaved}, and is mended by the next save. */
  soon(state: SessionState): void;
  /** @throws what kept the last of these from being saved. */
  assertSaved(): void;
}

/** Everything that a session holds between two requests. Only `publish` changes it, and only when a `prepare` or `settle` succeeds. */
export type SessionState<W extends object = object> = {
  readonly wire: Wire<W>;
  readonly options: SessionOptions<W>;
  readonly listeners: Listeners;
  readonly queue: Queue;
  readonly wordings: Wordings;
  readonly log: ReplayLog | undefined;
  /** Where a stored session is kept (rule 49). */
  readonly saving: Saving | undefined;
  ledger: LedgerState;
  /** With `history: "new"`: the history that the session owns, replies included. */
  owned: readonly ObjectValue[];
  /** The turn whose window was made from so many of them. */
  ownedBy: { readonly turn: number; readonly count: number } | undefined;
  /** Turns that may still be settled. */
  open: readonly number[];
  /** The last turns as they were sent, and those that were settled. */
  sent: readonly SentTurn[];
  accounts: readonly TurnAccount[];
  /** The local count of the last window that was counted. */
  counted: CountedWindow | undefined;
  /** The last usage that a reply reported, and what reports have taught (rule 31). */
  report: UsageReport | undefined;
  calibration: Calibration | undefined;
  /** What the host set its sources to, by their ids. */
  settings: ReadonlyMap<string, Setting>;
  /** Doubts already reported, by rule and words. */
  readonly doubts: Set<string>;
  rendered: RenderedText | undefined;
  warned: boolean;
};

export function publish(session: SessionState, event: LedgerEvent): void {
  session.ledger = foldEvent(session.ledger, event);
}
