import type { Limits } from "../budget/limits.ts";
import { type Meter, measureWindow, tokensIn } from "../budget/measure.ts";
import { digestText } from "../json/canonical.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import type { HostHistory } from "../ledger/host-history.ts";
import type { LandingFacts, Verdict } from "../ledger/verdict.ts";
import { foldResults } from "../overflow/elide.ts";
import { FloorError, type OverflowError, OverLimitError } from "../overflow/errors.ts";
import { paysOff } from "../overflow/gain.ts";
import { type Held, heldParts } from "../overflow/held.ts";
import { inputOver, landed, type Situation } from "../overflow/input.ts";
import { type RunnerOptions, type RunnerState, run, urgencyOf } from "../overflow/runner.ts";
import {
  type Change,
  inputFor,
  type Outcome,
  type OverflowInput,
  type OverflowMeasure,
  type OverflowStrategy,
  type Prefix,
  type Urgency,
} from "../overflow/strategy.ts";
import type { Wire } from "../wire/wire.ts";
import { hostChange } from "./ask-landing.ts";
import { type Landing, landingOf } from "./landing.ts";
import { strategyOf } from "./options.ts";
import { pinnedBy } from "./pins.ts";
import type { SessionState } from "./session-state.ts";
import { idleBeyond } from "./time-to-live.ts";

/** A window that comes to be fitted, and what can be done with it. */
export type Fitting = {
  /** Before the sources speak, and behind that. */
  readonly silent: Draft;
  readonly draft: Draft;
  readonly history: HostHistory;
  readonly verdict: Verdict;
  readonly meter: Meter;
  readonly signal: AbortSignal | undefined;
  readonly lends: boolean;
  /** The request may name betas, so that the provider can be asked to compact (rule 58). */
  readonly compacts: boolean;
  /** The request may pass high water for once, up to the limit (rule 33). */
  readonly headroom: boolean;
  /** Lets the sources speak anew behind a changed window. */
  readonly speak: (draft: Draft) => Draft;
  /** Archives a text that leaves the window and gives its reference; undefined: there is no archive. */
  readonly reference: (text: string, about: ObjectValue) => string | undefined;
  readonly render: (draft: Draft, entries: number, words: string | undefined) => Prefix;
};

/** The part of a session that landings are remembered in. */
export type Remembering = Pick<SessionState, "runner" | "asked" | "landings">;

/** The window as it goes out, and what landed in it. */
export type Fitted = {
  readonly draft: Draft;
  readonly landing: (Landing & LandingFacts) | undefined;
  /** What kept it above its marks. */
  readonly held: readonly Held[];
  /** What the session remembers once the request is published, and what is done then. */
  readonly remember: (session: Remembering) => void;
  readonly publish: () => void;
};

/**
 * Brings a window that is above its marks down again (rules 33 to 44). Nothing is published here but failures, which happened.
 * @throws {FloorError} {@link OverLimitError} when the window does not fit whatever is tried.
 */
export async function fit<W extends object>(session: SessionState<W>, fitting: Fitting): Promise<Fitted> {
  const { draft, meter } = fitting;
  const strategy = strategyOf(session.options);
  const limits = meter.limits;
  const asked = session.asked;
  const wanted = asked?.own !== undefined || session.folds.size > 0;
  if (limits === undefined || (strategy === undefined && !wanted)) {
    // Nothing here makes room: what was refused would be refused again.
    if (session.refused !== undefined) throw session.refused.error;
    return asItIs(draft);
  }
  const measure = (window: Draft): OverflowMeasure => measured(session, fitting, window, limits);
  const now = measure(fitting.silent);
  const { floor } = measureWindow(meter, draft).measure;
  if (floor.tokens > limits.limit) throw new FloorError(floor, limits.limit);
  const urgency = urgencyOf(now, asked !== undefined) ?? (wanted ? "early" : undefined);
  if (urgency === undefined) return asItIs(draft);
  if (urgency === "high" && fitting.headroom) return asItIs(draft, [{ by: "headroom", why: "this request may pass high water" }]);
  const stop = linked(fitting.signal);
  session.handedOut.add(stop.signal);
  try {
    const situation = situationOf(session, fitting, { urgency, signal: stop.signal, measure });
    return await fitted(session, fitting, situation, strategy);
  } finally {
    stop.release();
  }
}

