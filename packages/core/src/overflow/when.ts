import { type OverflowInput, type OverflowStrategy, unchanged } from "./strategy.ts";

/** Something that a strategy waits for. */
export type Condition = { readonly name: string; readonly holds: (input: OverflowInput) => boolean };

/** Runs a strategy only where a condition holds. */
export function when(condition: Condition, strategy: OverflowStrategy): OverflowStrategy {
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

/** The request has more tokens than these. */
export function tokensAbove(tokens: number): Condition {
  return { name: `above ${tokens} tokens`, holds: ({ measure }) => measure.tokens > tokens };
}
