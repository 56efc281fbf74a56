import { noUsage } from "../budget/usage-sum.ts";
import { emptyState } from "../ledger/state.ts";
import { StoredParts } from "../ledger/stored-parts.ts";
import { defaultWordings } from "../ledger/wordings.ts";
import { freshRunner } from "../overflow/runner.ts";
import { Listeners } from "./listeners.ts";
import type { SessionOptions } from "./options.ts";
import { Queue } from "./queue.ts";
import type { SessionState } from "./session-state.ts";
import { noToolRules } from "./tool-rules.ts";

/** A session that has prepared nothing yet. */
export function newState<W extends object>(options: SessionOptions<W>): SessionState<W> {
  return {
    wire: options.wire,
    options,
    moves: undefined,
    listeners: new Listeners(),
    queue: new Queue(),
    log: options.log,
    saving: undefined,
    ledger: emptyState,
    wordings: defaultWordings,
    owned: [],
    ownedBy: undefined,
    mediaAway: false,
    open: [],
    sent: [],
    accounts: [],
    sentAt: undefined,
    counted: undefined,
    report: undefined,
    calibration: undefined,
    usage: noUsage,
    replyId: undefined,
    settings: new Map(),
    readings: new Map(),
    seen: new Map(),
    writes: new Map(),
    toolRules: noToolRules,
    toolQueue: new Queue(),
    doubts: new Set(),
    identity: {},
    stored: new StoredParts(),
    handedOut: new WeakSet(),
    runner: freshRunner,
    landings: [],
    pins: [],
    folds: new Map(),
    lastAsked: {},
    unanswered: undefined,
    refused: undefined,
    contexts: new Map(),
    asked: undefined,
    rendered: undefined,
    warned: false,
  };
}

/** What a fork starts from: the window and what was learned are shared, who waits and who listens is not. */
export function forked<W extends object>(state: SessionState<W>): SessionState<W> {
  return {
    ...state,
    listeners: new Listeners(),
    queue: new Queue(),
    toolQueue: new Queue(),
    log: undefined,
    saving: undefined,
    doubts: new Set(state.doubts),
    open: [],
    stored: new StoredParts(),
    identity: {},
    asked: undefined,
  };
}
