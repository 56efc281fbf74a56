import type { Wire } from "@tidemark/core";
import { ollama } from "@tidemark/core/ollama";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import { type Block, blocksOf, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, resultTextOf, type Side, systemTextOf } from "./side.ts";

type OllamaMessage = { readonly role: string; readonly content: string; readonly [member: string]: unknown };

export const ollamaSide: Side = {
  name: "ollama",
  models: ["qwen3:8b", "llama3.1:8b"],
  wire: ollama() as unknown as Wire,
  has: new Set<Ability>(["notes", "named-results", "repeated-ids"]),
  storeForms: ["keys sorted", "nulls dropped"],
  refusal: undefined,
  list: "messages",
  simulator: (options) => ollamaSimulator(options),
  request: ({ model, system, tools, messages }) => ({
    model,
    options: { num_ctx: 1_000_000 },
    stream: false,
    tools: tools.map(toolOf),
    messages: [{ role: "system", content: systemTextOf(system) }, ...messages.flatMap(messagesOf)],
  }),
  read: (request) => {
    const { model, tools, messages } = request as { model: string; tools?: readonly unknown[]; messages: readonly OllamaMessage[] };
    const behind = messages.findIndex(({ role }) => role !== "system");
    const native = messages.slice(behind < 0 ? messages.length : behind);
    const system = messages.slice(0, messages.length - native.length);
    return { model, system, tools: tools ?? [], params: "", lead: system.length, native, messages: native.map(readMessage) };
  },
  content: ({ message }) => blocksOf(readMessage(clone(message) as unknown as OllamaMessage)),
  cut: (reply) => ({ ...reply, done: false }),
  callId: (count) => `call_${count}`,
};

function toolOf({ name, description, input_schema }: SoakRequest["tools"][number]): object {
  return { type: "function", function: { name, description, parameters: input_schema } };
}

function messagesOf({ role, content }: Message): readonly object[] {
  const blocks = blocksOf({ content });
  if (role === "assistant") return [replyOf(blocks)];
  return blocks.map((block) => {
    if (block.type !== "tool_result") return { role, content: block.text };
    return { role: "tool", content: resultTextOf(block), tool_name: block.name, tool_call_id: block.tool_use_id };
  });
}

function replyOf(blocks: readonly Block[]): object {
  const calls = blocks.flatMap(({ type, native }) => (type === "tool_use" ? [native] : []));
  const thinking = blocks.flatMap(({ type, thinking: text }) => (type === "thinking" ? [text] : [])).join("\n");
  const content = blocks.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
  return { role: "assistant", content, ...(thinking === "" ? {} : { thinking }), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function readMessage(message: OllamaMessage): Message {
  if (message.role === "tool") {
    const { content, tool_name, tool_call_id } = message;
    return { role: "user", content: [{ type: "tool_result", tool_use_id: tool_call_id, name: tool_name, content }] };
  }
  if (message.role !== "assistant") return { role: message.role === "user" ? "user" : "system", content: message.content };
  const blocks: Block[] = [];
  if (message.thinking) blocks.push({ type: "thinking", thinking: message.thinking });
  if (message.content !== "") blocks.push({ type: "text", text: message.content });
  for (const call of (message.tool_calls ?? []) as readonly { id?: string; function: { name: string; arguments: unknown } }[])
    blocks.push({ type: "tool_use", id: call.id, name: call.function.name, input: call.function.arguments, native: call });
  return { role: "assistant", content: blocks };
}
