import { describe, expect, it } from "vitest";
import { anthropicSimulator } from "./server.ts";

type Body = Record<string, unknown>;
type Case = {
  readonly rule: string;
  readonly name: string;
  readonly bad: Body;
  readonly message: string | RegExp;
  readonly good: Body;
  readonly betas?: string;
  /** Betas of the good twin, where they are the difference. */
  readonly goodBetas?: string;
  readonly version?: string;
  readonly status?: number;
};

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (words: string, extra: Body = {}) => ({ type: "text", text: words, ...extra });
const call = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const tool = { name: "read", input_schema: { type: "object" } };
const mark = { cache_control: { type: "ephemeral" } };
const hourMark = { cache_control: { type: "ephemeral", ttl: "1h" } };
const clearBeta = "mid-conversation-system-clear-at-2026-08-21";
const reminder = (extra: Body = {}) => ({ role: "system", content: "Be brief.", clear_at: "next_user_message", ...extra });

const base: Body = { model: "claude-opus-5-5", max_tokens: 1_000, messages: [user("Hello?")] };
const older: Body = { ...base, model: "claude-sonnet-4-5" };
const talk = (...messages: unknown[]): Body => ({ ...base, tools: [tool], messages });
const answered = [user("Read."), assistant([call("toolu_1")]), user([result("toolu_1")])];

