import process from "node:process";
import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import { firstBreach, type Grade, type RuleContext } from "../../wire/rule.ts";
import { profiles } from "./models.ts";
import { rules } from "./rules.ts";

type Sample = {
  readonly rule: string;
  readonly message: string;
  readonly path: string;
  readonly fails: object;
  /** The nearest request that passes. */
  readonly passes: object;
  readonly betas?: readonly string[];
  readonly version?: string;
  /** Undefined: sure. */
  readonly grade?: Grade;
  readonly code?: string;
};

const profileOf: (model: string) => Profile = profiles();
const user = (content: unknown): object => ({ role: "user", content });
const reply = (content: unknown): object => ({ role: "assistant", content });
const system = (content: unknown, more: object = {}): object => ({ role: "system", content, ...more });
const text = (words: string, more: object = {}): object => ({ type: "text", text: words, ...more });
const call = (id: string): object => ({ type: "tool_use", id, name: "read", input: {} });
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const thinking = { type: "thinking", thinking: "hm", signature: "s" };
const ephemeral = { type: "ephemeral" };
const hour = { type: "ephemeral", ttl: "1h" };
const tool = (name: string, more: object = {}): object => ({ name, input_schema: { type: "object" }, ...more });
const hi = user("hi");
const request = (more: object, messages: readonly object[] = [hi]): object => ({
  model: "claude-opus-4-8",
  max_tokens: 100,
  messages,
  ...more,
});
const talk = (...messages: object[]): object => request({}, messages);
const unanswered = (id: string): string =>
  `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
const scopedBeta = "mid-conversation-system-clear-at-2026-08-21";
const scoped = { clear_at: "next_user_message" };
const extra = "Extra inputs are not permitted";
const notSupported = (form: string): string =>
  `"thinking.type.${form}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`;
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } };

