import { isArray, isObject, type Value } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

/** `inputTokens` is the uncached part only, so the prompt is the sum of three figures (facts 4). Writes by lifetime stand in `cacheDetails`. */
export function readUsage(value: Value): Usage {
  const usage = isObject(value) ? value : {};
  const uncached = count(usage.inputTokens);
  const cacheRead = count(usage.cacheReadInputTokens);
  const cacheWrite = count(usage.cacheWriteInputTokens);
  const byLifetime = lifetimes(usage.cacheDetails);
  return {
    prompt: uncached === undefined ? undefined : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    uncached,
    cacheRead,
    cacheWrite,
    ...(byLifetime && { cacheWriteByLifetime: byLifetime }),
    output: count(usage.outputTokens),
    reasoning: undefined,
  };
}

function count(value: Value | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function lifetimes(details: Value | undefined): Record<string, number> | undefined {
  if (!isArray(details)) return undefined;
  const found = details.flatMap((detail) => {
    if (!isObject(detail) || typeof detail.ttl !== "string" || typeof detail.inputTokens !== "number") return [];
    return [[detail.ttl, detail.inputTokens] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
