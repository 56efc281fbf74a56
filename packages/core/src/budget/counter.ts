import { isArray, type Value } from "../json/value.ts";
import type { Head } from "../wire/head.ts";
import { estimateNative } from "../wire/request-tokens.ts";
import { type Counting, countingFor } from "../wire/value-tokens.ts";
import type { Wire } from "../wire/wire.ts";

/** Tokens of a message, a tool or a list of them, for one model, before reports have said anything of them. */
export type Counter = (value: Value) => number;

/** Counts for one model: pictures by its formula, texts by the host's counter or the estimate. */
export function counterFor(wire: Wire, model: string, countText?: (text: string) => number): Counter {
  const counting = countingFor(wire.profile(model), countText);
  return (value) => countAny(wire, value, counting);
}

function countAny(wire: Wire, value: Value, counting: Counting): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + countAny(wire, item, counting), 0);
  return estimateNative(wire, value, counting);
}

/** The same, but a frozen value is counted once: for windows that are counted again and again. */
export function remembering(count: Counter): Counter {
  const counted = new WeakMap<object, number>();
  return (value) => {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return count(value);
    const tokens = counted.get(value) ?? count(value);
    counted.set(value, tokens);
    return tokens;
  };
}

/** What no cut takes away: what stands before the messages. */
export type Floor = { readonly tokens: number; readonly system: number; readonly tools: number };

export function floorOf(count: Counter, { system, tools }: Head): Floor {
  const parts = { system: count(system), tools: count(tools) };
  return { tokens: parts.system + parts.tools, ...parts };
}
