import { OverflowError } from "./errors.ts";
import type { GainOptions } from "./gain.ts";
import type { Held } from "./held.ts";
import {
  inputFor,
  judged,
  type Outcome,
  type OverflowInput,
  type OverflowMeasure,
  type OverflowStrategy,
  type Urgency,
} from "./strategy.ts";

/** What a session remembers of its landings. Plain JSON: it goes into the snapshot. */
export type RunnerState = {
  /** Failures in a row. */
  readonly failures: number;
  /** The breaker is open until then, in milliseconds since the epoch. */
  readonly pausedUntil: number | undefined;
  /** Landings in a row that left the window above high water. */
  readonly fruitless: number;
};

export const freshRunner: RunnerState = { failures: 0, pausedUntil: undefined, fruitless: 0 };

/** What strategies are held to. */
export type RunnerOptions = GainOptions & {
  /** Milliseconds for which the breaker stays open after three failures in a row. Default one minute. */
  readonly pauseMs?: number | undefined;
};

/** What came of a run. */
export type Run = {
  readonly state: RunnerState;
  readonly outcome: Outcome | undefined;
  readonly failures: readonly OverflowError[];
  /** Why nothing was tried, or what was found was not worth it. */
  readonly held: HeldBack | undefined;
};

type HeldBack = Held & { readonly by: "breaker" | "loop-guard" | "minimum-gain"; readonly why: string };

const failuresMax = 3;
const fruitlessMax = 2;
const pauseMsDefault = 60_000;

/**
 * Runs a strategy once (rule 43): not while the breaker is open, not after two landings that gained no headroom, not where it costs more than it saves. Over the limit it always gets one
 * attempt. @throws the signal's own reason.
 */
export async function run(
  strategy: OverflowStrategy,
  input: OverflowInput,
  before: RunnerState,
  { pauseMs = pauseMsDefault }: Pick<RunnerOptions, "pauseMs">,
  now: number,
): Promise<Run> {
  const state = input.measure.tokens > input.measure.highWater ? before : { ...before, fruitless: 0 };
  const held = heldBy(state, input, now);
  if (held !== undefined) return { state, outcome: undefined, failures: [], held };
  const outcome = await attempt(strategy, input);
  input.signal.throwIfAborted();
  const failures = outcome instanceof OverflowError ? [outcome] : failuresOf(outcome, strategy, input);
  const landed = outcome instanceof OverflowError || gainsNothing(outcome, input) ? undefined : judged(outcome, input);
  return {
    state: nextState(state, input, landed, failures, now + pauseMs),
    outcome: landed,
    failures,
    held: landed?.status === "unchanged" && landed.declined === true ? { by: "minimum-gain", why: landed.why } : undefined,
  };
}

async function attempt(strategy: OverflowStrategy, input: OverflowInput): Promise<Outcome | OverflowError> {
  try {
    return await strategy.run(inputFor(strategy, input));
  } catch (error) {
    return error instanceof OverflowError ? error : new OverflowError(strategy.name, "invalid", messageOf(error), error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Nothing lands that gains no room. */
function gainsNothing(outcome: Outcome, input: OverflowInput): boolean {
  return outcome.status === "replaced" && input.after(outcome.changes).measure.tokens >= input.measure.tokens;
}

function failuresOf(outcome: Outcome, strategy: OverflowStrategy, input: OverflowInput): readonly OverflowError[] {
  if (outcome.status !== "replaced") return [];
  const own = outcome.failures ?? [];
  return gainsNothing(outcome, input) ? [...own, new OverflowError(strategy.name, "too-long")] : own;
}

function heldBy({ pausedUntil, fruitless }: RunnerState, { urgency, measure }: OverflowInput, now: number): HeldBack | undefined {
  if (urgency === "over") return undefined;
  if (pausedUntil !== undefined && now < pausedUntil)
    return { by: "breaker", why: `${failuresMax} failures in a row; tried again in ${Math.ceil((pausedUntil - now) / 1_000)} s` };
  if (fruitless >= fruitlessMax) return { by: "loop-guard", why: figures(measure) };
  return undefined;
}

function figures({ floor, tokens, limit, highWater }: OverflowMeasure): string {
  return `${fruitlessMax} landings left the window above high water ${highWater}: floor ${floor}, kept ${tokens - floor}, limit ${limit}`;
}

function nextState(
  state: RunnerState,
  input: OverflowInput,
  outcome: Outcome | undefined,
  failures: readonly OverflowError[],
  pause: number,
): RunnerState {
  const succeeded = outcome?.finished === true || outcome?.status === "replaced";
  const count = (succeeded ? 0 : state.failures) + failures.length;
  const broken = failures.length > 0 && count >= failuresMax;
  return {
    failures: count,
    pausedUntil: broken ? pause : count === 0 ? undefined : state.pausedUntil,
    fruitless: outcome?.status === "replaced" ? fruitlessAfter(state, input, outcome) : state.fruitless,
  };
}

function fruitlessAfter({ fruitless }: RunnerState, input: OverflowInput, { changes }: Outcome & { readonly status: "replaced" }): number {
  const { tokens, highWater } = input.after(changes).measure;
  return tokens > highWater ? fruitless + 1 : 0;
}

/** Share of the way from low to high water at which a background job may start. */
const earlyShare = 0.6;

/** How badly a window needs room; undefined: not at all. */
export function urgencyOf({ tokens, limit, highWater, lowWater }: OverflowMeasure, asked: boolean): Urgency | undefined {
  if (asked || tokens > limit) return "over";
  if (tokens > highWater) return "high";
  return tokens > lowWater + (highWater - lowWater) * earlyShare ? "early" : undefined;
}
