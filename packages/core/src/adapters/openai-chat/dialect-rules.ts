import type { ObjectValue, Value } from "../../json/value.ts";
import type { Grade, ShapeRule } from "../../wire/rule.ts";
import { batchesOf, breach, callsOf, likely, listOf, messageRule, messagesOf, nameOf, orphanIn, rule } from "./rule-parts.ts";
import { chatRules, orphanResult, unansweredCalls } from "./rules.ts";

const isSet = (value: Value | undefined): boolean => value !== undefined && value !== null;

/** DeepSeek: OC-01 to OC-06 with texts of its own for the pairs, and what thinking asks for. Facts 6.1. */
export const deepseekRules: readonly ShapeRule[] = [
  ...chatRules("01", "02"),
  unansweredCalls("DS-03", () => {
    const rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    return `${rule} (insufficient tool messages following tool_calls message)`;
  }),
  orphanResult("DS-04", "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
  ...chatRules("05", "06"),
  // The documentation and most reports say 400, one live probe says that an absent field is accepted: facts 12, row 16.
  rule("DS-10", "likely", (request) => {
    const thinking = request.thinking as ObjectValue | undefined;
    if (thinking?.type === "disabled" || listOf(request.tools).length === 0) return undefined;
    const at = messagesOf(request).findIndex((message) => callsOf(message).length > 0 && typeof message.reasoning_content !== "string");
    if (at < 0) return undefined;
    const text = "The reasoning_content in the thinking mode must be passed back to the API.";
    return breach(["messages", at, "reasoning_content"], text, "invalid_request_error");
  }),
  rule("DS-11", "sure", ({ max_tokens }) => {
    if (!isSet(max_tokens) || (typeof max_tokens === "number" && max_tokens >= 1 && max_tokens <= 393_216)) return undefined;
    return breach(["max_tokens"], "Invalid max_tokens value, the valid range of max_tokens is [1, 393216]", "invalid_request_error");
  }),
  // The wording is not known.
  prefixOnlyLast("DS-12", "likely", "The message with prefix must be the last one and have role assistant"),
];

const messageOrder = { type: "invalid_request_message_order", providerCode: "3230" } as const;
const mistralIds = /^[a-zA-Z0-9]{9}$/;
const mistralNames = /^[a-zA-Z0-9_-]{1,64}$/;
/** What may stand behind a role; from its open-source validator, which is stricter than the service. */
const mistralOrder: Readonly<Record<string, readonly string[]>> = {
  system: ["user", "assistant", "system"],
  user: ["assistant", "system", "user"],
  assistant: ["assistant", "user", "tool"],
  tool: ["assistant", "tool"],
};

/** Mistral checks the order of messages. Facts 6.2. */
export const mistralRules: readonly ShapeRule[] = [
  rule("MI-01", "sure", ({ messages }) => {
    if (!Array.isArray(messages) || messages.length > 0) return undefined;
    return { ...breach(["messages"], "Conversation must have at least one message"), ...messageOrder };
  }),
  rule("MI-02", "sure", (request) => {
    const messages = messagesOf(request);
    const last = messages.at(-1);
    // System messages were accepted last.
    if (last?.role !== "assistant" || last.prefix === true) return undefined;
    const text = "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant";
    return { ...breach(["messages", messages.length - 1], text), ...messageOrder };
  }),
  rule("MI-03", "sure", (request) => {
    const batch = batchesOf(messagesOf(request)).find(({ at, ids, end }) => ids.length !== end - at - 1);
    if (batch === undefined) return undefined;
    return { ...breach(["messages", batch.at], "Not the same number of function calls and responses"), ...messageOrder };
  }),
  rule("MI-04", "sure", (request) => {
    const messages = messagesOf(request);
    const at = orphanIn(messages);
    if (at === undefined) return undefined;
    const text = `Unexpected tool call id ${String(messages[at]?.tool_call_id ?? "")} in tool results`;
    return { ...breach(["messages", at], text), ...messageOrder };
  }),
  messageRule("MI-05", "weak", (message, index) => {
    const at = callsOf(message).findIndex(({ id }) => typeof id !== "string" || !mistralIds.test(id));
    if (at < 0) return undefined;
    const id = String(callsOf(message)[at]?.id ?? "");
    return breach(["messages", index, "tool_calls", at, "id"], `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`);
  }),
  messageRule("MI-06", "likely", (message, index) => {
    const at = callsOf(message).findIndex((call) => !mistralNames.test(nameOf(call)));
    if (at < 0) return undefined;
    const name = nameOf(callsOf(message)[at] as ObjectValue);
    const text = `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`;
    return breach(["messages", index, "tool_calls", at, "function", "name"], text);
  }),
  prefixOnlyLast("MI-07", "sure", "Assistant message with prefix True must be last message"),
  rule("MI-08", "sure", ({ reasoning_effort }, { profile }) => {
    if (!isSet(reasoning_effort) || !profile.traits.includes("effort-none-or-high")) return undefined;
    if (reasoning_effort === "none" || reasoning_effort === "high") return undefined;
    const text = `reasoning_effort='${String(reasoning_effort)}' is not supported for this model. Must be one of (none, high)`;
    return breach(["reasoning_effort"], text, "3051");
  }),
  rule("MI-09", "weak", (request) => {
    const roles = messagesOf(request).map(({ role }) => (role === "developer" ? "system" : String(role)));
    const at = roles.findIndex((role, index) => index > 0 && !(mistralOrder[roles[index - 1] as string]?.includes(role) ?? true));
    if (at < 0) return undefined;
    return { ...breach(["messages", at], `Unexpected role '${roles[at]}' after role '${roles[at - 1]}'`), ...messageOrder };
  }),
];

/** Cerebras refuses properties that it does not know; its errors have no wrapper. Facts 6.4. */
export const cerebrasRules: readonly ShapeRule[] = [
  ...chatRules("01", "02", "03", "04"),
  refusedProperty("CB-01", ["reasoning_content"], ({ role }, index, name) => {
    const place = `messages.${index}.${String(role)}.${name}`;
    return { ...breach(["messages", index, name], `${place}: property '${place}' is unsupported`, "wrong_api_format") };
  }),
  rule("CB-02", "sure", (request) => {
    const name = ["reasoning", "enable_thinking"].find((item) => isSet(request[item]));
    return name === undefined ? undefined : breach([name], `${name}: property '${name}' is unsupported`, "wrong_api_format");
  }),
  // The wording is not known.
  rule("CB-03", "sure", ({ max_tokens, max_completion_tokens }) => {
    if (!isSet(max_tokens) || !isSet(max_completion_tokens)) return undefined;
    return breach(["max_tokens"], "max_tokens and max_completion_tokens cannot be set together", "wrong_api_format");
  }),
  rule("CB-04", "sure", ({ tools, response_format }) => {
    if (listOf(tools).length === 0 || !isSet(response_format)) return undefined;
    return breach(["response_format"], '"tools" is incompatible with "response_format"', "wrong_api_format");
  }),
];

/** Groq names the property that it refuses. Facts 6.5. */
export const groqRules: readonly ShapeRule[] = [
  ...chatRules("01", "02", "03", "04"),
  refusedProperty("GQ-01", ["reasoning_content"], ({ role }, index, name) => {
    const place = `'messages.${index}'`;
    const text = `${place} : for 'role:${String(role)}' the following must be satisfied[(${place} : property '${name}' is unsupported)]`;
    return breach(["messages", index, name], text);
  }),
];

/** What OpenRouter itself refuses; the upstream's rules are the upstream's. Facts 5. */
export const openrouterRules: readonly ShapeRule[] = [
  ...chatRules("01"),
  ...likely(chatRules("02", "03", "04")),
  rule("OX-01", "sure", ({ session_id }) => {
    if (typeof session_id !== "string" || session_id.length <= 256) return undefined;
    return breach(["session_id"], "session_id must be at most 256 characters");
  }),
];

function refusedProperty(
  id: string,
  names: readonly string[],
  refusal: (message: ObjectValue, index: number, name: string) => ReturnType<typeof breach>,
): ShapeRule {
  return messageRule(id, "sure", (message, index) => {
    const name = names.find((item) => message[item] !== undefined);
    return name === undefined ? undefined : refusal(message, index, name);
  });
}

function prefixOnlyLast(id: string, grade: Grade, text: string): ShapeRule {
  return rule(id, grade, (request) => {
    const at = messagesOf(request).findIndex(({ prefix }, index, list) => prefix === true && index < list.length - 1);
    return at < 0 ? undefined : { ...breach(["messages", at, "prefix"], text), ...(id === "MI-07" ? messageOrder : {}) };
  });
}