export function asItIs(draft: Draft, held: readonly Held[] = []): Fitted {
  return { draft, landing: undefined, held: Object.freeze(held), remember: () => {}, publish: () => {} };
}

async function fitted<W extends object>(
  session: SessionState<W>,
  fitting: Fitting,
  situation: Situation,
  strategy: OverflowStrategy | undefined,
): Promise<Fitted> {
  const { silent, draft, history } = fitting;
  const input = inputOver(situation, silent);
  const needed = urgencyOf(input.measure, session.asked !== undefined) !== undefined;
  const done = await tried(session, input, strategy, { lead: draft.lead, needed });
  const cut = landed(situation, silent, done.changes);
  const { tokens } = situation.measure(cut);
  const parts = (): readonly Held[] => heldParts(inputOver(situation, cut).groups, input.measure.floor);
  // What the provider refused is not sent as it was, whatever the count says.
  const again = session.refused !== undefined && done.changes.length === 0;
  if (tokens > input.measure.limit || again)
    throw new OverLimitError(tokens, input.measure.limit, parts(), again ? session.refused?.error : done.failures[0]);
  const landing =
    done.changes.length === 0
      ? undefined
      : landingOf({ number: session.ledger.nextLanding, draft, history, input, after: cut, tokens, ...done });
  return {
    draft: landing === undefined ? draft : fitting.speak(cut),
    landing,
    held: Object.freeze(heldAbove(input.measure, tokens, done, parts)),
    remember: (next) => {
      next.runner = done.state;
      next.asked = undefined;
      if (landing !== undefined) next.landings = [...next.landings, landing];
    },
    publish: () => {
      done.landed();
      if (landing !== undefined) session.listeners.tell("landing", landing);
    },
  };
}

type Tried = {
  readonly strategy: string;
  readonly changes: readonly Change[];
  readonly failures: readonly OverflowError[];
  readonly state: RunnerState;
  /** Why nothing landed. */
  readonly held: readonly Held[];
  readonly landed: () => void;
};

/** Of a window above high water why nothing was done; of one that was cut and is still above low water, and of one in which nothing was found, what stands in it. */
function heldAbove(
  { highWater, lowWater }: OverflowMeasure,
  tokens: number,
  { changes, held }: Tried,
  parts: () => readonly Held[],
): readonly Held[] {
  if (changes.length > 0) return tokens > lowWater ? parts() : [];
  if (tokens <= highWater) return [];
  return held.every(({ by }) => by === "unchanged" || by === "failed") ? [...held, ...parts()] : held;
}

async function tried<W extends object>(
  session: SessionState<W>,
  input: OverflowInput,
  strategy: OverflowStrategy | undefined,
  { lead, needed }: { readonly lead: number; readonly needed: boolean },
): Promise<Tried> {
  const own = hostChanges(session, input, lead);
  const nothing = { changes: [], failures: [], state: session.runner, held: [], landed: () => {} };
  if (own !== undefined) return { ...nothing, strategy: "host", ...own };
  if (strategy === undefined || !needed) return { ...nothing, strategy: "none" };
  const { now = Date.now } = session.options;
  const { outcome, state, failures, held } = await run(strategy, input, session.runner, runnerOptions(session), now());
  if (failures.length > 0) session.runner = { ...session.runner, failures: state.failures, pausedUntil: state.pausedUntil };
  for (const error of failures)
    session.listeners.tell("overflow", { status: "failed", strategy: error.strategy, why: error.message, error });
  if (held !== undefined) session.listeners.tell("overflow", { status: "held", strategy: strategy.name, why: `${held.by}: ${held.why}` });
  if (outcome === undefined || outcome.status !== "replaced") {
    if (outcome !== undefined && held === undefined)
      session.listeners.tell("overflow", { status: outcome.status, strategy: strategy.name, why: outcome.why });
    return {
      ...nothing,
      strategy: strategy.name,
      failures,
      state,
      held: held === undefined ? heldWithout(strategy, input, outcome, failures) : [held],
    };
  }
  return { strategy: strategy.name, changes: outcome.changes, failures, state, held: [], landed: () => outcome.landed?.() };
}

