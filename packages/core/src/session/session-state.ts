import type { Calibration } from "../budget/calibration.ts";
import type { Asked } from "../budget/limits.ts";
import type { CountedWindow, UsageReport } from "../budget/measure.ts";
import type { UsageSum } from "../budget/usage-sum.ts";
import type { TurnAccount } from "../continuity/explain.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Entry } from "../ledger/entry.ts";
import type { ReplayLog } from "../ledger/replay-log.ts";
import { foldEvent, type LedgerEvent, type LedgerState } from "../ledger/state.ts";
import type { StoredParts } from "../ledger/stored-parts.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { RunnerState } from "../overflow/runner.ts";
import type { KnownWrite, Seen, Setting } from "../sources/source.ts";
import type { Wire } from "../wire/wire.ts";
import type { HostLanding, Landing } from "./landing.ts";
import type { Listeners } from "./listeners.ts";
import type { SessionOptions } from "./options.ts";
import type { PrepareOptions } from "./prepare-options.ts";
import type { Queue } from "./queue.ts";
import type { RenderedText } from "./self-check.ts";
import type { SentTurn } from "./sent-turn.ts";
import type { ToolRules } from "./tool-rules.ts";

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
  /** The wire that the session is on, and its options there. */
  readonly wire: Wire<W>;
  readonly options: SessionOptions<W>;
  /** Takes the session to another wire (`through`). Undefined: it has only ever had one. */
  moves: Moves | undefined;
  readonly listeners: Listeners;
  readonly queue: Queue;
  readonly wordings: Wordings;
  readonly log: ReplayLog | undefined;
  /** Where a stored session is kept. */
  readonly saving: Saving | undefined;
  ledger: LedgerState;
  /** What its snapshots have in common. */
  stored: StoredParts;
  /** With `history: "new"`: the history that the session owns, replies included. */
  owned: readonly ObjectValue[];
  /** Restored: media that the snapshot holds by digest are not back yet. */
  mediaAway: boolean;
  /** The turn whose window was made from so many of them. */
  ownedBy: { readonly turn: number; readonly count: number } | undefined;
  /** Turns that may still be settled. */
  open: readonly number[];
  /** The last turns as they were sent, and those that were settled. */
  sent: readonly SentTurn[];
  accounts: readonly TurnAccount[];
  /** When the last request was sent, by the host's clock; kept over a restore. Undefined: none was. */
  sentAt: number | undefined;
  /** The local count of the last window that was counted. */
  counted: CountedWindow | undefined;
  /** The last usage that a reply reported, and what reports have taught (rule 31). */
  report: UsageReport | undefined;
  calibration: Calibration | undefined;
  /** The provider's name for the last settled reply, where `diagnostics` are asked for. */
  replyId: string | undefined;
  /** What all its replies have reported. */
  usage: UsageSum;
  /** What the host set its sources to, by their ids. */
  settings: ReadonlyMap<string, Setting>;
  /** What the sources that read for themselves read for the last request: for those that only look. */
  readings: ReadonlyMap<string, Setting>;
  /** When those sources first saw what they read, by their ids. */
  seen: ReadonlyMap<string, Seen>;
  /** What the model wrote by the sources' tools since the last checkpoint. */
  writes: ReadonlyMap<string, ReadonlyMap<string, KnownWrite>>;
  /** Which calls are run. */
  toolRules: ToolRules;
  /** Calls of Tidemark's own tools run one at a time. */
  readonly toolQueue: Queue;
  /** Doubts already reported, by rule and words. */
  readonly doubts: Set<string>;
  /** Stands for this session in what strategies remember of it. */
  readonly identity: object;
  /** Signals that strategies were given: a request under one of them would wait for itself. */
  readonly handedOut: WeakSet<AbortSignal>;
  /** Breaker and loop guard of the overflow strategy. */
  runner: RunnerState;
  /** Landings so far, oldest first. */
  landings: readonly Landing[];
  /** Messages that the host wants kept. */
  pins: readonly ObjectValue[];
  /** What the last published request says of its own size. */
  lastAsked: Asked;
  /** That request as the host made it, for `recover`. Let go once its reply has come: it holds the host's whole history. */
  unanswered: Unanswered<W> | undefined;
  /** What the provider said when it refused the last request for its length, while that is answered. */
  refused: { readonly limit: number | undefined; readonly error: unknown } | undefined;
  /** Windows of models as their provider named them in a refusal, in tokens; they stand in for the profile's. */
  contexts: ReadonlyMap<string, number>;
  /** Results that the host wants to be shorter, by call id. */
  folds: ReadonlyMap<string, string>;
  /** The next request is to land something, whatever it measures. */
  asked: LandingAsk | undefined;
  rendered: RenderedText | undefined;
  warned: boolean;
};

type Unanswered<W> = { readonly turn: number; readonly request: W; readonly options: PrepareOptions; readonly recovered: boolean };

/** Where a session's requests go: it may be used through several wires, and accounts, in turn. */
export type Via<W extends object = object> = { readonly wire: Wire<W>; readonly endpoint: string | undefined };

/** The session as it will be once a request of another wire is published; undefined: it is there already. */
export type Moves = (session: SessionState, via: Via, request: object, settings: SessionState["settings"]) => Move | undefined;

/** Pure: what is published meanwhile is kept. */
export type Move<W extends object = object> = (session: SessionState<W>) => SessionState<W>;

/** An ask for a landing (rule 34). `own`: what the host itself wants to land. */
type LandingAsk = { readonly own?: HostLanding };

/** `window`: as {@link foldEvent} has it. */
export function publish(session: SessionState, event: LedgerEvent, window?: readonly Entry[]): void {
  session.ledger = foldEvent(session.ledger, event, window);
}
