import type { RouteName } from "../../src/adapters/openai-responses/index.ts";

/** A request that breaks a rule, and its nearest neighbour that does not. */
export type ResponsesRuleSample = {
  readonly rule: string;
  readonly route?: RouteName;
  readonly passes: object;
  readonly fails: object;
  readonly says: string;
  readonly at: readonly (string | number)[];
  readonly code?: string;
};

const user = { role: "user", content: "Hi." };
const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "blue" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text: "So." }] };
const tool = { type: "function", name: "look", parameters: { type: "object", properties: { a: { type: "string" } } } };
const strictTool = (parameters: object) => ({ ...tool, strict: true, parameters });
const input = (...items: readonly object[]) => ({ model: "gpt-6.2-sol", input: items });
const long = "c".repeat(65);
const marked = (type: string) => ({ role: "user", content: [{ type, text: "Hi.", prompt_cache_breakpoint: { mode: "explicit" } }] });

/** A PNG that is nothing but its header. */
function picture(width: number, height: number, detail?: string): object {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(width, 0);
  sides.writeUInt32BE(height, 4);
  const image_url = `data:image/png;base64,${Buffer.concat([header, sides, Buffer.alloc(24)]).toString("base64")}`;
  return { role: "user", content: [{ type: "input_image", image_url, ...(detail === undefined ? {} : { detail }) }] };
}

