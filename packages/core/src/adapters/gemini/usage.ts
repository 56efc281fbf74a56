import { isObject, type ObjectValue } from "../../json/value.ts";
import type { Usage } from "../../wire/usage.ts";
import { memberOf } from "./layout.ts";

/**
 * The usage of a reply (facts 3.5): `promptTokenCount` includes what was cached, not what server tools put in; output is candidates and thoughts together.
 * A cached count that is absent was not reported: Google leaves it out when nothing was read, and where it does not count.
 */
export function readUsage(reply: ObjectValue): Usage {
  const found = memberOf(reply, "usageMetadata");
  const usage = isObject(found) ? found : {};
  const tokens = (name: string): number | undefined => {
    const value = memberOf(usage, name);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  };
  const ofPrompt = tokens("promptTokenCount");
  const prompt = ofPrompt === undefined ? undefined : ofPrompt + (tokens("toolUsePromptTokenCount") ?? 0);
  const cacheRead = tokens("cachedContentTokenCount");
  const [said, reasoning] = [tokens("candidatesTokenCount"), tokens("thoughtsTokenCount")];
  return {
    prompt,
    uncached: prompt === undefined || cacheRead === undefined ? undefined : Math.max(prompt - cacheRead, 0),
    cacheRead,
    cacheWrite: undefined,
    output: said === undefined && reasoning === undefined ? undefined : (said ?? 0) + (reasoning ?? 0),
    reasoning,
  };
}