function runnerOptions<W extends object>({ options: { overflow } }: SessionState<W>): RunnerOptions {
  return overflow === undefined || "run" in overflow ? {} : overflow;
}

/** Why a strategy that ran landed nothing. */
function heldWithout(
  strategy: OverflowStrategy,
  input: OverflowInput,
  outcome: Exclude<Outcome, { readonly status: "replaced" }> | undefined,
  failures: readonly OverflowError[],
): readonly Held[] {
  if (outcome === undefined) return failures.map(({ message }) => ({ by: "failed", why: message }));
  const waits = outcome.status === "unchanged" && inputFor(strategy, input).urgency !== input.urgency;
  return [{ by: waits ? "tool-turn" : outcome.status, why: waits ? "the landing waits for the end of the tool turn" : outcome.why }];
}

/** What the host itself wants to have landed. */
function hostChanges<W extends object>(
  session: SessionState<W>,
  input: OverflowInput,
  lead: number,
): Pick<Tried, "changes" | "landed"> | undefined {
  const { asked, folds } = session;
  const forms = input.openCalls.length > 0 && input.urgency !== "over" ? new Map() : foldResults(input, folds);
  const changes: Change[] = forms.size === 0 ? [] : [{ kind: "elision", forms }];
  if (asked?.own !== undefined) changes.push(hostChange(asked.own, lead, input));
  if (changes.length === 0) return undefined;
  const landed = (): void => {
    if (forms.size > 0 && session.folds === folds) session.folds = new Map();
  };
  return { changes, landed };
}

function situationOf<W extends object>(
  session: SessionState<W>,
  fitting: Fitting,
  { urgency, signal, measure }: { readonly urgency: Urgency; readonly signal: AbortSignal; readonly measure: Situation["measure"] },
): Situation {
  const wire = session.wire as unknown as Wire;
  const { wordings, ledger } = session;
  const { prices } = wire.profile(fitting.draft.head.model);
  return {
    ...{ wire, wordings, urgency, signal, measure, session: session.identity },
    landing: { wire, wordings, lends: fitting.lends, landing: ledger.nextLanding, settles: ledger.settles },
    count: (value: Value) => tokensIn(fitting.meter, value),
    pays: (gain) => paysOff(gain, runnerOptions(session), prices),
    pinned: pinnedBy(wire, session.pins, session.options.pinned),
    render: fitting.render,
    compaction: fitting.compacts ? wire.compaction : undefined,
    reference: (text, range) => {
      const about = { turn: fitting.silent.turn, landing: ledger.nextLanding };
      return fitting.reference(text, range === undefined ? about : { ...about, ...range, source: digestText(text) });
    },
  };
}

/** A window is measured with what the sources will say behind it. */
function measured<W extends object>(
  session: SessionState<W>,
  { meter, verdict, speak }: Fitting,
  window: Draft,
  limits: Limits,
): OverflowMeasure {
  const { tokens, floor } = measureWindow(meter, speak(window)).measure;
  const { limit, highWater, lowWater } = limits;
  const cold = verdict.checkpoints.length > 0 || idleBeyond(session);
  return { tokens, limit, highWater, lowWater, floor: floor.tokens, cold };
}

/** A signal of its own, that is aborted with the host's: what a strategy is given is known again when it comes back. */
function linked(signal: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return { signal: stop.signal, release: () => signal?.removeEventListener("abort", abort) };
}
