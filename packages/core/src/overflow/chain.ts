import { listOf } from "../json/check.ts";
import { checked } from "../wire/checked.ts";
import { OverflowError } from "./errors.ts";
import {
  type Change,
  inputFor,
  judged,
  type Outcome,
  type OverflowInput,
  type OverflowStrategy,
  strategyShape,
  unchanged,
} from "./strategy.ts";

const stepsShape = listOf(strategyShape);

/**
 * One strategy after the other, until the window is down (rule 41): it goes on when a step changes nothing, fails, or leaves the window too full. A running job stops it, unless the window
 * is over its limit; so does a step that could act and costs more than it saves.
 * @throws {OptionError} for a step that is no strategy.
 */
export function chain(...steps: readonly OverflowStrategy[]): OverflowStrategy {
  checked(steps, stepsShape);
  return {
    name: `chain(${steps.map(({ name }) => name).join(", ")})`,
    signed: steps.some(({ signed }) => signed === true),
    parts: steps,
    run: (input) => runSteps(steps, input),
  };
}

async function runSteps(steps: readonly OverflowStrategy[], input: OverflowInput): Promise<Outcome> {
  const done = new Done();
  let now = input;
  for (const step of steps) {
    now.signal.throwIfAborted();
    const outcome = await attempt(step, inputFor(step, now));
    done.add(step, outcome);
    if (outcome instanceof OverflowError) continue;
    if (outcome.status === "unchanged") {
      if (outcome.declined === true) return done.outcome("declined");
      continue;
    }
    if (outcome.status === "pending") {
      if (input.urgency !== "over") return done.outcome("pending");
      continue;
    }
    now = now.after(outcome.changes);
    if (isDown(now)) break;
  }
  return done.outcome("unchanged");
}

async function attempt(step: OverflowStrategy, input: OverflowInput): Promise<Outcome | OverflowError> {
  try {
    return judged(await step.run(input), input);
  } catch (error) {
    if (error instanceof OverflowError) return error;
    throw error;
  }
}

/** What the steps so far have come to. */
class Done {
  readonly #changes: Change[] = [];
  readonly #failures: OverflowError[] = [];
  readonly #landed: (() => void)[] = [];
  readonly #whys: string[] = [];
  #finished = false;

  add(step: OverflowStrategy, outcome: Outcome | OverflowError): void {
    if (outcome instanceof OverflowError) {
      this.#failures.push(outcome);
      return;
    }
    this.#finished ||= outcome.finished === true;
    if (outcome.status !== "replaced") {
      this.#whys.push(`${step.name}: ${outcome.why}`);
      return;
    }
    this.#changes.push(...outcome.changes);
    this.#failures.push(...(outcome.failures ?? []));
    if (outcome.landed !== undefined) this.#landed.push(outcome.landed);
  }

  /** @throws {OverflowError} where a step failed and nothing landed. */
  outcome(otherwise: "pending" | "unchanged" | "declined"): Outcome {
    const finished = this.#finished;
    const landed = (): void => {
      for (const step of this.#landed) step();
    };
    if (this.#changes.length > 0) return { status: "replaced", changes: this.#changes, failures: this.#failures, landed, finished };
    const [failure] = this.#failures;
    if (failure !== undefined && otherwise === "unchanged") throw failure;
    const why = this.#whys.join("; ");
    return otherwise === "declined" ? { ...unchanged(why), declined: true, finished } : { status: otherwise, why, finished };
  }
}

/** Over the limit a step is enough when the window fits; else when it is no longer above high water. */
function isDown({ measure, urgency }: OverflowInput): boolean {
  return measure.tokens <= (urgency === "over" ? measure.limit : measure.highWater);
}
