import { isObject, type Usage, type Value } from "@tidemark/core/adapter";

/** The AI SDK's usage: its total holds what was read from and written to the cache, on every provider. */
export function readUsage(usage: Value | undefined): Usage {
  const input = isObject(usage) && isObject(usage.inputTokens) ? usage.inputTokens : {};
  const output = isObject(usage) && isObject(usage.outputTokens) ? usage.outputTokens : {};
  const [prompt, uncached, cacheRead, cacheWrite] = [input.total, input.noCache, input.cacheRead, input.cacheWrite].map(figure);
  return {
    prompt: prompt ?? sum(uncached, cacheRead, cacheWrite),
    uncached:
      uncached ?? (prompt === undefined || cacheRead === undefined ? undefined : Math.max(prompt - cacheRead - (cacheWrite ?? 0), 0)),
    cacheRead,
    cacheWrite,
    output: figure(output.total),
    reasoning: figure(output.reasoning),
  };
}

function figure(value: Value | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function sum(uncached: number | undefined, ...others: readonly (number | undefined)[]): number | undefined {
  return uncached === undefined ? undefined : others.reduce<number>((total, value) => total + (value ?? 0), uncached);
}