const cases: readonly Case[] = [
  {
    rule: "AN-01",
    name: "an unknown field",
    bad: { ...base, foo: 1 },
    message: "foo: Extra inputs are not permitted",
    good: { ...base, metadata: { user_id: "u" } },
  },
  {
    rule: "AN-01",
    name: "no max_tokens",
    bad: { model: "claude-opus-5-5", messages: [user("Hello?")] },
    message: /max_tokens: Field required/,
    good: base,
  },
  { rule: "AN-02", name: "no message", bad: talk(), message: "messages: at least one message is required", good: base },
  {
    rule: "AN-02",
    name: "a reply first",
    bad: talk(assistant("Hi."), user("Hello?")),
    message: 'messages: first message must use the "user" role',
    good: talk(user("Hello?")),
  },
  {
    rule: "AN-03",
    name: "an empty message",
    bad: talk(user([]), assistant("Hi."), user("Hello?")),
    message: "messages.0: all messages must have non-empty content except for the optional final assistant message",
    good: talk(user("x"), assistant("Hi."), user("Hello?")),
  },
  {
    rule: "AN-03",
    name: "an empty text",
    bad: talk(user([text("a"), text("")])),
    message: "messages: text content blocks must be non-empty",
    good: talk(user([text("a"), text(" ")])),
  },
  {
    rule: "AN-03",
    name: "nothing but white space",
    bad: talk(user(" \n")),
    message: "messages: text content blocks must contain non-whitespace text",
    good: talk(user(" x ")),
  },
  {
    rule: "AN-04",
    name: "a call without its result",
    bad: talk(user("Read."), assistant([call("toolu_1"), call("toolu_2")]), user([result("toolu_1")])),
    message:
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    good: talk(user("Read."), assistant([call("toolu_1"), call("toolu_2")]), user([result("toolu_1"), result("toolu_2")])),
  },
  {
    rule: "AN-05",
    name: "a result without its call",
    bad: talk(user([result("toolu_9")])),
    message:
      "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    good: talk(...answered),
  },
  {
    rule: "AN-06",
    name: "two results of one call",
    bad: talk(user("Read."), assistant([call("toolu_1")]), user([result("toolu_1"), result("toolu_1")])),
    message: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1",
    good: talk(...answered),
  },
  {
    rule: "AN-06",
    name: "one id for two calls",
    bad: talk(...answered, assistant([call("toolu_1")]), user([result("toolu_1")])),
    message: "messages.3: `tool_use` ids must be unique",
    good: talk(...answered, assistant([call("toolu_2")]), user([result("toolu_2")])),
  },
  {
    rule: "AN-07",
    name: "a result behind text",
    bad: talk(user("Read."), assistant([call("toolu_1")]), user([text("Here:"), result("toolu_1")])),
    message: /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\./,
    good: talk(user("Read."), assistant([call("toolu_1")]), user([result("toolu_1"), text("Here.")])),
  },
  {
    rule: "AN-08",
    name: "a prefill",
    bad: talk(user("Hello?"), assistant("Well")),
    message: "This model does not support assistant message prefill. The conversation must end with a user message.",
    good: { ...older, messages: [user("Hello?"), assistant("Well")] },
  },
  {
    rule: "AN-08",
    name: "a prefill that ends in white space",
    bad: { ...older, messages: [user("Hello?"), assistant("Well ")] },
    message: "messages: final assistant content cannot end with trailing whitespace",
    good: { ...older, messages: [user("Hello?"), assistant("Well")] },
  },
  {
    rule: "AN-09",
    name: "five cache marks",
    bad: { ...talk(user(["a", "b", "c", "d"].map((words) => text(words, mark)))), ...mark },
    message: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    good: talk(user(["a", "b", "c", "d"].map((words) => text(words, mark)))),
  },
  {
    rule: "AN-10",
    name: "an hour behind five minutes",
    bad: talk(user([text("a", mark), text("b", hourMark)])),
    message:
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    good: talk(user([text("a", hourMark), text("b", mark)])),
  },
  {
    rule: "AN-11",
    name: "a mark of no lifetime",
    bad: talk(user([text("a", { cache_control: { type: "ephemeral", ttl: "2h" } })])),
    message: /Input should be '5m' or '1h'/,
    good: talk(user([text("a", hourMark)])),
  },
  {
    rule: "AN-11",
    name: "a mark of no type",
    bad: talk(user([text("a", { cache_control: { type: "lasting" } })])),
    message: /Input should be 'ephemeral'/,
    good: talk(user([text("a", mark)])),
  },
  {
    rule: "AN-16",
    name: "a system message on a model without them",
    bad: { ...base, model: "claude-sonnet-5", messages: [user("a"), { role: "system", content: "b" }] },
    message: "messages.1: role 'system' is not supported on this model",
    good: { ...base, messages: [user("a"), { role: "system", content: "b" }] },
  },
  {
    rule: "AN-16",
    name: "a system message before a user message",
    bad: talk(user("a"), { role: "system", content: "b" }, user("c")),
    message: /role 'system' must precede/,
    good: talk(user("a"), { role: "system", content: "b" }, assistant("c"), user("d")),
  },
  {
    rule: "AN-17",
    name: "a turn-scoped message with an effort",
    bad: talk(user("a"), reminder({ output_config: { effort: "low" } })),
    message: "messages.1: output_config is not permitted on a turn-scoped system message (clear_at: 'next_user_message')",
    good: talk(user("a"), reminder()),
    betas: `${clearBeta},mid-conversation-output-config-2026-07-01`,
  },
  {
    rule: "AN-17",
    name: "clear_at without its beta",
    bad: talk(user("a"), reminder()),
    message: "messages.1.clear_at: Extra inputs are not permitted",
    good: talk(user("a"), reminder()),
    goodBetas: clearBeta,
  },
  {
    rule: "AN-19",
    name: "compaction with stop sequences",
    bad: { ...base, compaction: { type: "summarize" }, stop_sequences: ["x"] },
    message: /compaction/,
    good: { ...base, compaction: { type: "summarize" } },
    betas: "compact-2026-09-04",
  },
  {
    rule: "AN-20",
    name: "clear_thinking behind another edit",
    bad: {
      ...base,
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }, { type: "clear_thinking_20251015", keep: "all" }] },
    },
    message: /clear_thinking/,
    good: {
      ...base,
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }, { type: "clear_tool_uses_20250919" }] },
    },
    betas: "context-management-2025-06-27",
  },
  {
    rule: "AN-21",
    name: "a tool name with a space",
    bad: { ...base, tools: [{ ...tool, name: "read it" }] },
    message: /String should match pattern '\^\[a-zA-Z0-9_-\]\{1,128\}\$'/,
    good: { ...base, tools: [tool] },
  },
  {
    rule: "AN-21",
    name: "one tool twice",
    bad: { ...base, tools: [tool, tool] },
    message: "tools: Tool names must be unique.",
    good: { ...base, tools: [tool, { ...tool, name: "write" }] },
  },
  {
    rule: "AN-22",
    name: "a tool choice without tools",
    bad: { ...base, tool_choice: { type: "auto" } },
    message: "tool_choice: may only be specified while providing tools",
    good: { ...base, tools: [tool], tool_choice: { type: "auto" } },
  },
  {
    rule: "AN-22",
    name: "a forced tool",
    bad: { ...base, tools: [tool], tool_choice: { type: "any" } },
    message: 'tool_choice: type "tool" and "any" are not supported for this model.',
    good: { ...older, tools: [tool], tool_choice: { type: "any" } },
  },
  {
    rule: "AN-23",
    name: "a budget on a model that adapts",
    bad: { ...base, max_tokens: 5_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    message:
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    good: { ...older, max_tokens: 5_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
  },
  {
    rule: "AN-23",
    name: "a budget above the output limit",
    bad: { ...older, max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    message: "`max_tokens` must be greater than `thinking.budget_tokens`",
    good: { ...older, max_tokens: 2_001, thinking: { type: "enabled", budget_tokens: 2_000 } },
  },
  {
    rule: "AN-24",
    name: "an output limit above the model's",
    bad: { ...base, max_tokens: 128_001 },
    message: "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-5-5",
    good: { ...base, max_tokens: 128_000 },
  },
  { rule: "AN-26", name: "sampling in version 2026-10-21", bad: { ...older, temperature: 1 }, message: /temperature/, good: older },
  {
    rule: "AN-26",
    name: "sampling on a model that refuses it",
    bad: { ...base, temperature: 0.5 },
    message: /temperature/,
    good: { ...base, temperature: 1 },
    version: "2023-06-01",
  },
  {
    rule: "AN-27",
    name: "a beta field without its beta",
    bad: { ...base, context_management: { edits: [] } },
    message: "context_management: Extra inputs are not permitted",
    good: { ...base, context_management: { edits: [] } },
    goodBetas: "context-management-2025-06-27",
  },
  {
    rule: "AN-29",
    name: "an unknown model",
    bad: { ...base, model: "claude-none" },
    message: "model: claude-none",
    good: base,
    status: 404,
  },
  {
    rule: "AN-30",
    name: "a system message between call and result",
    bad: talk(user("Read."), assistant([call("toolu_1")]), { role: "system", content: "b" }, user([result("toolu_1")])),
    message: /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\./,
    good: talk(...answered, { role: "system", content: "b" }),
  },
];

const headersOf = (betas: string | undefined, version = "2026-10-21") => ({
  headers: { "anthropic-version": version, ...(betas !== undefined && { "anthropic-beta": betas }) },
});

/** The rules themselves live with the wire; here they are seen to be enforced, with the provider's status and words. */
describe.each(cases)("$rule: $name", ({ bad, good, message, betas, goodBetas, version, rule, status = 400 }) => {
  it("is refused", async () => {
    const answer = await anthropicSimulator().handle(bad, headersOf(betas, version));
    expect(answer.refusal?.rule).toBe(rule);
    expect(answer.status).toBe(status);
    if (typeof message === "string") expect(answer.refusal?.message).toBe(message);
    else expect(answer.refusal?.message).toMatch(message);
    expect(answer.reply).toMatchObject({ type: "error", error: { message: answer.refusal?.message } });
  });

  it("has a twin that is accepted", async () => {
    const answer = await anthropicSimulator().handle(good, headersOf(goodBetas ?? betas, version));
    expect(answer.refusal).toBeUndefined();
  });
});

it("AN-11 refuses a mark on thinking", async () => {
  const sim = anthropicSimulator({ script: [{ thinking: "So.", text: "Yes." }, {}] });
  const { reply } = await sim.handle(base);
  const content = (reply.content as unknown as Body[]).map((block) => (block.type === "thinking" ? { ...block, ...mark } : block));
  const answer = await sim.handle({ ...base, messages: [user("Hello?"), assistant(content), user("And?")] });
  expect(answer.refusal).toMatchObject({
    rule: "AN-11",
    message: "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
  });
});
