import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";
import { memberOf } from "./layout.ts";

/** Where a surface of Gemini reports its tokens. */
type Figures = {
  readonly prompt: string;
  readonly tools: string;
  readonly cached: string;
  readonly said: string;
  readonly thought: string;
};

const ofReplies: Figures = {
  prompt: "promptTokenCount",
  tools: "toolUsePromptTokenCount",
  cached: "cachedContentTokenCount",
  said: "candidatesTokenCount",
  thought: "thoughtsTokenCount",
};
const ofSteps: Figures = {
  prompt: "total_input_tokens",
  tools: "total_tool_use_tokens",
  cached: "total_cached_tokens",
  said: "total_output_tokens",
  thought: "total_thought_tokens",
};

/** The usage of a reply (facts 3.5). */
export function readUsage(reply: ObjectValue): Usage {
  return usageOf(memberOf(reply, "usageMetadata"), ofReplies);
}

/** The usage of an interaction. Recorded totals are the sum of all five (facts 12, 27). */
export function readStepUsage({ usage }: ObjectValue): Usage {
  return usageOf(usage, ofSteps);
}

/**
 * The prompt's figure includes what was cached, not what server tools put in; output is what was said and thought together. A cached count that is absent was not reported: Google
 * leaves it out when nothing was read, and where it does not count.
 */
function usageOf(found: Value | undefined, names: Figures): Usage {
  const usage = isObject(found) ? found : {};
  const tokens = (name: string): number | undefined => {
    const value = memberOf(usage, name);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  };
  const ofPrompt = tokens(names.prompt);
  const prompt = ofPrompt === undefined ? undefined : ofPrompt + (tokens(names.tools) ?? 0);
  const cacheRead = tokens(names.cached);
  const [said, reasoning] = [tokens(names.said), tokens(names.thought)];
  return {
    prompt,
    uncached: prompt === undefined || cacheRead === undefined ? undefined : Math.max(prompt - cacheRead, 0),
    cacheRead,
    cacheWrite: undefined,
    output: said === undefined && reasoning === undefined ? undefined : (said ?? 0) + (reasoning ?? 0),
    reasoning,
  };
}
