import { inWords } from "../../json/in-words.ts";
import { isArray, isObject } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { first, isSet, listOf } from "../../wire/rule-parts.ts";
import { batchRule, callRule, callsOf, likely, messageRule, orphanRule, rule } from "./rule-parts.ts";
import { openaiRules, openaiRulesTo, unanswered } from "./rules.ts";

/** DeepSeek: OC-01 to OC-06 with texts of its own for the pairs, and what thinking asks for. Facts 6.1. */
export const deepseekRules: readonly ShapeRule[] = [
  ...openaiRulesTo("02"),
  batchRule("DS-03", ({ calls, answered }) =>
    calls.every((id) => answered.has(id)) ? undefined : `${unanswered} (insufficient tool messages following tool_calls message)`,
  ),
  orphanRule("DS-04", () => "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
  ...openaiRules.filter(({ id }) => id === "OC-05" || id === "OC-06"),
  // The documentation and most reports say 400, one live probe says that an absent field is accepted: facts 12, row 16.
  rule("DS-10", "likely", ({ request: { thinking, tools }, messages }) => {
    if ((isObject(thinking) && thinking.type === "disabled") || listOf(tools).length === 0) return undefined;
    return first(messages, (message, at) =>
      callsOf(message).length > 0 && typeof message.reasoning_content !== "string"
        ? [
            ["messages", at, "reasoning_content"],
            "The reasoning_content in the thinking mode must be passed back to the API.",
            "invalid_request_error",
          ]
        : undefined,
    );
  }),
  rule("DS-11", "sure", ({ request: { max_tokens } }) => {
    if (!isSet(max_tokens) || (typeof max_tokens === "number" && max_tokens >= 1 && max_tokens <= 393_216)) return undefined;
    return [["max_tokens"], "Invalid max_tokens value, the valid range of max_tokens is [1, 393216]", "invalid_request_error"];
  }),
  // The documentation of prefix mode; no wording was found.
  rule("DS-12", "likely", ({ messages }) =>
    first(messages, ({ prefix }, at) =>
      prefix === true && at < messages.length - 1
        ? [["messages", at, "prefix"], "The message with prefix must be the last one.", "invalid_request_error"]
        : undefined,
    ),
  ),
];

const order = ["3230", "invalid_request_message_order"] as const;
/** What may stand behind a role; from its open-source validator, which is stricter than the service. */
const mistralOrder: Readonly<Record<string, string>> = {
  system: "user assistant system",
  user: "user assistant system",
  assistant: "user assistant tool",
  tool: "assistant tool",
};

/** Mistral checks the order of messages. Facts 6.2. */
export const mistralRules: readonly ShapeRule[] = [
  rule("MI-01", "sure", ({ request: { messages } }) =>
    isArray(messages) && messages.length === 0 ? [["messages"], "Conversation must have at least one message", ...order] : undefined,
  ),
  rule("MI-02", "sure", ({ messages }) => {
    const last = messages.at(-1);
    // System messages were accepted last.
    if (last?.role !== "assistant" || last.prefix === true) return undefined;
    const text = "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant";
    return [["messages", messages.length - 1], text, ...order];
  }),
  rule("MI-03", "sure", ({ messages }) =>
    first(messages, (message, at) => {
      const count = callsOf(message).length;
      const isAnswered = count === 0 || (messages[at + count]?.role === "tool" && messages[at + count + 1]?.role !== "tool");
      return isAnswered ? undefined : [["messages", at], "Not the same number of function calls and responses", ...order];
    }),
  ),
  orphanRule("MI-04", (id) => `Unexpected tool call id ${id} in tool results`, order),
  callRule("MI-05", "weak", ({ id }, path) => {
    if (/^[a-zA-Z0-9]{9}$/.test(inWords(id))) return undefined;
    return [[...path, "id"], `Tool call id was ${inWords(id)} but must be a-z, A-Z, 0-9, with a length of 9.`];
  }),
  callRule("MI-06", "likely", ({ function: named }, path) => {
    const name = inWords(isObject(named) ? named.name : "");
    if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
    const text = `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`;
    return [[...path, "function", "name"], text];
  }),
  rule("MI-07", "sure", ({ messages }) =>
    first(messages, ({ prefix }, at) =>
      prefix === true && at < messages.length - 1
        ? [["messages", at, "prefix"], "Assistant message with prefix True must be last message", ...order]
        : undefined,
    ),
  ),
  rule("MI-08", "sure", ({ request: { reasoning_effort: effort }, context }) => {
    const { thinking } = context.profile;
    if (!isSet(effort) || thinking === undefined || thinking.includes(inWords(effort))) return undefined;
    const text = `reasoning_effort='${inWords(effort)}' is not supported for this model. Must be one of (${thinking.join(", ")})`;
    return [["reasoning_effort"], text, "3051"];
  }),
  rule("MI-09", "weak", ({ messages }) =>
    first(messages, ({ role }, at) => {
      const before = inWords(messages[at - 1]?.role);
      const isAllowed = mistralOrder[before]?.includes(inWords(role)) ?? true;
      return isAllowed ? undefined : [["messages", at], `Unexpected role '${inWords(role)}' after role '${before}'`, ...order];
    }),
  ),
];

/** Cerebras refuses properties that it does not know. Facts 6.4. */
export const cerebrasRules: readonly ShapeRule[] = [
  ...openaiRulesTo("04"),
  messageRule("CB-01", "sure", ({ role, reasoning_content }, path) => {
    if (reasoning_content === undefined) return undefined;
    const place = `messages.${String(path[1])}.${inWords(role)}.reasoning_content`;
    return [[...path, "reasoning_content"], `${place}: property '${place}' is unsupported`, "wrong_api_format"];
  }),
  rule("CB-02", "sure", ({ request }) => {
    const unknown = ["reasoning", "enable_thinking"].find((name) => isSet(request[name]));
    return unknown === undefined
      ? undefined
      : [[unknown], `body.${unknown}: property 'body.${unknown}' is unsupported`, "wrong_api_format"];
  }),
  rule("CB-03", "sure", ({ request: { tools, response_format } }) => {
    const isFree = listOf(tools).length === 0 || !isObject(response_format) || response_format.type === "text";
    return isFree ? undefined : [["response_format"], '"tools" is incompatible with "response_format"', "wrong_api_format"];
  }),
  // Measured; the wording is that of the other pair [inferred].
  rule("CB-04", "sure", ({ request: { max_tokens, max_completion_tokens } }) => {
    if (!isSet(max_tokens) || !isSet(max_completion_tokens)) return undefined;
    return [["max_tokens"], '"max_tokens" is incompatible with "max_completion_tokens"', "wrong_api_format"];
  }),
];

/** A router has a limit of its own; all else is its upstream's. Facts 5; no wording was found. */
export const openrouterRules: readonly ShapeRule[] = [
  ...likely(openaiRulesTo("04")),
  rule("OX-01", "likely", ({ request: { session_id } }) => {
    if (typeof session_id !== "string" || session_id.length <= 256) return undefined;
    return [["session_id"], "session_id must be at most 256 characters"];
  }),
];

/** Servers of one's own render a template, and some templates (Gemma, Mistral) take turns in strict alternation only: a trait that the host gives its model. Facts 7.5. */
export const templateRules: readonly ShapeRule[] = [
  ...likely(openaiRulesTo("04")),
  rule("VL-01", "likely", ({ messages, context }) => {
    if (!context.profile.traits.includes("roles-alternate")) return undefined;
    const turns = messages.map(({ role }, at) => ({ role, at })).filter(({ role }) => role !== "system");
    const odd = turns.find(({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant"));
    if (odd === undefined) return undefined;
    return [["messages", odd.at], "Conversation roles must alternate user/assistant/user/assistant/..."];
  }),
];

/** Groq names the property that it refuses. Facts 6.5. */
export const groqRules: readonly ShapeRule[] = [
  ...openaiRulesTo("04"),
  messageRule("GQ-01", "sure", ({ role, reasoning_content }, path) => {
    if (reasoning_content === undefined) return undefined;
    const place = `'messages.${String(path[1])}'`;
    const refusal = `(${place} : property 'reasoning_content' is unsupported)`;
    return [[...path, "reasoning_content"], `${place} : for 'role:${inWords(role)}' the following must be satisfied[${refusal}]`];
  }),
];
