import type { ObjectValue, Value } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

/**
 * `prompt_eval_count` is the whole prompt, cached tokens included, since pull request 16428 (June 2026). What was read from the cache is reported nowhere
 * (issue 8008), so it is undefined and not 0. `eval_count` covers the thinking.
 */
export function readUsage({ prompt_eval_count, eval_count }: ObjectValue): Usage {
  return {
    prompt: count(prompt_eval_count),
    uncached: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
    output: count(eval_count),
    reasoning: undefined,
  };
}

function count(value: Value | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
