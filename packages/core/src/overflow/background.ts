import { sameValue } from "../json/compare.ts";
import { checked } from "../wire/checked.ts";
import { OverflowError } from "./errors.ts";
import type { Group } from "./groups.ts";
import {
  type Change,
  inputFor,
  judged,
  type Outcome,
  type OverflowInput,
  type OverflowStrategy,
  seenAs,
  strategyShape,
} from "./strategy.ts";

/**
 * Runs a strategy beside the conversation (rule 40): it starts early, and what it made lands later, where the strategy itself might act, while what it read is still the start of the
 * window. Over the limit nothing waits: the strategy runs now.
 * @throws {OptionError} for what is no strategy.
 */
export function background(strategy: OverflowStrategy): OverflowStrategy {
  checked(strategy, strategyShape, "strategy");
  const jobs = new WeakMap<object, Job>();
  const signed = strategy.signed === true;
  return {
    name: `background(${strategy.name})`,
    signed,
    parts: [strategy],
    async run(input) {
      const { session, urgency } = input;
      const job = jobs.get(session);
      const result = job?.state.result;
      if (job !== undefined && result !== undefined) {
        const landing = await landed(strategy, job, result, input);
        if (landing?.status === "replaced") return { ...landing, landed: () => void (jobs.get(session) === job && jobs.delete(session)) };
        if (landing !== undefined) return landing;
        jobs.delete(session);
      }
      if (urgency === "over") {
        job?.stop.abort();
        jobs.delete(session);
        return runNow(strategy, result, input);
      }
      if (result instanceof OverflowError) throw result;
      if (result?.status === "unchanged" && result.declined === true) return result;
      const finished = result !== undefined;
      if (jobs.has(session)) return { status: "pending", why: `${strategy.name} is running` };
      jobs.set(session, startJob(strategy, input));
      return { status: "pending", why: `${strategy.name} was started`, finished };
    },
  };
}

type Result = Outcome | OverflowError;
type Replaced = Outcome & { readonly status: "replaced" };

/** A finished job as it lands, or waits for its moment; undefined: it is dropped, since the window is another one, or since it leaves so much of what came meanwhile that it no longer pays. */
async function landed(strategy: OverflowStrategy, job: Job, result: Result, input: OverflowInput): Promise<Outcome | undefined> {
  if (!fits(job, result, input)) return undefined;
  if (!mayLand(strategy, input)) return { status: "pending", why: `${strategy.name} is done and waits for its moment` };
  if (judged(result, input) !== result) return undefined;
  return { ...(input.urgency === "over" ? await refitted(strategy, result, input) : result), finished: true };
}

/** Over the limit a finished job lands first; where that is not enough, the strategy acts on what it left. What fails then leaves the job's landing as it is. */
async function refitted(strategy: OverflowStrategy, job: Replaced, input: OverflowInput): Promise<Replaced> {
  const rest = input.after(job.changes);
  if (rest.measure.tokens <= rest.measure.limit) return job;
  try {
    const more = await strategy.run(rest);
    return more.status === "replaced" ? { ...more, changes: [...job.changes, ...more.changes] } : job;
  } catch (error) {
    if (!(error instanceof OverflowError)) throw error;
    return { ...job, failures: [error] };
  }
}

/** Over the limit the strategy runs now, whatever came of a job; that one failed counts beside what lands. */
async function runNow(strategy: OverflowStrategy, job: Result | undefined, input: OverflowInput): Promise<Outcome> {
  const outcome = await strategy.run(input);
  if (!(job instanceof OverflowError)) return job === undefined ? outcome : { ...outcome, finished: true };
  if (outcome.status !== "replaced") throw job;
  return { ...outcome, failures: [job, ...(outcome.failures ?? [])] };
}

type Job = {
  readonly stop: AbortController;
  /** Filled by the job when it is done. */
  readonly state: { result: Result | undefined };
  /** What it reads: the window as it was when it started. */
  readonly read: readonly Group[];
  readonly head: OverflowInput["head"];
};

/** A job has its own signal, since the request that starts it ends long before it; it looks at the window as at its next boundary. */
function startJob(strategy: OverflowStrategy, input: OverflowInput): Job {
  const stop = new AbortController();
  const job: Job = { stop, state: { result: undefined }, read: input.groups, head: input.head };
  const run = async (): Promise<Outcome> => strategy.run(seenAs(input, { urgency: "high", openCalls: [], signal: stop.signal }));
  run().then(
    (outcome) => {
      job.state.result = outcome;
    },
    (error: unknown) => {
      job.state.result = error instanceof OverflowError ? error : new OverflowError(strategy.name, "invalid", String(error), error);
    },
  );
  return job;
}

/** Rule 29: a finished job may land a little early where nothing would be read from the cache anyway. */
function mayLand(strategy: OverflowStrategy, input: OverflowInput): boolean {
  const { urgency } = inputFor(strategy, input);
  return urgency !== "early" || (input.measure.cold && (input.openCalls.length === 0 || strategy.signed === true));
}

function fits(job: Job, result: Result, input: OverflowInput): result is Replaced {
  return !(result instanceof OverflowError) && result.status === "replaced" && stillThere(job, result.changes, input);
}

function isSigned(changes: readonly Change[]): boolean {
  return changes.every(({ kind }) => kind === "block");
}

/** Rule 40: what was read is the start of the window, with the same messages pinned; for a signed job the head too. */
function stillThere(job: Job, changes: readonly Change[], { groups, head }: OverflowInput): boolean {
  if (isSigned(changes) && !(sameValue(job.head.system, head.system) && sameValue(job.head.tools, head.tools))) return false;
  const to = Math.max(0, ...changes.map((change) => (change.kind === "elision" ? job.read.length : change.to)));
  return job.read.slice(0, to).every((group, index) => sameGroup(group, groups[index]));
}

function sameGroup(read: Group, now: Group | undefined): boolean {
  if (now === undefined || read.pinned !== now.pinned || read.members.length !== now.members.length) return false;
  return read.members.every(({ message }, index) => sameValue(message, now.members[index]?.message ?? null));
}