const samples: readonly Sample[] = [
  {
    rule: "AN-29",
    grade: "weak",
    message: "model: claude-next",
    path: "model",
    fails: request({ model: "claude-next" }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages: Field required",
    path: "messages",
    fails: { model: "claude-opus-4-8", max_tokens: 1 },
    passes: request({}),
  },
  { rule: "AN-01", message: "model: Input should be a valid string", path: "model", fails: request({ model: 4 }), passes: request({}) },
  {
    rule: "AN-01",
    message: "messages: Input should be a valid list",
    path: "messages",
    fails: request({ messages: {} }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0: Input should be an object",
    path: "messages.0",
    fails: request({ messages: ["hi"] }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.role: Field required",
    path: "messages.0.role",
    fails: talk({ content: "hi" }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.role: Input should be 'user', 'assistant' or 'system'",
    path: "messages.0.role",
    fails: talk({ role: "tool", content: "hi" }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.content: Field required",
    path: "messages.0.content",
    fails: talk({ role: "user" }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.content: Input should be a valid list",
    path: "messages.0.content",
    fails: talk(user(null)),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.content.0: Input should be an object",
    path: "messages.0.content.0",
    fails: talk(user(["hi"])),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.content.0.type: Field required",
    path: "messages.0.content.0.type",
    fails: talk(user([{ text: "hi" }])),
    passes: request({}),
  },
  {
    rule: "AN-01",
    message: "messages.0.content.0.text: Field required",
    path: "messages.0.content.0.text",
    fails: talk(user([{ type: "text" }])),
    passes: request({}),
  },
  {
    rule: "AN-01",
    grade: "likely",
    message: "max_tokens: Field required",
    path: "max_tokens",
    fails: { model: "claude-opus-4-8", messages: [hi] },
    passes: request({}),
  },
  {
    rule: "AN-01",
    grade: "weak",
    message: `createdAt: ${extra}`,
    path: "createdAt",
    fails: request({ createdAt: 1 }),
    passes: request({ betas: [] }),
  },
  {
    rule: "AN-01",
    grade: "weak",
    message: `messages.0.name: ${extra}`,
    path: "messages.0.name",
    fails: talk({ ...hi, name: "x" }),
    passes: request({}),
  },
  {
    rule: "AN-01",
    grade: "weak",
    message: `messages.0.content.0.text.mood: ${extra}`,
    path: "messages.0.content.0.mood",
    fails: talk(user([text("a", { mood: 1 })])),
    passes: talk(user([text("a", { citations: null })])),
  },
  {
    rule: "AN-01",
    grade: "weak",
    message: "messages.0.content.0: Input tag 'holo' found using 'type' does not match any of the expected tags",
    path: "messages.0.content.0",
    fails: talk(user([{ type: "holo" }])),
    passes: talk(user([{ type: "image", source: {} }])),
  },
  { rule: "AN-02", message: "messages: at least one message is required", path: "messages", fails: talk(), passes: talk(hi) },
  {
    rule: "AN-02",
    grade: "likely",
    message: 'messages: first message must use the "user" role',
    path: "messages.0.role",
    fails: talk(reply("a"), hi),
    passes: talk(reply([{ type: "compaction", content: "s" }]), hi),
  },
  {
    rule: "AN-02",
    message: 'messages: first message must use the "user" role',
    path: "messages.0.role",
    fails: talk(system("a"), hi),
    passes: talk(hi),
  },
  {
    rule: "AN-03",
    message: "messages.1: all messages must have non-empty content except for the optional final assistant message",
    path: "messages.1",
    fails: talk(hi, reply([]), hi),
    passes: request({ model: "claude-haiku-4-5" }, [hi, reply([])]),
  },
  {
    rule: "AN-03",
    message: "messages.0: all messages must have non-empty content except for the optional final assistant message",
    path: "messages.0",
    fails: talk(user("")),
    passes: talk(hi, system([], { output_config: { effort: "low" } })),
  },
  {
    rule: "AN-03",
    message: "messages: text content blocks must be non-empty",
    path: "messages.0.content.1",
    fails: talk(user([text("a"), text("")])),
    passes: talk(user([text("a"), text(" ")])),
  },
  {
    rule: "AN-03",
    message: "messages: text content blocks must contain non-whitespace text",
    path: "messages.0.content.0",
    fails: talk(user([text(" ")])),
    passes: talk(user([text(" a ")])),
  },
  {
    rule: "AN-03",
    message: "messages: text content blocks must contain non-whitespace text",
    path: "messages.0.content",
    fails: talk(user("\n")),
    passes: talk(user("\na")),
  },
  {
    rule: "AN-03",
    message: "system: text content blocks must be non-empty",
    path: "system.0",
    fails: request({ system: [text("")] }),
    passes: request({ system: [text("a")] }),
  },
  {
    rule: "AN-04",
    message: `messages.1: ${unanswered("a, b")}`,
    path: "messages.1",
    fails: talk(hi, reply([call("a"), call("b")]), user("go on")),
    passes: talk(hi, reply([call("a"), call("b")]), user([result("b"), result("a")])),
  },
  {
    rule: "AN-04",
    message: `messages.1: ${unanswered("a")}`,
    path: "messages.1",
    fails: talk(hi, reply([call("a")])),
    passes: talk(hi, reply([call("a")]), user([result("a")])),
  },
  {
    rule: "AN-04",
    message: `messages.2: ${unanswered("b")}`,
    path: "messages.2",
    fails: talk(hi, reply([call("a")]), reply([call("b")]), user([result("a")])),
    passes: talk(hi, reply([call("a")]), reply([call("b")]), user([result("a")]), user([result("b")])),
  },
  {
    rule: "AN-05",
    message:
      "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    path: "messages.0.content.0",
    fails: talk(user([result("a")])),
    passes: talk(hi, reply([call("a")]), user([result("a")])),
  },
  {
    rule: "AN-05",
    message:
      "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    path: "messages.4.content.0",
    fails: talk(hi, reply([call("a")]), user([result("a")]), reply("ok"), user([result("a")])),
    passes: talk(hi, reply([call("a")]), user([result("a")]), user("and")),
  },
  {
    rule: "AN-06",
    message: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    path: "messages.2.content.1",
    fails: talk(hi, reply([call("a")]), user([result("a"), result("a")])),
    passes: talk(hi, reply([call("a"), call("b")]), user([result("a"), result("b")])),
  },
  {
    rule: "AN-06",
    grade: "likely",
    message: "messages.3: `tool_use` ids must be unique",
    path: "messages.3",
    fails: talk(hi, reply([call("a")]), user([result("a")]), reply([call("a")]), user([result("a")])),
    passes: talk(hi, reply([call("a")]), user([result("a")]), reply([call("b")]), user([result("b")])),
  },
  {
    rule: "AN-07",
    message: `messages.1: ${unanswered("a")}`,
    path: "messages.1",
    fails: talk(hi, reply([call("a")]), user([text("well"), result("a")])),
    passes: talk(hi, reply([call("a")]), user([result("a"), text("well")])),
  },
  {
    rule: "AN-07",
    message: `messages.1: ${unanswered("b")}`,
    path: "messages.1",
    fails: talk(hi, reply([call("a"), call("b")]), user([result("a"), text("x")]), user([result("b")])),
    passes: talk(hi, reply([call("a"), call("b")]), user([result("a")]), user([result("b"), text("x")])),
  },
  {
    rule: "AN-08",
    message: "This model does not support assistant message prefill. The conversation must end with a user message.",
    path: "messages.1",
    fails: talk(hi, reply("so")),
    passes: request({ model: "claude-haiku-4-5" }, [hi, reply("so")]),
  },
  {
    rule: "AN-08",
    message: "This model does not support assistant message prefill. The conversation must end with a user message.",
    path: "messages.1",
    fails: talk(hi, reply([{ type: "server_tool_use", id: "s", name: "web_search", input: {} }, text("a")])),
    passes: talk(hi, reply([text("a"), { type: "server_tool_use", id: "s", name: "web_search", input: {} }])),
  },
  {
    rule: "AN-08",
    message: "messages: final assistant content cannot end with trailing whitespace",
    path: "messages.1",
    fails: request({ model: "claude-haiku-4-5" }, [hi, reply("so ")]),
    passes: request({ model: "claude-haiku-4-5" }, [hi, reply("so "), hi]),
  },
  {
    rule: "AN-09",
    message: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    path: "messages.0.content.2.cache_control",
    fails: request({ tools: [tool("a", { cache_control: ephemeral })], system: [text("s", { cache_control: ephemeral })] }, [
      user(["a", "b", "c"].map((words) => text(words, { cache_control: ephemeral }))),
    ]),
    passes: request({ system: [text("s", { cache_control: ephemeral })] }, [
      user(["a", "b", "c"].map((words) => text(words, { cache_control: ephemeral }))),
    ]),
  },
  {
    rule: "AN-09",
    message: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    path: "cache_control",
    fails: request({ cache_control: ephemeral }, [user([..."abcd"].map((words) => text(words, { cache_control: ephemeral })))]),
    passes: request({ cache_control: ephemeral }, [user([..."abc"].map((words) => text(words, { cache_control: ephemeral })))]),
  },
  {
    rule: "AN-10",
    message:
      "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    path: "messages.0.content.0.cache_control.ttl",
    fails: request({ system: [text("s", { cache_control: ephemeral })] }, [user([text("a", { cache_control: hour })])]),
    passes: request({ system: [text("s", { cache_control: hour })] }, [user([text("a", { cache_control: ephemeral })])]),
  },
  {
    rule: "AN-10",
    message: "cache_control.ttl: differs from the ttl of the last block's cache_control",
    path: "cache_control.ttl",
    fails: request({ cache_control: ephemeral }, [user([text("a", { cache_control: hour })])]),
    passes: request({ cache_control: hour }, [user([text("a", { cache_control: hour })])]),
  },
  {
    rule: "AN-11",
    message: `messages.1.content.0.thinking.cache_control: ${extra}`,
    path: "messages.1.content.0.cache_control",
    fails: talk(hi, reply([{ ...thinking, cache_control: ephemeral }, text("a")]), hi),
    passes: talk(hi, reply([thinking, text("a", { cache_control: ephemeral })]), hi),
  },
  {
    rule: "AN-11",
    message: "system.0.text: cache_control cannot be set for empty text blocks",
    path: "system.0.cache_control",
    fails: request({ system: [text("", { cache_control: ephemeral })] }),
    passes: request({ system: [text("s", { cache_control: null })] }),
  },
  {
    rule: "AN-11",
    message: "messages.0.content.0.cache_control.type: Input should be 'ephemeral'",
    path: "messages.0.content.0.cache_control.type",
    fails: talk(user([text("a", { cache_control: { type: "forever" } })])),
    passes: talk(user([text("a", { cache_control: ephemeral })])),
  },
  {
    rule: "AN-11",
    message: "messages.0.content.0.content.0.cache_control.ttl: Input should be '5m' or '1h'",
    path: "messages.0.content.0.content.0.cache_control.ttl",
    fails: talk(
      user([{ type: "search_result", source: "s", title: "t", content: [text("a", { cache_control: { type: "ephemeral", ttl: "2h" } })] }]),
    ),
    passes: talk(user([text("a", { cache_control: hour })])),
  },
  {
    rule: "AN-15",
    grade: "likely",
    message:
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
    path: "messages.1.content.0.type",
    fails: request({ model: "claude-haiku-4-5", max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 2000 } }, [
      hi,
      reply([call("a")]),
      user([result("a")]),
    ]),
    passes: request({ model: "claude-haiku-4-5", max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 2000 } }, [
      hi,
      reply([thinking, call("a")]),
      user([result("a")]),
    ]),
  },
  {
    rule: "AN-16",
    message: "messages.1: role 'system' is not supported on this model",
    path: "messages.1",
    fails: request({ model: "claude-sonnet-5" }, [hi, system("x")]),
    passes: talk(hi, system("x")),
  },
  {
    rule: "AN-16",
    message:
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    path: "messages.1",
    fails: request({ model: "claude-opus-4-6" }, [hi, system("x")]),
    passes: talk(hi, system("x"), system("y")),
  },
  {
    rule: "AN-16",
    message: "messages.2: role 'system' must precede an 'assistant' message or end the array",
    path: "messages.2",
    fails: talk(hi, system("x"), system("y"), hi),
    passes: talk(hi, system("x"), system("y"), reply("a"), hi),
  },
  {
    rule: "AN-16",
    message: "messages.2: role 'system' must follow a 'user' message or a server tool result",
    path: "messages.2",
    fails: talk(hi, reply("a"), system("x")),
    passes: talk(hi, reply([{ type: "web_search_tool_result", tool_use_id: "s", content: [] }]), system("x")),
  },
  {
    rule: "AN-16",
    message: "messages.2.content.0: must not follow a paused assistant turn",
    path: "messages.2.content.0",
    fails: talk(
      hi,
      reply([{ type: "web_search_tool_result", tool_use_id: "s", content: [] }]),
      system([{ type: "tool_removal", tool: {} }]),
    ),
    passes: talk(hi, system([{ type: "tool_removal", tool: {} }])),
  },
  {
    rule: "AN-17",
    betas: [scopedBeta],
    message: "messages.0.clear_at: clear_at is only permitted on role 'system' messages",
    path: "messages.0.clear_at",
    fails: talk({ ...hi, ...scoped }),
    passes: talk(hi, system("x", scoped)),
  },
  {
    rule: "AN-17",
    betas: [scopedBeta],
    message: "messages.1.clear_at: Input should be 'next_user_message' or 'never'",
    path: "messages.1.clear_at",
    fails: talk(hi, system("x", { clear_at: "soon" })),
    passes: talk(hi, system("x", { clear_at: "never" })),
  },
  {
    rule: "AN-17",
    betas: [],
    message: `messages.1.clear_at: ${extra}`,
    path: "messages.1.clear_at",
    fails: talk(hi, system("x", scoped)),
    passes: talk(hi, system("x", { clear_at: null })),
  },
  {
    rule: "AN-17",
    betas: [scopedBeta, "mid-conversation-tool-changes-2026-07-01"],
    message: "messages.1: a turn-scoped system message supports text blocks only (clear_at: 'next_user_message')",
    path: "messages.1",
    fails: talk(hi, system([{ type: "tool_removal", tool: {} }], scoped)),
    passes: talk(hi, system([text("a")], scoped)),
  },
  {
    rule: "AN-17",
    betas: [scopedBeta, "mid-conversation-output-config-2026-07-01"],
    message: "messages.1: output_config is not permitted on a turn-scoped system message (clear_at: 'next_user_message')",
    path: "messages.1",
    fails: talk(hi, system("x", { ...scoped, output_config: {} })),
    passes: talk(hi, system("x", { ...scoped, output_config: null })),
  },
  {
    rule: "AN-17",
    betas: [scopedBeta],
    message: "messages.1.content.0: cache_control is not permitted on a turn-scoped system message (clear_at: 'next_user_message')",
    path: "messages.1.content.0",
    fails: talk(hi, system([text("a", { cache_control: ephemeral })], scoped)),
    passes: talk(hi, system([text("a", { cache_control: ephemeral })])),
  },
  {
    rule: "AN-18",
    message: `messages.0.content.0.compaction.citations: ${extra}`,
    path: "messages.0.content.0",
    fails: talk(reply([{ type: "compaction", content: "s", signature: "x", citations: null }]), hi),
    passes: talk(reply([{ type: "compaction", content: "s", signature: "x", cache_control: ephemeral }]), hi),
  },
  {
    rule: "AN-18",
    betas: [],
    message: "messages.0.content.0: requires anthropic-beta: compact-2026-09-04",
    path: "messages.0.content.0",
    fails: talk(reply([{ type: "compaction", content: "s", signature: "x" }]), hi),
    passes: request({}),
  },
  {
    rule: "AN-18",
    betas: ["compact-2026-01-12"],
    message: "messages.0.content.0: requires anthropic-beta: compact-2026-09-04",
    path: "messages.0.content.0",
    fails: talk(reply([{ type: "compaction", content: "s", signature: "x" }]), hi),
    passes: talk(reply([{ type: "compaction", content: "s" }]), hi),
  },
  {
    rule: "AN-18",
    code: "compaction_block_misplaced",
    message: "messages.1.content.0: a compaction block comes first",
    path: "messages.1.content.0",
    fails: talk(hi, reply([{ type: "compaction", content: "s", signature: "x" }]), hi),
    passes: talk(hi, reply([{ type: "compaction", content: "s" }]), hi),
  },
  {
    rule: "AN-18",
    code: "compaction_block_ambiguous",
    message: "messages.0.content.1: more than one compaction block",
    path: "messages.0.content.1",
    fails: talk(
      reply([
        { type: "compaction", content: "s", signature: "x" },
        { type: "compaction", content: "s", signature: "y" },
      ]),
      hi,
    ),
    passes: talk(reply([{ type: "compaction", content: "s", signature: "x" }]), hi),
  },
  {
    rule: "AN-18",
    message: "context_management: cannot be combined with a signed compaction block",
    path: "context_management",
    fails: request({ context_management: { edits: [{ type: "compact_20260112" }] } }, [
      reply([{ type: "compaction", content: "s", signature: "x" }]),
      hi,
    ]),
    passes: request({ context_management: { edits: [] } }, [reply([{ type: "compaction", content: "s", signature: "x" }]), hi]),
  },
  {
    rule: "AN-19",
    message: "context_management: cannot be combined with compaction",
    path: "context_management",
    fails: request({ compaction: { type: "summarize" }, context_management: {} }),
    passes: request({ compaction: { type: "summarize" }, context_management: null }),
  },
  {
    rule: "AN-19",
    message: "stop_sequences: cannot be combined with compaction",
    path: "stop_sequences",
    fails: request({ compaction: { type: "summarize" }, stop_sequences: ["x"] }),
    passes: request({ compaction: { type: "summarize" }, stop_sequences: [] }),
  },
  {
    rule: "AN-19",
    message: "output_config.format: cannot be combined with compaction",
    path: "output_config.format",
    fails: request({ compaction: { type: "summarize" }, output_config: { format: { type: "json_schema" } } }),
    passes: request({ compaction: { type: "summarize" }, output_config: { effort: "low" } }),
  },
  {
    rule: "AN-19",
    message: "tool_choice: cannot be combined with compaction",
    path: "tool_choice",
    fails: request({ compaction: { type: "summarize" }, tools: [tool("a")], tool_choice: { type: "any" } }),
    passes: request({ compaction: { type: "summarize" }, tools: [tool("a")], tool_choice: { type: "auto" } }),
  },
  {
    rule: "AN-20",
    message: "context_management.edits.1: clear_thinking_20251015 must be the first edit",
    path: "context_management.edits.1",
    fails: request({ context_management: { edits: [{ type: "clear_tool_uses_20250919" }, { type: "clear_thinking_20251015" }] } }),
    passes: request({ context_management: { edits: [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }] } }),
  },
  {
    rule: "AN-20",
    message: "context_management.edits.0.trigger.value: Input should be greater than or equal to 50000",
    path: "context_management.edits.0.trigger.value",
    fails: request({ context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 49_999 } }] } }),
    passes: request({ context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }] } }),
  },
  {
    rule: "AN-21",
    message: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    path: "tools.0.name",
    fails: request({ tools: [tool("a b")] }),
    passes: request({ tools: [tool("a-b")] }),
  },
  {
    rule: "AN-21",
    message: "tools.0.custom.name: Field required",
    path: "tools.0.name",
    fails: request({ tools: [{ input_schema: {} }] }),
    passes: request({ tools: [{ type: "mcp_toolset", mcp_server_name: "m" }] }),
  },
  {
    rule: "AN-21",
    message: "tools: Tool names must be unique.",
    path: "tools",
    fails: request({ tools: [tool("a"), tool("a")] }),
    passes: request({ tools: [tool("a"), tool("b")] }),
  },
  {
    rule: "AN-21",
    message: "tools.1.custom.input_schema.type: Input should be 'object'",
    path: "tools.1.input_schema",
    fails: request({ tools: [tool("a"), { name: "b", input_schema: { type: "string" } }] }),
    passes: request({ tools: [tool("a"), { type: "web_search_20250305", name: "web_search" }] }),
  },
  {
    rule: "AN-21",
    message: "All tools have defer_loading: true",
    path: "tools",
    fails: request({ tools: [tool("a", { defer_loading: true })] }),
    passes: request({ tools: [tool("a", { defer_loading: true }), tool("b")] }),
  },
  {
    rule: "AN-22",
    message: "tool_choice: may only be specified while providing tools",
    path: "tool_choice",
    fails: request({ tool_choice: { type: "auto" } }),
    passes: request({ tools: [tool("a")], tool_choice: { type: "auto" } }),
  },
  {
    rule: "AN-22",
    grade: "likely",
    message: 'tool_choice: type "tool" and "any" are not supported for this model.',
    path: "tool_choice",
    fails: request({ model: "claude-opus-5-5", tools: [tool("a")], tool_choice: { type: "tool", name: "a" } }),
    passes: request({ model: "claude-haiku-5-5", tools: [tool("a")], tool_choice: { type: "any" } }),
  },
  {
    rule: "AN-23",
    message: "adaptive thinking is not supported on this model",
    path: "thinking.type",
    fails: request({ model: "claude-haiku-4-5", thinking: { type: "adaptive" } }),
    passes: request({ model: "claude-opus-4-6", thinking: { type: "adaptive" } }),
  },
  {
    rule: "AN-23",
    message: notSupported("enabled"),
    path: "thinking.type",
    fails: request({ thinking: { type: "enabled", budget_tokens: 2000 } }),
    passes: request({ model: "claude-opus-4-6", max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } }),
  },
  {
    rule: "AN-23",
    message: notSupported("disabled"),
    path: "thinking.type",
    fails: request({ model: "claude-opus-5-5", thinking: { type: "disabled" } }),
    passes: request({ model: "claude-opus-5", thinking: { type: "disabled" }, output_config: { effort: "high" } }),
  },
  {
    rule: "AN-23",
    message: notSupported("disabled"),
    path: "thinking.type",
    fails: request({ model: "claude-opus-5", thinking: { type: "disabled" }, output_config: { effort: "max" } }),
    passes: request({ model: "claude-next", thinking: { type: "anything" } }),
  },
  {
    rule: "AN-23",
    message: notSupported("between_tools"),
    path: "thinking.type",
    fails: request({ thinking: { type: "between_tools" } }),
    passes: request({ model: "claude-sonnet-5-5", thinking: { type: "between_tools" } }),
  },
  {
    rule: "AN-23",
    message: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    path: "thinking.enabled.budget_tokens",
    fails: request({ model: "claude-haiku-4-5", thinking: { type: "enabled", budget_tokens: 1023 } }),
    passes: request({ model: "claude-haiku-4-5", max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 1024 } }),
  },
  {
    rule: "AN-23",
    betas: [],
    message: "`max_tokens` must be greater than `thinking.budget_tokens`",
    path: "thinking.budget_tokens",
    fails: request({ model: "claude-haiku-4-5", max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 2000 } }),
    passes: request({ model: "claude-haiku-4-5", max_tokens: 2001, thinking: { type: "enabled", budget_tokens: 2000 } }),
  },
  {
    rule: "AN-24",
    grade: "likely",
    message: "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-8",
    path: "max_tokens",
    fails: request({ max_tokens: 128_001 }),
    passes: request({ max_tokens: 128_000 }),
  },
  {
    rule: "AN-26",
    version: "2026-10-21",
    message: `temperature: ${extra}`,
    path: "temperature",
    fails: request({ model: "claude-haiku-4-5", temperature: 1 }),
    passes: request({ temperature: null }),
  },
  {
    rule: "AN-26",
    version: "2026-10-21",
    message: `messages.1.content.0: ${extra}`,
    path: "messages.1.content.0",
    fails: talk(hi, reply([document]), hi),
    passes: talk(user([document]), reply([{ type: "web_fetch_tool_result", tool_use_id: "w", content: document }]), hi),
  },
  {
    rule: "AN-26",
    version: "2026-10-21",
    message: `messages.0.content.0.citations: ${extra}`,
    path: "messages.0.content.0.citations",
    fails: talk(user([text("a", { citations: [{}] })])),
    passes: talk(user([text("a", { citations: [] })]), reply([text("a", { citations: [{}] })]), hi),
  },
  {
    rule: "AN-26",
    version: "2026-10-21",
    message: `messages.0.content.0.citations: ${extra}`,
    path: "messages.0.content.0.citations",
    fails: talk(user([{ type: "search_result", source: "s", title: "t", content: [text("a", { citations: [{}] })] }])),
    passes: talk(user([{ type: "search_result", source: "s", title: "t", content: [text("a")], citations: { enabled: true } }])),
  },
  {
    rule: "AN-26",
    version: "2023-06-01",
    message: `temperature: ${extra}`,
    path: "temperature",
    fails: request({ temperature: 0.5 }),
    passes: request({ model: "claude-opus-4-6", temperature: 0.5 }),
  },
  {
    rule: "AN-26",
    grade: "likely",
    message: `top_k: ${extra}`,
    path: "top_k",
    fails: request({ model: "claude-haiku-4-5", top_k: 5 }),
    passes: request({}),
  },
  {
    rule: "AN-27",
    betas: [],
    message: `context_management: ${extra}`,
    path: "context_management",
    fails: request({ context_management: { edits: [] } }),
    passes: request({ context_management: null }),
  },
  {
    rule: "AN-27",
    betas: [],
    message: `thinking.adaptive.block_binding: ${extra}`,
    path: "thinking.block_binding",
    fails: request({ thinking: { type: "adaptive", block_binding: {} } }),
    passes: request({ thinking: { type: "adaptive", block_binding: null } }),
  },
  {
    rule: "AN-27",
    betas: ["mcp-client-2026-09-15"],
    message: `compaction: ${extra}`,
    path: "compaction",
    fails: request({ compaction: { type: "summarize" } }),
    passes: request({ mcp_servers: [{ type: "url" }] }),
  },
  {
    rule: "AN-27",
    betas: [],
    message: `messages.1.output_config: ${extra}`,
    path: "messages.1.output_config",
    fails: talk(hi, system([], { output_config: { effort: "low" } })),
    passes: talk(hi, system("x")),
  },
  {
    rule: "AN-27",
    betas: [],
    message: `messages.1.content.0: ${extra}`,
    path: "messages.1.content.0",
    fails: talk(hi, system([{ type: "tool_addition", tool: {} }])),
    passes: talk(hi, system([text("x")])),
  },
  {
    rule: "AN-30",
    message: `messages.1: ${unanswered("a")}`,
    path: "messages.1",
    fails: talk(hi, reply([call("a")]), system("x"), user([result("a")])),
    passes: talk(hi, reply([call("a")]), system([], { output_config: { effort: "low" } }), user([result("a")])),
  },
];

