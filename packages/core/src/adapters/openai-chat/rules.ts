import { type Path, pathText } from "../../json/path.ts";
import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, Grade, ShapeRule } from "../../wire/rule.ts";
import { batchesOf, breach, callsOf, listOf, messageRule, messagesOf, orphanIn, rule } from "./rule-parts.ts";

// Texts: facts 2.1, 2.7 and 2.10. OC-12 (too long) is judged by whoever counts tokens: a simulator.

const roles = ["system", "assistant", "user", "function", "tool", "developer"];
const emptyArray = "empty array. Expected an array with minimum length 1, but got an empty array instead.";

/** OC-01 to OC-11 in the order in which they are looked at. */
export const openaiRules: readonly ShapeRule[] = [
  rule("OC-01", "sure", ({ messages }) => {
    if (!Array.isArray(messages) || messages.length > 0) return undefined;
    return breach(["messages"], `Invalid 'messages': ${emptyArray}`, "empty_array");
  }),
  messageRule("OC-02", "sure", ({ role }, index) => {
    if (typeof role === "string" && roles.includes(role)) return undefined;
    const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    return breach(["messages", index, "role"], `Invalid value: '${textOf(role)}'. Supported values are: ${supported}.`, "invalid_value");
  }),
  unansweredCalls("OC-03", (ids) => {
    const rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    return `${rule} The following tool_call_ids did not have response messages: ${ids.map(textOf).join(", ")}`;
  }),
  // "preceeding" is how the provider spells it.
  orphanResult("OC-04", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
  messageRule("OC-05", "sure", (message, index) => {
    if (message.role !== "assistant" || bearsAnything(message)) return undefined;
    return breach(["messages", index, "content"], "Invalid value for 'content': expected a string, got null.");
  }),
  messageRule("OC-06", "sure", (message, index) => {
    const path: Path = ["messages", index, "tool_calls"];
    const isEmpty = Array.isArray(message.tool_calls) && message.tool_calls.length === 0;
    if (isEmpty) return breach(path, `Invalid '${nameOfPlace(path)}': ${emptyArray}`, "empty_array");
    for (const [at, call] of callsOf(message).entries()) {
      const found = otherArguments(call, [...path, at]);
      if (found !== undefined) return found;
    }
    return undefined;
  }),
  rule("OC-07", "weak", (request) => {
    const unknown = Object.keys(request).find((name) => !parameters.has(name));
    return unknown === undefined ? undefined : breach([unknown], `Unrecognized request argument supplied: ${unknown}`);
  }),
  rule("OC-08", "likely", ({ max_tokens }, { profile }) => {
    if (max_tokens === undefined || max_tokens === null || !profile.traits.includes("max-completion-tokens")) return undefined;
    const remedy = "Use 'max_completion_tokens' instead.";
    return breach(
      ["max_tokens"],
      `Unsupported parameter: 'max_tokens' is not supported with this model. ${remedy}`,
      "unsupported_parameter",
    );
  }),
  rule("OC-09", "likely", ({ tools, reasoning_effort }, { profile }) => {
    if (listOf(tools).length === 0 || reasoning_effort === "none" || !profile.traits.includes("tools-in-responses-only")) return undefined;
    const surface = "in /v1/chat/completions. Please use /v1/responses instead.";
    return breach(["tools"], `Function tools with reasoning_effort are not supported for ${profile.id} ${surface}`);
  }),
  messageRule("OC-10", "sure", ({ role, content }, index) => {
    if (role === "user" || !listOf(content).some((part) => part.type === "image_url")) return undefined;
    const path: Path = ["messages", index];
    const place = `Image URLs are only allowed for messages with role 'user', but this message with role '${textOf(role)}' contains an image URL.`;
    return breach(path, `Invalid '${nameOfPlace(path)}'. ${place}`, "invalid_value");
  }),
  rule("OC-11", "sure", ({ tools, tool_choice }) => {
    if (tool_choice === undefined || tool_choice === null || listOf(tools).length > 0) return undefined;
    return breach(["tool_choice"], "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.");
  }),
];

/** The rules of these numbers, in their order. */
export function chatRules(...numbers: readonly string[]): readonly ShapeRule[] {
  return openaiRules.filter(({ id }) => numbers.includes(id.slice(3)));
}

export function unansweredCalls(id: string, text: (missing: readonly Value[]) => string, grade: Grade = "sure"): ShapeRule {
  return rule(id, grade, (request) => {
    for (const { at, ids, answered } of batchesOf(messagesOf(request))) {
      const missing = ids.filter((call) => !answered.has(call));
      if (missing.length > 0) return breach(["messages", at], text(missing));
    }
    return undefined;
  });
}

export function orphanResult(id: string, text: string): ShapeRule {
  return rule(id, "sure", (request) => {
    const at = orphanIn(messagesOf(request));
    return at === undefined ? undefined : breach(["messages", at], text);
  });
}

function bearsAnything({ content, tool_calls, function_call, audio, refusal }: ObjectValue): boolean {
  if (typeof content === "string" || listOf(content).length > 0) return true;
  return [tool_calls, function_call, audio, refusal].some((member) => member !== undefined && member !== null);
}

function otherArguments(call: ObjectValue, path: Path): Breach | undefined {
  const inner = call.function;
  if (!isObject(inner) || typeof inner.arguments === "string") return undefined;
  const place: Path = [...path, "function", "arguments"];
  const found =
    inner.arguments === undefined || inner.arguments === null ? "null" : isObject(inner.arguments) ? "an object" : "another type";
  return breach(place, `Invalid type for '${nameOfPlace(place)}': expected a string, but got ${found} instead.`, "invalid_type");
}

function nameOfPlace(path: Path): string {
  return pathText(path).slice(2);
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Every top-level member of the SDK's `ChatCompletionCreateParams` (openai 7.59.0). */
const parameters: ReadonlySet<string> = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
  moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
  response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
  verbosity web_search_options`.split(/\s+/),
);
