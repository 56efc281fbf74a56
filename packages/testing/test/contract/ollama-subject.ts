import type { ObjectValue } from "@tidemark/core";
import { ollama } from "@tidemark/core/ollama";
import { ollamaRuleSamples } from "../../../core/test/rule-samples/ollama.ts";
import type { Said, WireSubject } from "../../src/contract.ts";
import { linesOf } from "../../src/simulator/ollama/lines.ts";

const tools = ["look", "ask"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
const lead = { role: "system", content: "You keep lamps." };
const pixels = "iVBORw0KGgo=";
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

function response(message: ObjectValue, more: ObjectValue = {}): ObjectValue {
  const head = { model: "qwen3:8b", created_at: "2026-11-30T12:00:00Z" };
  return { ...head, message, done: true, done_reason: "stop", prompt_eval_count: 40, eval_count: 9, ...more };
}

/** `ids`: as servers since 0.12 give them; before, and in the official SDK's types, calls have none. */
export function ollamaSubject(name: string, ids: boolean): WireSubject {
  const messageOf = ({ reasoning, text = "", calls = [] }: Said): ObjectValue => ({
    role: "assistant",
    content: text,
    ...(reasoning !== undefined && { thinking: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name: tool, input }) => ({ ...(ids && { id }), function: { name: tool, arguments: input } })),
    }),
  });
  const words = response({ role: "assistant", content: "Yes." });
  return {
    name,
    wire: ollama() as unknown as WireSubject["wire"],
    model: "qwen3:8b",
    otherModel: "llama3.1:8b",
    request: (messages, model) => ({ model, options: { num_ctx: 16_384 }, tools, messages: [lead, ...messages] }),
    user: (text) => ({ role: "user", content: text }),
    results: (results) =>
      results.map(({ id, name: tool, text }) => ({ role: "tool", content: text, tool_name: tool, ...(ids && { tool_call_id: id }) })),
    reply: (said) => response(messageOf(said)),
    stream: (reply, pieceUnits) => linesOf(reply, pieceUnits),
    withoutReasoning: ({ thinking: _thinking, ...message }) => message,
    samples: {
      replies: [
        {
          title: "calls with the index that newer servers write",
          reply: response({
            role: "assistant",
            content: "",
            tool_calls: [
              { ...(ids && { id: "call_1" }), function: { index: 0, name: "look", arguments: { b: 1, a: 2 } } },
              { ...(ids && { id: "call_2" }), function: { index: 1, name: "ask", arguments: {} } },
            ],
          }),
        },
      ],
      rules: ollamaRuleSamples,
      alike: [
        {
          title: "an empty member and an absent one",
          given: [{ role: "user", content: "Hello.", images: [pixels] }],
          again: [{ role: "user", content: "Hello.", images: [pixels], tool_calls: null, thinking: "" }],
        },
        {
          title: "another order of keys",
          given: [{ role: "user", content: "Hello." }],
          again: [{ content: "Hello.", role: "user" }],
        },
      ],
      usages: [
        { title: "what is reported", reply: words, usage: { ...unreported, prompt: 40, output: 9 } },
        { title: "a reply of nothing", reply: { ...words, eval_count: 0 }, usage: { ...unreported, prompt: 40, output: 0 } },
        {
          title: "no usage",
          reply: { model: "qwen3:8b", message: { role: "assistant", content: "Yes." }, done: true, done_reason: "stop" },
          usage: unreported,
        },
      ],
      overflows: [
        { error: { error: "prompt too long; exceeded max context length by 4 tokens" }, says: {} },
        {
          error: { error: { message: "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it" } },
          says: { tokens: 14_429, limit: 8_192 },
        },
        { error: Object.assign(new Error("model 'x' not found"), { status_code: 404 }), says: undefined },
      ],
      marked: [],
      unknown: [
        { title: "a member of a message", message: { role: "user", content: "So.", mood: { b: 1, a: 2 } } },
        { title: "a member of a reply", message: { role: "assistant", content: "So.", mood: "calm" } },
      ],
    },
    exempt: {
      reasoningForeign: "its thinking is plain text that every model may read",
    },
  };
}
