import type { ObjectValue } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { anthropicRuleSamples } from "../../../core/test/rule-samples/anthropic.ts";
import { wireContract } from "../../src/contract.ts";
import { streamOf } from "../../src/simulator/anthropic/stream.ts";

const signed = (thinking: string) => ({ type: "thinking", thinking, signature: btoa(encodeURIComponent(thinking)) });
const text = (words: string) => ({ type: "text", text: words });
const usage = { input_tokens: 12, cache_read_input_tokens: 0, cache_creation_input_tokens: 30, output_tokens: 5 };

function reply(content: readonly ObjectValue[], more: ObjectValue = {}): ObjectValue {
  const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  const head = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5" };
  return { ...head, content, stop_reason, stop_sequence: null, usage, ...more };
}

const ephemeral = { type: "ephemeral" };
const tools = ["look", "ask"].map((name) => ({ name, description: `The tool ${name}.`, input_schema: { type: "object" } }));
const body = (messages: readonly ObjectValue[], more: ObjectValue = {}) => ({
  model: "claude-opus-5-5",
  max_tokens: 1_000,
  system: [text("You keep lamps.")],
  tools,
  messages,
  ...more,
});

wireContract({
  name: "anthropic",
  wire: anthropic(),
  model: "claude-opus-5-5",
  otherModel: "claude-haiku-5-5",
  request: (messages, model) => body(messages, { model }),
  user: (words) => ({ role: "user", content: [text(words)] }),
  results: (results) => [
    { role: "user", content: results.map(({ id, text: content }) => ({ type: "tool_result", tool_use_id: id, content })) },
  ],
  reply: ({ reasoning, text: words, calls = [] }) =>
    reply([
      ...(reasoning === undefined ? [] : [signed(reasoning)]),
      ...(words === undefined ? [] : [text(words)]),
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ]),
  stream: (whole, pieceUnits) => streamOf(whole, pieceUnits).map(({ data }) => data as ObjectValue),
  callId: (position) => `toolu_${position}`,
  withoutReasoning: (message) => ({
    ...message,
    content: (message.content as readonly ObjectValue[]).filter(({ type }) => type !== "thinking"),
  }),
  samples: {
    replies: [
      {
        title: "thinking that is hidden, redacted and between calls",
        reply: reply([
          { type: "thinking", thinking: "", signature: "c2lnbmVk" },
          text("First."),
          { type: "tool_use", id: "toolu_1", name: "look", input: { b: 1, a: 2 } },
          { type: "redacted_thinking", data: "aGlkZGVu" },
          { type: "tool_use", id: "toolu_2", name: "ask", input: {} },
        ]),
      },
      {
        title: "a server's tool and its result",
        reply: reply([
          { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "lamps" } },
          {
            type: "web_search_tool_result",
            tool_use_id: "srvtoolu_1",
            content: [
              { type: "web_search_result", title: "Lamps", url: "https://lamps.example", encrypted_content: "ZW5j", page_age: null },
            ],
          },
          {
            type: "text",
            text: "Lamps are lit.",
            citations: [
              {
                type: "web_search_result_location",
                cited_text: "lit",
                url: "https://lamps.example",
                title: "Lamps",
                encrypted_index: "aW5k",
              },
            ],
          },
        ]),
      },
    ],
    rules: anthropicRuleSamples,
    alike: [
      {
        title: "a string and one text block",
        given: [{ role: "user", content: "Hello." }],
        again: [{ role: "user", content: [text("Hello.")] }],
      },
      {
        title: "one message and two of one role",
        given: [{ role: "user", content: [text("One."), text("Two.")] }],
        again: [
          { role: "user", content: "One." },
          { role: "user", content: "Two." },
        ],
      },
      {
        title: "a member that is null and one that is absent",
        given: [{ role: "user", content: [text("Hello.")] }],
        again: [{ role: "user", content: [{ ...text("Hello."), citations: null }] }],
      },
    ],
    usages: [
      {
        title: "three parts and lifetimes",
        reply: reply([text("Yes.")], {
          usage: {
            ...usage,
            cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
            output_tokens_details: { thinking_tokens: 3 },
          },
        }),
        usage: {
          prompt: 42,
          uncached: 12,
          cacheRead: 0,
          cacheWrite: 30,
          cacheWriteByLifetime: { "5m": 10, "1h": 20 },
          output: 5,
          reasoning: 3,
        },
      },
      {
        title: "no usage",
        reply: reply([text("Yes.")], { usage: null }),
        usage: {
          prompt: undefined,
          uncached: undefined,
          cacheRead: undefined,
          cacheWrite: undefined,
          output: undefined,
          reasoning: undefined,
        },
      },
    ],
    overflows: [
      {
        error: {
          type: "error",
          error: { type: "invalid_request_error", message: "prompt is too long: 215000 tokens > 200000 maximum" },
        },
        says: { tokens: 215_000, limit: 200_000 },
      },
      { error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, says: undefined },
      {
        error: {
          type: "error",
          error: { type: "rate_limit_error", message: "This request would exceed your rate limit of 30,000 input tokens per minute" },
        },
        says: undefined,
      },
    ],
    marked: [
      body(
        [
          { role: "user", content: [text("Hello."), { ...text("And more."), cache_control: ephemeral }] },
          { role: "assistant", content: [text("Hi.")] },
          { role: "user", content: [{ ...text("Go on."), cache_control: { ...ephemeral, ttl: "5m" } }] },
        ],
        {
          system: [{ ...text("You keep lamps."), cache_control: ephemeral }],
          tools: tools.map((tool, index) => (index === 1 ? { ...tool, cache_control: ephemeral } : tool)),
        },
      ),
    ],
    unknown: [
      { title: "a block", message: { role: "assistant", content: [text("So."), { type: "hologram", data: { b: 1, a: [2] } }] } },
      { title: "a member of a block", message: { role: "user", content: [{ ...text("So."), tone: { b: 1, a: 2 } }] } },
      { title: "a member of a message", message: { role: "user", content: [text("So.")], mood: "calm" } },
    ],
  },
});
