import type { ObjectValue, Value } from "../../json/value.ts";

/** Members that mark a part for the cache: OpenAI's, and the one that OpenRouter takes in its place (facts 2.6, 5). */
export const markNames: readonly string[] = ["prompt_cache_breakpoint", "cache_control"];

export function markOn(part: ObjectValue): Value | undefined {
  return part.prompt_cache_breakpoint ?? part.cache_control ?? undefined;
}

/** A mark goes back under the name it came with: only a breakpoint has a mode. */
export function markMember(mark: Value): ObjectValue {
  const isBreakpoint = typeof mark === "object" && mark !== null && "mode" in mark;
  return isBreakpoint ? { prompt_cache_breakpoint: mark } : { cache_control: mark };
}
