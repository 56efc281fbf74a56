import { describe, expect, it } from "vitest";
import { type OpenAIChatSimulatorOptions, openaiChatSimulator } from "./server.ts";

type Body = Record<string, unknown>;
type Case = {
  readonly rule: string;
  readonly name: string;
  readonly bad: Body;
  readonly message: string | RegExp;
  readonly good: Body;
  readonly dialect?: NonNullable<OpenAIChatSimulatorOptions["dialect"]>;
};

const user = (content: unknown) => ({ role: "user", content });
const call = (id: string, extra: Body = {}) => ({ id, type: "function", function: { name: "read", arguments: "{}", ...extra } });
const calling = (ids: string[], extra: Body = {}) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => call(id)),
  ...extra,
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const tool = { type: "function", function: { name: "read", parameters: { type: "object" } } };
const talk = (...messages: unknown[]): Body => ({ model: "gpt-5.4", tools: [tool], messages });
const base: Body = { model: "gpt-5.4", messages: [user("Hello?")] };
const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }];

const cases: readonly Case[] = [
  {
    rule: "OC-01",
    name: "no message",
    bad: { ...base, messages: [] },
    message: "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    good: base,
  },
  {
    rule: "OC-02",
    name: "an unknown role",
    bad: talk({ role: "bot", content: "Hi." }),
    message: "Invalid value: 'bot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    good: talk({ role: "developer", content: "Hi." }, user("Hello?")),
  },
  {
    rule: "OC-03",
    name: "a call without its answer",
    bad: talk(user("Read."), calling(["call_1", "call_2"]), result("call_1")),
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2",
    good: talk(user("Read."), calling(["call_1", "call_2"]), result("call_2"), result("call_1")),
  },
  {
    rule: "OC-03",
    name: "an answer behind a question",
    bad: talk(user("Read."), calling(["call_1"]), user("And?"), result("call_1")),
    message: /did not have response messages: call_1$/,
    good: talk(user("Read."), calling(["call_1"]), result("call_1"), user("And?")),
  },
  {
    rule: "OC-04",
    name: "an answer without its call",
    bad: talk(user("Read."), result("call_9")),
    message: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    good: talk(user("Read."), calling(["call_9"]), result("call_9")),
  },
  {
    rule: "OC-05",
    name: "a reply with nothing in it",
    bad: talk(user("a"), { role: "assistant", content: null }, user("b")),
    message: "Invalid value for 'content': expected a string, got null.",
    good: talk(user("a"), { role: "assistant", content: "c" }, user("b")),
  },
  {
    rule: "OC-06",
    name: "an empty list of calls",
    bad: talk(user("a"), { role: "assistant", content: "b", tool_calls: [] }, user("c")),
    message: /^Invalid 'messages\[1\]\.tool_calls': empty array\./,
    good: talk(user("a"), { role: "assistant", content: "b" }, user("c")),
  },
  {
    rule: "OC-06",
    name: "arguments that are no string",
    bad: talk(user("a"), { role: "assistant", content: null, tool_calls: [call("call_1", { arguments: { a: 1 } })] }, result("call_1")),
    message: "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    good: talk(user("a"), calling(["call_1"]), result("call_1")),
  },
  {
    rule: "OC-07",
    name: "an unknown argument",
    bad: { ...base, foo: 1 },
    message: "Unrecognized request argument supplied: foo",
    good: { ...base, metadata: { a: "b" } },
  },
  {
    rule: "OC-08",
    name: "max_tokens on a reasoning model",
    bad: { ...base, max_tokens: 100 },
    message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    good: { ...base, max_completion_tokens: 100 },
  },
  {
    rule: "OC-09",
    name: "tools with reasoning on GPT-6.2",
    bad: { ...talk(user("a")), model: "gpt-6.2-sol" },
    message: /^Function tools with reasoning_effort are not supported/,
    good: { ...base, model: "gpt-6.2-sol" },
  },
  {
    rule: "OC-10",
    name: "a picture in an answer",
    bad: talk(user("a"), calling(["call_1"]), { ...result("call_1"), content: picture }),
    message: /Image URLs are only allowed for messages with role 'user'/,
    good: talk(user(picture)),
  },
  {
    rule: "OC-11",
    name: "a tool choice without tools",
    bad: { ...base, tool_choice: "auto" },
    message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    good: { ...base, tools: [tool], tool_choice: "auto" },
  },
  {
    rule: "DS-10",
    name: "reasoning that does not come back",
    dialect: "deepseek",
    bad: { ...talk(user("a"), calling(["call_1"]), result("call_1")), model: "deepseek-v4-pro" },
    message: "The reasoning_content in the thinking mode must be passed back to the API.",
    good: { ...talk(user("a"), calling(["call_1"], { reasoning_content: "" }), result("call_1")), model: "deepseek-v4-pro" },
  },
  {
    rule: "CB-01",
    name: "a reasoning field that it does not know",
    dialect: "cerebras",
    bad: { ...base, messages: [user("a"), { role: "assistant", content: "b", reasoning_content: "c" }, user("d")] },
    message: "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
    good: { ...base, messages: [user("a"), { role: "assistant", content: "b", reasoning: "c" }, user("d")] },
  },
];