const grades: readonly Grade[] = ["sure", "likely", "weak"];

function contextOf(given: object, { betas, version }: Pick<Sample, "betas" | "version">): RuleContext {
  return { profile: profileOf(String((given as { model?: unknown }).model)), betas, version };
}

/** Shape rules in the order in which a session asks: the sure ones, then the others. */
function found(given: object, sample: Pick<Sample, "betas" | "version" | "grade">): ReturnType<typeof firstBreach> {
  const value = copyValue(given) as ObjectValue;
  const asked = sample.grade === undefined ? (["sure"] as const) : grades.slice(0, grades.indexOf(sample.grade) + 1);
  for (const grade of asked) {
    const breach = firstBreach(rules, value, contextOf(given, sample), [grade]);
    if (breach !== undefined) return breach;
  }
  return undefined;
}

describe("shape rules (rule 53)", () => {
  it.each(samples)("$rule refuses: $message", (sample) => {
    const first = found(sample.fails, sample);
    expect(first?.rule.id).toBe(sample.rule);
    expect(first?.rule.grade).toBe(sample.grade ?? "sure");
    expect(first?.breach.message).toBe(sample.message);
    expect(first?.breach.path.join(".")).toBe(sample.path);
    expect(first?.breach.providerCode).toBe(sample.code);
    expect(found(sample.passes, sample)?.breach).toBeUndefined();
  });

  it("have a sample each", () => {
    const numbers = (ids: readonly string[]): readonly string[] => [...new Set(ids)].sort();
    expect(numbers(samples.map(({ rule }) => rule))).toEqual(numbers(rules.map(({ id }) => id)));
    // AN-12, 13 and 14 need the server's key or memory, AN-25 its tokenizer, AN-28 its replies.
    const all = Array.from({ length: 30 }, (_, index) => `AN-${String(index + 1).padStart(2, "0")}`);
    expect(all.filter((id) => !rules.some((rule) => rule.id === id))).toEqual(["AN-12", "AN-13", "AN-14", "AN-25", "AN-28"]);
  });

  it("answer with the provider's status: 404 for a model, else 400", () => {
    for (const { id, status } of rules) expect(status).toBe(id === "AN-29" ? 404 : 400);
    expect(found(request({ model: "claude-next" }), { grade: "weak" })?.breach.type).toBe("not_found_error");
  });

  it("are silent about what is not known: betas, version", () => {
    const given = request({ context_management: { edits: [] }, model: "claude-haiku-4-5", temperature: 0.5 });
    expect(found(given, {})).toBeUndefined();
  });

  it("hold nothing against a model that the table does not know, but as a guess", () => {
    const given = request({ model: "claude-next", thinking: { type: "disabled" }, temperature: 0.3, max_tokens: 1_000_000 }, [
      hi,
      system("x"),
      reply("so"),
    ]);
    expect(found(given, {})).toBeUndefined();
  });

  it("look at a changed request anew", () => {
    const given = { model: "claude-opus-4-8", max_tokens: 1, messages: [{ role: "user", content: "hi" }] };
    const asked = (): string | undefined => firstBreach(rules, given as unknown as ObjectValue, contextOf(given, {}), ["sure"])?.rule.id;
    expect(asked()).toBeUndefined();
    given.messages[0] = { role: "user", content: "" };
    expect(asked()).toBe("AN-03");
    const frozen = { ...given, messages: [Object.freeze(user("hi"))] };
    expect(firstBreach(rules, frozen as unknown as ObjectValue, contextOf(given, {}), ["sure"])).toBeUndefined();
    frozen.messages.push(Object.freeze(reply("x")));
    expect(firstBreach(rules, frozen as unknown as ObjectValue, contextOf(given, {}), ["sure"])?.rule.id).toBe("AN-08");
  });

  it("never throw, whatever they are given", () => {
    const odd: readonly unknown[] = [
      {},
      { messages: 3 },
      { messages: [null, 1, "x", [], {}], tools: [null, 3], system: [null], tool_choice: 3, thinking: 3 },
    ];
    for (const given of odd) {
      for (const rule of rules)
        expect(() => rule.check(given as ObjectValue, contextOf({}, { betas: [], version: "2026-10-21" }))).not.toThrow();
    }
  });

  it("cost time that grows with the request, not with its square", { timeout: 60_000, retry: 4 }, () => {
    const loop = (count: number): readonly object[] =>
      Array.from({ length: count }, (_, index) =>
        index % 2 === 0 ? user(index === 0 ? "go" : [result(`t${index - 1}`), text("x")]) : reply([thinking, call(`t${index}`)]),
      );
    const oneTurn = (count: number): readonly object[] => [
      hi,
      reply([call("a")]),
      ...Array.from({ length: count }, () => user([result("a")])),
    ];
    const silent = (count: number): readonly object[] => [
      hi,
      ...Array.from({ length: count }, () => system([], { output_config: { effort: "low" } })),
    ];
    const time = (messages: readonly object[]): number => {
      const given = copyValue(talk(...messages)) as ObjectValue;
      const before = process.cpuUsage();
      for (const rule of rules) rule.check(given, contextOf(given, { betas: [] }));
      return process.cpuUsage(before).user;
    };
    const best = (messages: readonly object[]): number => Math.min(time(messages), time(messages), time(messages));
    for (const make of [loop, oneTurn, silent]) expect(best(make(8_000)) / best(make(1_000))).toBeLessThan(30);
  });
});
