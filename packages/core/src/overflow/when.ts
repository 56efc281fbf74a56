import { callable, objectOf, text, wholeFrom } from "../json/check.ts";
import { checked } from "../wire/checked.ts";
import { type OverflowInput, type OverflowStrategy, strategyShape, unchanged } from "./strategy.ts";

/** Something that a strategy waits for. */
export type Condition = { readonly name: string; readonly holds: (input: OverflowInput) => boolean };

const parts = objectOf({ condition: objectOf({ name: text, holds: callable }), strategy: strategyShape });

/** Runs a strategy only where a condition holds. @throws {OptionError} for what is no condition or no strategy. */
export function when(condition: Condition, strategy: OverflowStrategy): OverflowStrategy {
  checked({ condition, strategy }, parts);
  return {
    name: `when(${condition.name}, ${strategy.name})`,
    signed: strategy.signed === true,
    parts: [strategy],
    run: async (input) => (condition.holds(input) ? strategy.run(input) : unchanged(`not ${condition.name}`)),
  };
}

/** Nothing would be read from the cache anyway. */
export function cold(): Condition {
  return { name: "cold", holds: ({ measure }) => measure.cold };
}

/** Outside a tool turn. */
export function boundary(): Condition {
  return { name: "at a boundary", holds: ({ openCalls }) => openCalls.length === 0 };
}

/** The request has more tokens than these. @throws {OptionError} for what is no whole number. */
export function tokensAbove(tokens: number): Condition {
  checked(tokens, wholeFrom(0), "tokens");
  return { name: `above ${tokens} tokens`, holds: ({ measure }) => measure.tokens > tokens };
}