/** The rules themselves live with the wire; here they are seen to be enforced, with the provider's status and words. */
describe.each(cases)("$rule: $name", ({ bad, good, message, rule, dialect = "openai" }) => {
  it("is refused", async () => {
    const answer = await openaiChatSimulator({ dialect }).handle(bad);
    expect(answer.refusal?.rule).toBe(rule);
    expect(answer.status).toBe(400);
    if (typeof message === "string") expect(answer.refusal?.message).toBe(message);
    else expect(answer.refusal?.message).toMatch(message);
  });

  it("has a twin that is accepted", async () => {
    expect((await openaiChatSimulator({ dialect }).handle(good)).refusal).toBeUndefined();
  });
});

it("MI-09: a user behind results is refused as the validator that is written down has it, or taken as the service takes it", async () => {
  const id = "call00001";
  const call = { id, type: "function", function: { name: "read", arguments: "{}" } };
  const messages = [
    user("a"),
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: "b" },
    user("c"),
  ];
  const asked = { model: "mistral-medium-latest", messages };
  expect((await openaiChatSimulator({ dialect: "mistral" }).handle(asked)).refusal).toMatchObject({ rule: "MI-09" });
  expect((await openaiChatSimulator({ dialect: "mistral", without: ["MI-09"] }).handle(asked)).refusal).toBeUndefined();
});

it("OC-12: a prompt over the window is refused with both figures", async () => {
  const sim = openaiChatSimulator({ profiles: { "gpt-5.4": { context: 1_000 } } });
  const refused = await sim.handle({ ...base, messages: [user("x".repeat(5_000))] });
  expect(refused.refusal).toMatchObject({ rule: "OC-12" });
  expect(refused.refusal?.message).toMatch(
    /^This model's maximum context length is 1000 tokens\. However, your messages resulted in \d+ tokens\.$/,
  );
  expect(refused.reply).toMatchObject({ error: { type: "invalid_request_error", param: "messages", code: "context_length_exceeded" } });
  expect((await sim.handle({ ...base, messages: [user("x".repeat(3_000))] })).status).toBe(200);
});

it("each dialect wraps its errors as it does", async () => {
  const errorOf = async (dialect: "openai" | "cerebras" | "mistral") =>
    (await openaiChatSimulator({ dialect }).handle({ ...base, messages: [] })).reply;
  expect(await errorOf("openai")).toEqual({
    error: { message: expect.any(String), type: "invalid_request_error", param: "messages", code: "empty_array" },
  });
  expect(await errorOf("cerebras")).toMatchObject({
    message: expect.any(String),
    type: "invalid_request_error",
    param: "validation_error",
  });
  expect(await errorOf("mistral")).toMatchObject({ object: "error", type: "invalid_request_message_order", param: null, code: "3230" });
});
