import { type SessionUsage, usageOf } from "../budget/usage-sum.ts";
import type { Explanation } from "../continuity/explain.ts";
import { objectOf, text } from "../json/check.ts";
import { copyValue, isObject } from "../json/value.ts";
import { provenLast } from "../ledger/state.ts";
import { compactsTwice } from "../overflow/strategy.ts";
import type { Source } from "../sources/source.ts";
import { checked } from "../wire/checked.ts";
import { explainSession } from "./accounts.ts";
import { askLanding, pinMessage, revokeLanding } from "./ask-landing.ts";
import { refusalOf } from "./check-call.ts";
import { collectReadings, collects, publishReadings } from "./collect.ts";
import { AmbiguousSettleError, NothingToSettleError, SessionWaitsError } from "./errors.ts";
import type { HostLanding, Landing } from "./landing.ts";
import type { Listener, SessionEvents } from "./listeners.ts";
import { makeTurn } from "./make-turn.ts";
import { fetchMedia } from "./media.ts";
import { forked, newState } from "./new-state.ts";
import { heldBy, observedTurn } from "./observe.ts";
import { checkOptions, type SessionOptions, strategyOf } from "./options.ts";
import { policyVersion } from "./policy.ts";
import { draftRequest, peekRequest } from "./prepare.ts";
import { type PrepareOptions, prepareShape } from "./prepare-options.ts";
import { commitRequest, committed } from "./publish-request.ts";
import { recover } from "./recover.ts";
import { type Move, publish, type Saving, type SessionState, type Via } from "./session-state.ts";
import { settleTurn } from "./settle.ts";
import { loadSnapshot, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { clearSource, setSource } from "./sources.ts";
import { tellTurn } from "./tell-turn.ts";
import { capOf, type SessionTools, sessionTools } from "./tools.ts";
import type { Settled, Turn } from "./turn.ts";
import { type StoredDifference, verifyHistory } from "./verify.ts";

/** Keeps the requests of one agent conversation append-only. */
export interface Session<W extends object = object> {
  /**
   * Makes the next request of a host's history: what was sent goes out again byte for byte, what is new is admitted, and what cannot be repeated is reported. The host's objects
   * are not changed. The same type of request comes out as went in.
   * @throws {TidemarkError} `invalid-request`, `pending-calls`, `shape`, `value-…`; the signal's own reason when it is aborted. Nothing is changed then.
   */
  prepare<R extends W>(request: R, options?: PrepareOptions): Promise<Turn<R>>;
  /** What `prepare` would do and cost. Sends and changes nothing. */
  peek<R extends W>(request: R): Omit<Turn<R>, "settle" | "number">;
  /** Which messages of a stored history would not repeat what was sent, and why. Changes nothing. */
  verify(messages: readonly unknown[]): readonly StoredDifference[];
  /** Why the provider's cache did, or did not, serve the last settled turn. */
  explain(): Explanation;
  /** What the settled replies have reported in all: tokens, the share of prompts that came from the cache, the price where prices are known. A fork counts from its parent's on. */
  usage(): SessionUsage;
  /** Sugar for `turn.settle` of the last turn. @throws {AmbiguousSettleError} when two turns are open. */
  settle(reply: object): Settled;
  /** A session of its own that continues this one's window; neither sees what the other does. */
  fork(): Session<W>;
  /**
   * What a source says from the next request on. Set several times between two requests it is said once; set and set back says nothing.
   * @throws {SourceUnknownError} @throws {SourceValueError}
   */
  set<In>(source: Source<In>, value: NoInfer<In>): void;
  /** A source says no more; what it said is taken back. @throws {SourceUnknownError} */
  clear(source: Source<never>): void;
  /**
   * Asks for a landing in the next request, once: by the session's strategy, or with the host's own words in place of messages `[from, to)` of the last window.
   * @throws {LandingError} for a range that is none.
   */
  compact(own?: HostLanding): void;
  /** Keeps a message of the history, told by value, in the window. Returns what unpins it. */
  pin(message: object): () => void;
  /** Shortens one result to this text, from the next request outside of a tool turn on. */
  fold(callId: string, text: string): void;
  /** Drops a landing: what it replaced shows again in the next request. @throws {LandingError} */
  revoke(landing: number): void;
  /**
   * Answers a refusal for length, once: makes room as over the limit and gives the next request, of the type that went into `prepare`. Any other error is thrown as it is: nothing is
   * taken out of a window for it.
   * @throws the error itself, when it is not about length or its request was a recovery already.
   */
  recover<R extends W = W>(error: unknown): Promise<Turn<R>>;
  /** Landings so far, oldest first; of a restored session those since. */
  readonly landings: readonly Landing[];
  /** Cap of a tool's result in tokens, so that a ranged read can stop within it; undefined: none. Before the first request: the least that it will be. */
  resultCap(tool: string): number | undefined;
  /** What a call is to be answered with instead of being run: it is banned, or not offered now, under whatever name it goes. Undefined: run it. Ask before each call. */
  checkCall(name: string): string | undefined;
  /** Which calls are run (`ban`, `allow`), and Tidemark's own tools (`own`, `call`): memory's, recall where the session has an archive, and `new_context`. */
  readonly tools: SessionTools<W>;
  /** Starts over: the next request carries a `ledger` checkpoint at 0. */
  restart(): void;
  /** The session as plain JSON, for {@link restoreSession}. Take one after `prepare` or `settle`; it holds no conversation text that the history brings back. */
  snapshot(): Snapshot;
  /** Of a session from {@link openSession}: waits until the store has what was settled so far. @throws {SessionConflictError}, or what the store rejected with. */
  saved(): Promise<void>;
  /** Hears of something, each time; gives what ends that. A listener that throws, or rejects, fails no request: the event `listener-error` tells of it. */
  on<E extends keyof SessionEvents>(event: E, listener: Listener<E>): () => void;
}

/** @throws {OptionError} naming the first wrong option by its path. */
export function createSession<W extends object>(options: SessionOptions<W>): Session<W> {
  return sessionOver(opened(newState(checkOptions(options))));
}

/**
 * The session of a snapshot: from any history that is equal by rule 4 it renders the same bytes.
 * @throws {SnapshotError} for one that is damaged, of another version or wire; nothing is made then.
 */
export function restoreSession<W extends object>(snapshot: unknown, options: SessionOptions<W>): Session<W> {
  return sessionOver(opened(loadSnapshot(newState(checkOptions(options)), snapshot)));
}

/** A session that a store keeps: a new one, or that of the snapshot, which the store proves to be the last. */
export function newSession<W extends object>(options: SessionOptions<W>, snapshot: Snapshot | undefined, saving: Saving): Session<W> {
  const state = { ...newState(checkOptions(options)), saving };
  if (snapshot === undefined) return sessionOver(opened(state));
  const loaded = loadSnapshot(state, snapshot);
  return sessionOver(opened({ ...loaded, ledger: provenLast(loaded.ledger) }));
}

/** A log says with which rules and wordings a session goes on. */
function opened<W extends object>(state: SessionState<W>): SessionState<W> {
  state.log?.begin(policyVersion, state.wire.name, state.wordings, state.ledger.turns.at(-1)?.head);
  // Behind the call, so that a listener of the session that it gives back hears it.
  if (compactsTwice(strategyOf(state.options)))
    void Promise.resolve().then(() => state.listeners.tell("warning", { code: "two-compactions", message: twoCompactions }));
  return state;
}

const twoCompactions =
  "The strategy holds both server and onDemandCompaction: the provider refuses its threshold beside a block that it was asked for, so that the threshold is named only until the first such block. Use one of them.";

const foldShape = objectOf({ callId: text, text });

const states = new WeakMap<object, SessionState>();

/** What is behind a session. */
export function stateOf<W extends object>(session: Session<W>): SessionState {
  return states.get(session) as SessionState;
}

/** A session, through one of its wires. */
export function sessionOver<W extends object>(
  state: SessionState<W>,
  via: Via<W> = { wire: state.wire, endpoint: state.options.endpoint },
): Session<W> {
  const session = sessionThrough(state, via);
  states.set(session, state as unknown as SessionState);
  return session;
}

function sessionThrough<W extends object>(state: SessionState<W>, via: Via<W>): Session<W> {
  return {
    prepare: (request, options) => prepare(state, via, request, options),
    peek: (request) => peek(state, via, request),
    verify: (messages) => verifyHistory(state, messages),
    explain: () => explainSession(state),
    usage: () => usageOf(state.usage),
    settle: (reply) => settleTurn(state, { wire: via.wire, number: onlyOpenTurn(state), lead: 0 }, reply),
    fork: () => sessionOver(forked(state), via),
    set: (source, value) => setSource(state, source, value),
    clear: (source) => clearSource(state, source),
    compact: (own) => askLanding(state, own),
    pin: (message) => pinMessage(state, message),
    fold: (callId, text) => {
      checked({ callId, text }, foldShape);
      state.folds = new Map([...state.folds, [callId, text]]);
    },
    revoke: (landing) => revokeLanding(state, landing),
    recover: <R extends W>(error: unknown) =>
      recover(state, error, (session, request, options) => prepare(session, via, request, options)) as Promise<Turn<R>>,
    get landings() {
      return state.landings;
    },
    resultCap: (tool) => capOf(state, tool),
    checkCall: (name) => refusalOf(state, name),
    tools: sessionTools(state),
    restart: () => restart(state),
    snapshot: () => takeSnapshot(state),
    saved: () => state.queue.run(() => state.saving?.assertSaved(), undefined),
    on: (event, listener) => state.listeners.on(event, listener),
  };
}

function peek<W extends object, R extends W>(state: SessionState<W>, via: Via<W>, request: R): Turn<R> {
  const held = heldBy(via.wire, request);
  if (held !== undefined) return observedTurn(state, via.wire, request, held);
  const there = moveOf(state, via, request, state.settings)?.(state) ?? state;
  return makeTurn(there, peekRequest(there, request));
}

/** Asynchronous as a whole: what is wrong with a request rejects, whether or not other calls wait. */
async function prepare<W extends object, R extends W>(
  state: SessionState<W>,
  via: Via<W>,
  request: R,
  options: PrepareOptions = {},
): Promise<Turn<R>> {
  checked(options, prepareShape);
  if (options.signal !== undefined && state.handedOut.has(options.signal)) throw new SessionWaitsError();
  const asCalled = state.queue.busy ? snapshotOf(request) : request;
  const { settings } = state;
  return state.queue.run(async () => {
    const held = heldBy(via.wire, asCalled);
    if (held !== undefined) return observedTurn(state, via.wire, asCalled, held);
    if (state.mediaAway) {
      await fetchMedia(state);
      state.mediaAway = false;
    }
    const readings = collects(state) ? await collectReadings(state, settings) : { settings, seen: state.seen };
    options.signal?.throwIfAborted();
    const move = moveOf(state, via, asCalled, readings.settings);
    const prepared = await draftRequest(move?.(state) ?? state, asCalled, readings.settings, options);
    if (state.saving !== undefined) {
      const next = committed(move?.(state) ?? state, prepared);
      publishReadings(next, readings);
      await state.saving.save(next as unknown as SessionState);
      state.stored = next.stored;
    }
    if (move !== undefined) {
      Object.assign(state, move(state));
      state.log?.moved(via.wire.name);
    }
    commitRequest(state, prepared);
    publishReadings(state, readings);
    state.unanswered = { turn: prepared.draft.turn, request: asCalled, options, recovered: false };
    const turn = makeTurn(state, prepared);
    tellTurn(state, turn, prepared);
    return turn;
  }, options.signal);
}

function moveOf<W extends object, R extends W>(
  state: SessionState<W>,
  via: Via<W>,
  request: R,
  settings: SessionState["settings"],
): Move<W> | undefined {
  return state.moves?.(state as unknown as SessionState, via as unknown as Via, request, settings) as Move<W> | undefined;
}

function restart<W extends object>(state: SessionState<W>): void {
  publish(state as unknown as SessionState, { type: "restarted" });
  state.log?.restarted();
  state.saving?.soon(state as unknown as SessionState);
}

/** While others wait, the host may go on changing its objects: the request is worked on as it was when it was handed over (rule 45). */
function snapshotOf<R extends object>(request: R): R {
  const copy = copyValue(request);
  return (isObject(copy) ? copy : request) as unknown as R;
}

function onlyOpenTurn(state: Pick<SessionState, "open">): number {
  const [first, ...others] = state.open;
  if (first === undefined) throw new NothingToSettleError();
  if (others.length > 0) throw new AmbiguousSettleError(state.open);
  return first;
}
