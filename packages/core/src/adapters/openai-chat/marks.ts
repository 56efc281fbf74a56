import type { ObjectValue, Value } from "../../json/value.ts";

/** Members that mark a part, a call, a message or a tool for the cache: Anthropic's way, which OpenRouter and Qwen take, and OpenAI's. */
export const markNames: readonly string[] = ["cache_control", "prompt_cache_breakpoint"];

export function markOn(object: ObjectValue): Value | undefined {
  return object.cache_control ?? object.prompt_cache_breakpoint ?? undefined;
}

/** A mark goes back under the name it came with: only a breakpoint has a mode. */
export function markMember(mark: Value): ObjectValue {
  const isBreakpoint = typeof mark === "object" && mark !== null && "mode" in mark;
  return isBreakpoint ? { prompt_cache_breakpoint: mark } : { cache_control: mark };
}
