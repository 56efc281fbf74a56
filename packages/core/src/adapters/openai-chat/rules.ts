import { inWords } from "../../json/in-words.ts";
import { isArray, isObject } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { first, isSet, listOf, placeText } from "../../wire/rule-parts.ts";
import { batchRule, callsOf, messageRule, orphanRule, rule } from "./rule-parts.ts";

// Texts: facts 2.1, 2.7 and 2.10. OC-12 (too long) is judged by whoever counts tokens: a simulator.

const roles = ["system", "assistant", "user", "function", "tool", "developer"];
const emptyArray = "empty array. Expected an array with minimum length 1, but got an empty array instead.";
/** Also the first half of what DeepSeek says. */
export const unanswered = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";

/** OC-01 to OC-11 in the order in which they are looked at. */
export const openaiRules: readonly ShapeRule[] = [
  rule("OC-01", "sure", ({ request: { messages } }) =>
    isArray(messages) && messages.length === 0 ? [["messages"], `Invalid 'messages': ${emptyArray}`, "empty_array"] : undefined,
  ),
  messageRule("OC-02", "sure", ({ role }, path) => {
    if (typeof role === "string" && roles.includes(role)) return undefined;
    const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    return [[...path, "role"], `Invalid value: '${inWords(role)}'. Supported values are: ${supported}.`, "invalid_value"];
  }),
  batchRule("OC-03", ({ calls, answered }) => {
    const missing = calls.filter((id) => !answered.has(id)).join(", ");
    if (calls.every((id) => answered.has(id))) return undefined;
    return `${unanswered} The following tool_call_ids did not have response messages: ${missing}`;
  }),
  // "preceeding" is how the provider spells it.
  orphanRule("OC-04", () => "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
  messageRule("OC-05", "sure", ({ role, content, tool_calls, function_call, audio, refusal }, path) => {
    const bears = typeof content === "string" || listOf(content).length > 0 || [tool_calls, function_call, audio, refusal].some(isSet);
    if (role !== "assistant" || bears) return undefined;
    return [[...path, "content"], "Invalid value for 'content': expected a string, got null."];
  }),
  messageRule("OC-06", "sure", (message, place) => {
    const path = [...place, "tool_calls"];
    const isEmpty = isArray(message.tool_calls) && message.tool_calls.length === 0;
    if (isEmpty) return [path, `Invalid '${placeText(path)}': ${emptyArray}`, "empty_array"];
    return first(callsOf(message), ({ function: named }, at) => {
      if (!isObject(named) || typeof named.arguments === "string") return undefined;
      const inner = [...path, at, "function", "arguments"];
      const got = isObject(named.arguments) ? "an object" : "null";
      return [inner, `Invalid type for '${placeText(inner)}': expected a string, but got ${got} instead.`, "invalid_type"];
    });
  }),
  rule("OC-07", "weak", ({ request }) => {
    const unknown = Object.keys(request).find((name) => !parameters.includes(name));
    return unknown === undefined ? undefined : [[unknown], `Unrecognized request argument supplied: ${unknown}`];
  }),
  rule("OC-08", "likely", ({ request, context }) => {
    if (!isSet(request.max_tokens) || !context.profile.traits.includes("max-completion-tokens")) return undefined;
    const text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return [["max_tokens"], text, "unsupported_parameter"];
  }),
  rule("OC-09", "likely", ({ request: { tools }, context: { profile } }) => {
    if (listOf(tools).length === 0 || !profile.traits.includes("tools-in-responses-only")) return undefined;
    const text = `Function tools with reasoning_effort are not supported for ${profile.id} in /v1/chat/completions.`;
    return [["tools"], `${text} Please use /v1/responses instead.`];
  }),
  messageRule("OC-10", "sure", ({ role, content }, path) => {
    if (role === "user" || !listOf(content).some(({ type }) => type === "image_url")) return undefined;
    const text = `Image URLs are only allowed for messages with role 'user', but this message with role '${inWords(role)}' contains an image URL.`;
    return [path, `Invalid '${placeText(path)}'. ${text}`, "invalid_value"];
  }),
  rule("OC-11", "sure", ({ request: { tools, tool_choice } }) => {
    if (!isSet(tool_choice) || listOf(tools).length > 0) return undefined;
    return [["tool_choice"], "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."];
  }),
];

/** The first rules of OpenAI's list, up to this number. */
export function openaiRulesTo(number: string): readonly ShapeRule[] {
  return openaiRules.filter(({ id }) => id <= `OC-${number}`);
}

/** Every top-level member of the SDK's `ChatCompletionCreateParams` (openai 7.59.0). */
const parameters: readonly string[] =
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n
parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format
safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
web_search_options`.split(/\s+/);
