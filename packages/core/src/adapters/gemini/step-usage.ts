import { isObject, type ObjectValue } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";

/** Recorded totals are the sum of input, what server tools put in, output and thoughts (facts 12, 27): output is without thoughts. */
export function readStepUsage({ usage: found }: ObjectValue): Usage {
  const usage = isObject(found) ? found : {};
  const tokens = (name: string): number | undefined => {
    const value = usage[name];
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  };
  const input = tokens("total_input_tokens");
  const prompt = input === undefined ? undefined : input + (tokens("total_tool_use_tokens") ?? 0);
  const cacheRead = tokens("total_cached_tokens");
  const [said, reasoning] = [tokens("total_output_tokens"), tokens("total_thought_tokens")];
  return {
    prompt,
    uncached: prompt === undefined || cacheRead === undefined ? undefined : Math.max(prompt - cacheRead, 0),
    cacheRead,
    cacheWrite: undefined,
    output: said === undefined && reasoning === undefined ? undefined : (said ?? 0) + (reasoning ?? 0),
    reasoning,
  };
}