export const responsesRuleSamples: readonly ResponsesRuleSample[] = [
  {
    rule: "OR-01",
    passes: input(user),
    fails: input({ ...user, foo: 1 }),
    says: "Unknown parameter: 'input[0].foo'.",
    at: ["input", 0, "foo"],
    code: "unknown_parameter",
  },
  { rule: "OR-01", passes: input(user), fails: { ...input(user), messages: [] }, says: "Unknown parameter: 'messages'.", at: ["messages"] },
  {
    rule: "OR-02",
    passes: input(user, call, output),
    fails: input(user, call, { ...output, call_id: null }),
    says: "Missing required parameter: 'input[2].call_id'.",
    at: ["input", 2, "call_id"],
    code: "missing_required_parameter",
  },
  {
    rule: "OR-02",
    passes: input(user),
    fails: input({ ...user, role: "tool" }),
    says: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    at: ["input", 0, "role"],
  },
  {
    rule: "OR-03",
    passes: input(user, reasoning, message),
    fails: input(user, { ...reasoning, id: "msg_1" }, { ...message, id: "msg_2" }),
    says: "Invalid 'input[1].id': 'msg_1'. Expected an ID that begins with 'rs'.",
    at: ["input", 1, "id"],
  },
  {
    rule: "OR-03",
    passes: input(user, reasoning, message),
    fails: input(user, reasoning, { ...message, id: "msg_ü" }),
    says: "contained additional characters",
    at: ["input", 2, "id"],
  },
  {
    rule: "OR-03",
    passes: input(user, reasoning, message, user, { ...reasoning, id: "rs_2" }, { ...message, id: "msg_2" }),
    fails: input(user, reasoning, message, user, reasoning, { ...message, id: "msg_2" }),
    says: "Duplicate item found with id rs_1. Remove duplicate items from your input and try again.",
    at: ["input", 4, "id"],
  },
  {
    rule: "OR-04",
    passes: input(user, call, output),
    fails: input(user, { ...call, call_id: long }, { ...output, call_id: long }),
    says: "Expected a string with maximum length 64, but got a string with length 65 instead.",
    at: ["input", 1, "call_id"],
  },
  {
    rule: "OR-05",
    passes: input(user, call, output, message),
    fails: input(user, call, user),
    says: "No tool output found for function call call_1.",
    at: ["input", 1],
  },
  {
    rule: "OR-05",
    passes: input(user, call, { ...call, call_id: "call_2" }, output, { ...output, call_id: "call_2" }, message),
    fails: input(user, call, { ...call, call_id: "call_2" }, output, message, { ...output, call_id: "call_2" }),
    says: "No tool output found for function call call_2.",
    at: ["input", 2],
  },
  {
    rule: "OR-06",
    passes: input(user, call, output),
    fails: input(user, output),
    says: "No tool call found for function call output with call_id call_1.",
    at: ["input", 1],
  },
  {
    rule: "OR-07",
    passes: input(user, reasoning, message),
    fails: input(user, reasoning, user),
    says: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    at: ["input", 1],
  },
  {
    rule: "OR-10",
    passes: { model: "gpt-5.5", input: "Hi.", conversation: "conv_1" },
    fails: { model: "gpt-5.5", input: "Hi.", conversation: "conv_1", previous_response_id: "resp_1" },
    says: "Mutually exclusive parameters",
    at: ["previous_response_id"],
  },
  {
    rule: "OR-12",
    passes: input(user, call, output),
    fails: input(user, { ...call, arguments: {} }, output),
    says: "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    at: ["input", 1, "arguments"],
    code: "invalid_type",
  },
  {
    rule: "OR-13",
    passes: input(marked("input_text")),
    fails: input(marked("output_text")),
    says: "Unknown parameter: 'input[0].content[0].prompt_cache_breakpoint'.",
    at: ["input", 0, "content", 0, "prompt_cache_breakpoint"],
  },
  {
    rule: "OR-13",
    passes: { ...input(user), prompt_cache_options: { ttl: "12h" } },
    fails: { ...input(user), prompt_cache_options: { ttl: "1h" } },
    says: "Invalid value: '1h'. Supported values are: '30m' and '12h'.",
    at: ["prompt_cache_options", "ttl"],
  },
  {
    rule: "OR-14",
    passes: { ...input(user), prompt_cache_options: { mode: "implicit" }, prompt_cache_retention: "24h" },
    fails: { ...input(user), prompt_cache_options: { ttl: "12h" }, prompt_cache_retention: "24h" },
    says: "Mutually exclusive parameters",
    at: ["prompt_cache_retention"],
  },
  {
    rule: "OR-15",
    passes: { ...input(user), reasoning: { effort: "minimal" } },
    fails: { ...input(user), reasoning: { effort: "none" } },
    says: "Unsupported value: 'none' is not supported with the 'gpt-6.2-sol' model. Supported values are: 'minimal', 'low',",
    at: ["reasoning", "effort"],
    code: "unsupported_value",
  },
  {
    rule: "OR-15",
    passes: { model: "gpt-5.5", input: [user], temperature: 1 },
    fails: { ...input(user), temperature: 1 },
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    at: ["temperature"],
  },
  {
    rule: "OR-16",
    passes: input(user, { type: "compaction_trigger" }),
    fails: input({ type: "compaction_trigger" }, user),
    says: "must be the last item",
    at: ["input", 0],
  },
  {
    rule: "OR-17",
    passes: input(user, { type: "additional_tools", role: "developer", tools: [tool] }),
    fails: input(user, { type: "additional_tools", role: "user", tools: [tool] }),
    says: "Supported values are: 'developer'.",
    at: ["input", 1, "role"],
  },
  {
    rule: "OR-17",
    passes: input(user, { type: "configuration_update", reasoning: { effort: "low" } }),
    fails: input(user, { type: "configuration_update", tools: [tool] }),
    says: "Unknown parameter: 'input[1].tools'.",
    at: ["input", 1, "tools"],
  },
  {
    rule: "OR-19",
    passes: input(user),
    fails: { ...input(user), tools: [] },
    says: "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    at: ["tools"],
  },
  {
    rule: "OR-19",
    passes: { ...input(user), tools: [tool] },
    fails: { ...input(user), tools: [tool, tool] },
    says: "duplicate tool name 'look'",
    at: ["tools", 1, "name"],
  },
  {
    rule: "OR-19",
    passes: { ...input(user), tools: [tool] },
    fails: { ...input(user), tools: [{ ...tool, name: "look at" }] },
    says: "Invalid 'tools[0].name': string does not match pattern",
    at: ["tools", 0, "name"],
  },
  {
    rule: "OR-19",
    passes: {
      ...input(user),
      tools: [strictTool({ type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false })],
    },
    fails: { ...input(user), tools: [strictTool({ type: "object", properties: { a: {} }, required: ["a"] })] },
    says: "Invalid schema for function 'look': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    at: ["tools", 0, "parameters"],
  },
  {
    rule: "OR-19",
    passes: { ...input(user), tools: [tool] },
    fails: { ...input(user), tools: [strictTool({ type: "object", properties: { a: {} }, required: [], additionalProperties: false })] },
    says: "Missing 'a'.",
    at: ["tools", 0, "parameters"],
  },
  {
    rule: "OR-23",
    passes: input(user, { type: "configuration_update", reasoning: { effort: "low" } }, message, {
      type: "configuration_update",
      text: {},
    }),
    fails: input(user, { type: "configuration_update", reasoning: { effort: "low" } }, { type: "configuration_update", text: {} }),
    says: "consecutive",
    at: ["input", 2],
  },
  ...plan({ role: "system", content: "So." }, "System messages are not allowed", ["input", 0, "role"]),
  {
    rule: "OR-22",
    route: "chatgpt-plan",
    passes: planned({}),
    fails: planned({ max_output_tokens: 9 }),
    says: "max_output_tokens",
    at: ["max_output_tokens"],
  },
  { rule: "OR-22", route: "chatgpt-plan", passes: planned({}), fails: planned({ store: true }), says: "Store", at: ["store"] },
  { rule: "OR-22", route: "chatgpt-plan", passes: planned({}), fails: planned({ stream: false }), says: "Stream", at: ["stream"] },
  {
    rule: "OR-20",
    passes: input(picture(5_000, 5_000)),
    fails: input(user, picture(7_000, 6_000)),
    says: "The image requires 41172 patches after processing, exceeding the limit of 30000.",
    at: ["input", 1, "content", 0],
  },
  {
    rule: "OR-20",
    passes: input(picture(7_000, 6_000, "low")),
    fails: input(picture(7_000, 6_000, "original")),
    says: "The image requires 41172 patches after processing, exceeding the limit of 30000.",
    at: ["input", 0, "content", 0],
  },
];

function planned(more: object): object {
  return { ...input(user), store: false, stream: true, ...more };
}

function plan(item: object, says: string, at: readonly (string | number)[]): readonly ResponsesRuleSample[] {
  return [{ rule: "OR-22", route: "chatgpt-plan", passes: planned({}), fails: planned({ input: [item, user] }), says, at }];
}
