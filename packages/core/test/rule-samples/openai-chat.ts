import type { DialectName } from "../../src/adapters/openai-chat/index.ts";
import type { ObjectValue } from "../../src/json/value.ts";

/** A request that breaks a rule, and its nearest neighbour that does not, for each rule of each dialect. */
export type ChatRuleSample = {
  readonly rule: string;
  readonly dialect?: DialectName;
  readonly passes: object;
  readonly fails: object;
  readonly says: string;
  readonly at: ObjectValue | readonly (string | number)[];
  readonly code?: string;
  readonly type?: string;
};

const user = { role: "user", content: "Hi." };
const call = (id: string, name = "look", args: unknown = "{}") => ({ id, type: "function", function: { name, arguments: args } });
const calls = (...ids: readonly string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "blue" });
const picture = [{ type: "image_url", image_url: { url: "https://files.example/a.png" } }];
const tools = [{ type: "function", function: { name: "look" } }];
const messages = (...list: readonly object[]) => ({ model: "m", messages: list });

const unanswered = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
const orphan = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const order = { code: "3230", type: "invalid_request_message_order" } as const;

/** The requests are made of these. */
export const words = { calls, messages, result, user } as const;

export const chatRuleSamples: readonly ChatRuleSample[] = [
  {
    rule: "OC-01",
    passes: messages(user),
    fails: messages(),
    says: "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    at: ["messages"],
    code: "empty_array",
  },
  {
    rule: "OC-02",
    passes: messages({ role: "developer", content: "x" }, user),
    fails: messages(user, { role: "x", content: "x" }),
    says: "Invalid value: 'x'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    at: ["messages", 1, "role"],
    code: "invalid_value",
  },
  {
    rule: "OC-03",
    passes: messages(user, calls("a", "b"), result("b"), result("a"), user, calls("a"), result("a")),
    fails: messages(user, calls("a", "b"), result("b"), user, result("a")),
    says: `${unanswered} The following tool_call_ids did not have response messages: a`,
    at: ["messages", 1],
  },
  {
    rule: "OC-03",
    passes: messages(user, calls("a"), result("a"), calls("a"), result("a")),
    fails: messages(user, calls("a"), result("a"), calls("a", "b")),
    says: `${unanswered} The following tool_call_ids did not have response messages: a, b`,
    at: ["messages", 3],
  },
  {
    rule: "OC-04",
    passes: messages(user, calls("a"), result("a")),
    fails: messages(user, calls("a"), result("a"), result("c")),
    says: orphan,
    at: ["messages", 3],
  },
  {
    rule: "OC-04",
    passes: messages(user),
    fails: messages(user, calls("a"), result("a"), user, result("a")),
    says: orphan,
    at: ["messages", 4],
  },
  {
    rule: "OC-05",
    passes: messages({ role: "assistant", content: null, refusal: "No." }, { role: "assistant", content: "" }, calls("a"), {
      role: "assistant",
      function_call: {},
    }),
    fails: messages(user, { role: "assistant", content: null }),
    says: "Invalid value for 'content': expected a string, got null.",
    at: ["messages", 1, "content"],
  },
  {
    rule: "OC-06",
    passes: messages(calls("a")),
    fails: messages({ role: "assistant", content: "x", tool_calls: [] }),
    says: "Invalid 'messages[0].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    at: ["messages", 0, "tool_calls"],
    code: "empty_array",
  },
  {
    rule: "OC-06",
    passes: messages({ role: "assistant", tool_calls: [{ id: "a", type: "custom", custom: { name: "run", input: "ls" } }] }),
    fails: messages({ role: "assistant", tool_calls: [call("a"), call("b", "look", { at: "sky" })] }),
    says: "Invalid type for 'messages[0].tool_calls[1].function.arguments': expected a string, but got an object instead.",
    at: ["messages", 0, "tool_calls", 1, "function", "arguments"],
    code: "invalid_type",
  },
  {
    rule: "OC-07",
    passes: { ...messages(user), seed: 1 },
    fails: { ...messages(user), seeds: 1 },
    says: "Unrecognized request argument supplied: seeds",
    at: ["seeds"],
  },
  {
    rule: "OC-08",
    passes: { ...messages(user), model: "gpt-4.1", max_tokens: 5 },
    fails: { ...messages(user), model: "gpt-5.5", max_tokens: 5 },
    says: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    at: ["max_tokens"],
    code: "unsupported_parameter",
  },
  {
    rule: "OC-09",
    passes: { ...messages(user), model: "gpt-5.6-sol", tools },
    fails: { ...messages(user), model: "gpt-6.2-sol", tools },
    says: "Function tools with reasoning_effort are not supported for gpt-6.2-sol in /v1/chat/completions. Please use /v1/responses instead.",
    at: ["tools"],
  },
  {
    rule: "OC-10",
    passes: messages({ role: "user", content: picture }),
    fails: messages(user, { role: "tool", tool_call_id: "a", content: picture }),
    says: "Invalid 'messages[1]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    at: ["messages", 1],
    code: "invalid_value",
  },
  {
    rule: "OC-11",
    passes: { ...messages(user), tools, tool_choice: "auto" },
    fails: { ...messages(user), tools: [], tool_choice: "auto" },
    says: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    at: ["tool_choice"],
  },
  {
    rule: "DS-03",
    dialect: "deepseek",
    passes: messages(user, calls("a"), result("a")),
    fails: messages(user, calls("a"), user),
    says: `${unanswered} (insufficient tool messages following tool_calls message)`,
    at: ["messages", 1],
  },
  {
    rule: "DS-04",
    dialect: "deepseek",
    passes: messages(user, calls("a"), result("a")),
    fails: messages(user, result("a")),
    says: "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    at: ["messages", 1],
  },
  {
    rule: "DS-10",
    dialect: "deepseek",
    passes: { ...messages(user, { ...calls("a"), reasoning_content: "" }, result("a")), tools },
    fails: { ...messages(user, calls("a"), result("a")), tools },
    says: "The reasoning_content in the thinking mode must be passed back to the API.",
    at: ["messages", 1, "reasoning_content"],
    code: "invalid_request_error",
  },
  {
    rule: "DS-10",
    dialect: "deepseek",
    passes: { ...messages(user, calls("a"), result("a")), tools, thinking: { type: "disabled" } },
    fails: { ...messages(user, calls("a"), result("a")), tools, thinking: { type: "enabled" } },
    says: "The reasoning_content in the thinking mode must be passed back to the API.",
    at: ["messages", 1, "reasoning_content"],
    code: "invalid_request_error",
  },
  {
    rule: "DS-11",
    dialect: "deepseek",
    passes: { ...messages(user), max_tokens: 393_216 },
    fails: { ...messages(user), max_tokens: 393_217 },
    says: "Invalid max_tokens value, the valid range of max_tokens is [1, 393216]",
    at: ["max_tokens"],
    code: "invalid_request_error",
  },
  {
    rule: "MI-01",
    dialect: "mistral",
    passes: messages(user),
    fails: messages(),
    says: "Conversation must have at least one message",
    at: ["messages"],
    ...order,
  },
  {
    rule: "MI-02",
    dialect: "mistral",
    passes: messages(user, { role: "assistant", content: "So", prefix: true }),
    fails: messages(user, { role: "assistant", content: "So" }),
    says: "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
    at: ["messages", 1],
    ...order,
  },
  {
    rule: "MI-03",
    dialect: "mistral",
    passes: messages(user, calls("a", "b"), result("a"), result("b")),
    fails: messages(user, calls("a", "b"), result("a"), user),
    says: "Not the same number of function calls and responses",
    at: ["messages", 1],
    ...order,
  },
  {
    rule: "MI-04",
    dialect: "mistral",
    passes: messages(user, calls("a"), result("a")),
    fails: messages(user, calls("a"), result("b")),
    says: "Unexpected tool call id b in tool results",
    at: ["messages", 2],
    ...order,
  },
  {
    rule: "MI-05",
    dialect: "mistral",
    passes: messages(calls("abc123XYZ")),
    fails: messages(calls("call_1")),
    says: "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
    at: ["messages", 0, "tool_calls", 0, "id"],
  },
  {
    rule: "MI-06",
    dialect: "mistral",
    passes: messages(calls("a")),
    fails: messages({ role: "assistant", tool_calls: [call("a", "look up")] }),
    says: "Function name was look up but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.",
    at: ["messages", 0, "tool_calls", 0, "function", "name"],
  },
  {
    rule: "MI-07",
    dialect: "mistral",
    passes: messages(user, { role: "assistant", content: "So", prefix: true }),
    fails: messages({ role: "assistant", content: "So", prefix: true }, user),
    says: "Assistant message with prefix True must be last message",
    at: ["messages", 0, "prefix"],
    ...order,
  },
  {
    rule: "MI-08",
    dialect: "mistral",
    passes: { ...messages(user), model: "mistral-small-latest", reasoning_effort: "high" },
    fails: { ...messages(user), model: "mistral-small-latest", reasoning_effort: "low" },
    says: "reasoning_effort='low' is not supported for this model. Must be one of (none, high)",
    at: ["reasoning_effort"],
    code: "3051",
  },
  {
    rule: "MI-09",
    dialect: "mistral",
    passes: messages({ role: "system", content: "x" }, user, calls("a"), result("a"), { role: "assistant", content: "x" }, user),
    fails: messages(user, calls("a"), result("a"), user),
    says: "Unexpected role 'user' after role 'tool'",
    at: ["messages", 3],
    ...order,
  },
  {
    rule: "CB-01",
    dialect: "cerebras",
    passes: messages(user, { role: "assistant", content: "x", reasoning: "Hm." }),
    fails: messages(user, user, { role: "assistant", content: "x", reasoning_content: "Hm." }),
    says: "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
    at: ["messages", 2, "reasoning_content"],
    code: "wrong_api_format",
  },
  {
    rule: "GQ-01",
    dialect: "groq",
    passes: messages(user, { role: "assistant", content: "x" }),
    fails: messages(user, { role: "assistant", content: "x", reasoning_content: "Hm." }),
    says: "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    at: ["messages", 1, "reasoning_content"],
  },
  {
    rule: "DS-12",
    dialect: "deepseek",
    passes: messages(user, { role: "assistant", content: "{", prefix: true }),
    fails: messages(user, { role: "assistant", content: "{", prefix: true }, user),
    says: "The message with prefix must be the last one.",
    at: ["messages", 1, "prefix"],
    code: "invalid_request_error",
  },
  {
    rule: "CB-02",
    dialect: "cerebras",
    passes: { ...messages(user), reasoning_effort: "low" },
    fails: { ...messages(user), reasoning: { effort: "low" } },
    says: "body.reasoning: property 'body.reasoning' is unsupported",
    at: ["reasoning"],
    code: "wrong_api_format",
  },
  {
    rule: "CB-03",
    dialect: "cerebras",
    passes: { ...messages(user), response_format: { type: "json_object" } },
    fails: { ...messages(user), tools, response_format: { type: "json_object" } },
    says: '"tools" is incompatible with "response_format"',
    at: ["response_format"],
    code: "wrong_api_format",
  },
  {
    rule: "CB-04",
    dialect: "cerebras",
    passes: { ...messages(user), max_completion_tokens: 5 },
    fails: { ...messages(user), max_tokens: 5, max_completion_tokens: 5 },
    says: '"max_tokens" is incompatible with "max_completion_tokens"',
    at: ["max_tokens"],
    code: "wrong_api_format",
  },
  {
    rule: "OX-01",
    dialect: "openrouter",
    passes: { ...messages(user), session_id: "s".repeat(256) },
    fails: { ...messages(user), session_id: "s".repeat(257) },
    says: "session_id must be at most 256 characters",
    at: ["session_id"],
  },
  {
    rule: "VL-01",
    dialect: "vllm",
    passes: { ...messages({ role: "system", content: "x" }, user, { role: "assistant", content: "x" }, user), model: "alternating" },
    fails: { ...messages(user, user), model: "alternating" },
    says: "Conversation roles must alternate user/assistant/user/assistant/...",
    at: ["messages", 1],
  },
];
