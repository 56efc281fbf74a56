import type { ObjectValue, SessionOptions } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import type { Script } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

export type Message = { role: string; content?: unknown; [member: string]: unknown };
export type Body = { readonly model: string; readonly messages: readonly Message[]; readonly [member: string]: unknown };
export type Call = { readonly id: string; readonly name: string };

/** What differs between the wires for a host. */
export type Side = {
  readonly name: string;
  readonly model: string;
  readonly wire: SessionOptions<Body>["wire"];
  readonly head: object;
  simulator(seed: string, script: Script): Simulator;
  replyOf(reply: ObjectValue): Message;
  callsOf(reply: Message): readonly Call[];
  results(results: readonly (readonly [call: Call, text: string])[]): readonly Message[];
};

const anthropicSide = (model: string, name: string): Side => ({
  name,
  model,
  wire: anthropic() as unknown as Side["wire"],
  head: {
    max_tokens: 256,
    system: "You help.",
    tools: [{ name: "read", input_schema: { type: "object" } }],
    thinking: { type: "adaptive" },
  },
  simulator: (seed, script) => anthropicSimulator({ seed, script, mode: "error" }),
  replyOf: ({ content }) => ({ role: "assistant", content: structuredClone(content) }),
  callsOf: ({ content }) =>
    (content as { type: string; id: string; name: string }[]).flatMap(({ type, id, name: tool }) =>
      type === "tool_use" ? [{ id, name: tool }] : [],
    ),
  results: (results) => [
    { role: "user", content: results.map(([{ id }, content]) => ({ type: "tool_result", tool_use_id: id, content })) },
  ],
});

const chatTools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];

const chatSide = (dialect: "openai" | "deepseek", model: string): Side => ({
  name: `Chat Completions (${dialect})`,
  model,
  wire: openaiChat({ dialect }) as unknown as Side["wire"],
  head: { max_tokens: 256, tools: chatTools },
  simulator: (seed, script) => openaiChatSimulator({ seed, script, dialect }),
  replyOf: (reply) => structuredClone((reply.choices as unknown as { message: Message }[])[0]?.message as Message),
  callsOf: ({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => ({ id, name: "read" })),
  results: (results) => results.map(([{ id }, content]) => ({ role: "tool", tool_call_id: id, content })),
});

const ollamaSide: Side = {
  name: "Ollama",
  model: "qwen3",
  wire: ollama() as unknown as Side["wire"],
  head: { tools: chatTools, options: { num_ctx: 1_000_000, num_predict: 256 } },
  simulator: (seed, script) => ollamaSimulator({ seed, script }),
  replyOf: (reply) => structuredClone(reply.message) as unknown as Message,
  callsOf: ({ tool_calls }) => ((tool_calls ?? []) as { id?: string }[]).map(({ id }) => ({ id: id ?? "", name: "read" })),
  results: (results) =>
    results.map(([{ id, name }, content]) => ({ role: "tool", tool_name: name, ...(id === "" ? {} : { tool_call_id: id }), content })),
};

export const sides: readonly Side[] = [
  anthropicSide("claude-opus-5-5", "Anthropic, on a model that binds its thinking"),
  anthropicSide("claude-opus-5", "Anthropic, on one that does not"),
  chatSide("openai", "gpt-4.1"),
  chatSide("deepseek", "deepseek-chat"),
  ollamaSide,
];
