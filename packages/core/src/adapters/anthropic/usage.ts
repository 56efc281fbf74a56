import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

/**
 * Usage as Anthropic reports it. `input_tokens` is the uncached part only, so the prompt is the sum of three figures. The top-level figures cover
 * every iteration of a reply, those of its server tools included. A compaction reports zeros there and the real figures by iteration.
 */
export function readUsage(value: Value | undefined): Usage {
  const reported = isObject(value) ? value : {};
  const usage = countedByIteration(reported) ? sumOf(reported.iterations as readonly Value[]) : reported;
  const uncached = count(usage.input_tokens);
  const cacheRead = count(usage.cache_read_input_tokens);
  const cacheWrite = count(usage.cache_creation_input_tokens);
  const byLifetime = lifetimes(usage.cache_creation);
  const passes = isArray(reported.iterations) && reported.iterations.length > 1 ? reported.iterations.length : undefined;
  const details = usage.output_tokens_details;
  return {
    prompt: uncached === undefined ? undefined : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    uncached,
    cacheRead,
    cacheWrite,
    ...(byLifetime && { cacheWriteByLifetime: byLifetime }),
    output: count(usage.output_tokens),
    reasoning: isObject(details) ? count(details.thinking_tokens) : undefined,
    ...(passes !== undefined && { passes }),
  };
}

function count(value: Value | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

const lifetimeName = /^ephemeral_(\w+)_input_tokens$/;

/** `{ ephemeral_5m_input_tokens: 1200 }` as `{ "5m": 1200 }`. */
function lifetimes(value: Value | undefined): Record<string, number> | undefined {
  if (!isObject(value)) return undefined;
  const found: Record<string, number> = {};
  for (const [name, tokens] of Object.entries(value)) {
    const lifetime = lifetimeName.exec(name)?.[1];
    if (lifetime !== undefined && typeof tokens === "number") found[lifetime] = tokens;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function countedByIteration(usage: ObjectValue): boolean {
  return isArray(usage.iterations) && usage.iterations.length > 0 && usage.input_tokens === 0 && usage.output_tokens === 0;
}

function sumOf(iterations: readonly Value[]): ObjectValue {
  const sum: Record<string, Value> = {};
  for (const iteration of iterations) {
    if (!isObject(iteration)) continue;
    for (const [name, value] of Object.entries(iteration)) {
      if (typeof value === "number") sum[name] = ((sum[name] as number | undefined) ?? 0) + value;
      else if (isObject(value)) sum[name] = sumOf([(sum[name] as ObjectValue | undefined) ?? {}, value]);
    }
  }
  return sum;
}
