import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

/** `input_tokens` is the whole prompt, what was read and written included; output includes reasoning (facts 2.6). */
export function readUsage(usage: Value | undefined): Usage {
  const reported = objectOf(usage);
  const input = objectOf(reported.input_tokens_details);
  const prompt = count(reported.input_tokens);
  const cacheRead = count(input.cached_tokens);
  const cacheWrite = count(input.cache_write_tokens);
  const byLifetime = lifetimes(input.cache_write_tokens_details);
  return {
    prompt,
    uncached: prompt === undefined || cacheRead === undefined ? undefined : Math.max(prompt - cacheRead - (cacheWrite ?? 0), 0),
    cacheRead,
    cacheWrite,
    ...(byLifetime && { cacheWriteByLifetime: byLifetime }),
    output: count(reported.output_tokens),
    reasoning: count(objectOf(reported.output_tokens_details).reasoning_tokens),
  };
}

const lifetimeName = /^ttl_(\w+)_tokens$/;

/** `{ ttl_30m_tokens: 1200 }` as `{ "30m": 1200 }`. */
function lifetimes(details: Value | undefined): Record<string, number> | undefined {
  const found = Object.entries(objectOf(details)).flatMap(([name, tokens]) => {
    const lifetime = lifetimeName.exec(name)?.[1];
    return lifetime === undefined || typeof tokens !== "number" ? [] : [[lifetime, tokens] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function count(value: Value | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function objectOf(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {};
}
