import type { ObjectValue, Wire } from "@tidemark/core";
import { type DialectName, openaiChat } from "@tidemark/core/openai-chat";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import { type Block, blocksOf, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, effortOf, inMessages, parsed, type Side, systemTextOf } from "./side.ts";

type ChatMessage = { readonly role: string; readonly content?: unknown; readonly [member: string]: unknown };

/** What a dialect's host does in its own way. */
type Ways = {
  readonly models: readonly string[];
  readonly has?: readonly Ability[];
  readonly callId?: (count: number) => string;
  /** Rules that are written down, but that the service itself was seen not to have. */
  readonly doubted?: readonly string[];
};

const dialects: Readonly<Record<DialectName, Ways>> = {
  openai: { models: ["gpt-4.1", "gpt-5.5"], has: ["pictures"] },
  deepseek: { models: ["deepseek-v4-pro", "deepseek-chat"], has: ["effort"] },
  openrouter: { models: ["anthropic/claude-opus-5.5", "anthropic/claude-sonnet-5.5"] },
  mistral: {
    models: ["mistral-medium-latest", "magistral-medium-latest"],
    callId: (count) => `call${String(count).padStart(5, "0")}`,
    // MI-09: its open-source validator refuses a user behind results, the service took it.
    doubted: ["MI-09"],
  },
  cerebras: { models: ["gpt-oss-120b", "qwen-3-32b"], has: ["effort"] },
  groq: { models: ["openai/gpt-oss-120b", "llama-3.3-70b-versatile"], has: ["effort"] },
  kimi: { models: ["kimi-k3", "kimi-k2"], has: ["effort"] },
  qwen: { models: ["qwen3-max", "qwen3-plus"] },
  xai: { models: ["grok-4.7", "grok-4"] },
  vllm: { models: ["qwen3-32b", "llama-3.3-70b"], has: ["effort"] },
  sglang: { models: ["qwen3-32b", "llama-3.3-70b"], has: ["effort"] },
  "llama-cpp": { models: ["qwen3-8b", "gemma-3-12b"] },
};

export const chatSides: readonly Side[] = Object.entries(dialects).map(([name, ways]) => chatSide(name as DialectName, ways));

function chatSide(dialect: DialectName, { models, has = [], callId = (count) => `call_${count}`, doubted = [] }: Ways): Side {
  return {
    name: `chat ${dialect}`,
    models,
    wire: openaiChat({ dialect }) as unknown as Wire,
    has: new Set<Ability>(["notes", "repeated-ids", ...has]),
    storeForms: ["keys sorted", "strings as blocks", "blocks as strings", "nulls dropped"],
    doubted,
    refusal: "content_filter",
    list: "messages",
    simulator: (options) => openaiChatSimulator({ ...options, dialect, without: doubted }),
    request: ({ model, system, tools, messages, output_config }) => ({
      model,
      ...(output_config === undefined ? {} : { reasoning_effort: effortOf(output_config) }),
      tools: tools.map(toolOf),
      messages: [{ role: "system", content: systemTextOf(system) }, ...messages.flatMap(messagesOf)],
    }),
    read: (request) => {
      const { model, tools, messages, reasoning_effort } = request as {
        model: string;
        tools?: readonly unknown[];
        messages: readonly ChatMessage[];
        reasoning_effort?: string;
      };
      const behind = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
      const native = messages.slice(behind < 0 ? messages.length : behind);
      const lead = messages.length - native.length;
      const head = { model, system: messages.slice(0, lead), tools: tools ?? [], params: `effort ${reasoning_effort}` };
      return { ...head, lead, native, messages: native.map(readMessage) };
    },
    content: (reply) => {
      const [choice] = reply.choices as unknown as readonly { readonly message: ChatMessage }[];
      return choice === undefined ? [] : blocksOf(readMessage(choice.message));
    },
    cut: (reply) => ({
      ...reply,
      choices: (reply.choices as readonly ObjectValue[]).map((choice) => ({ ...choice, finish_reason: null })),
    }),
    callId,
  };
}

function toolOf({ name, description, input_schema, ...more }: SoakRequest["tools"][number]): object {
  return { type: "function", function: { name, description, parameters: input_schema }, ...more };
}

/** A result is a message of its own; what else a user turn says stays together. */
function messagesOf({ role, content }: Message): readonly unknown[] {
  if (role === "assistant") return [replyOf(blocksOf({ content }))];
  if (typeof content === "string") return [{ role, content }];
  const result = (block: Block) =>
    block.type === "tool_result" ? { role: "tool", tool_call_id: block.tool_use_id, content: resultContent(block) } : undefined;
  return inMessages(content, result, (said) => ({ role, content: said.map(partOf) }));
}

function resultContent(block: Block): unknown {
  return typeof block.content === "string"
    ? block.content
    : blocksOf({ content: block.content ?? "" }).map(({ text }) => ({ type: "text", text }));
}

function partOf(block: Block): object {
  if (block.type !== "image") return { type: "text", text: block.text };
  const { media_type, data } = block.source as { media_type: string; data: string };
  return { type: "image_url", image_url: { url: `data:${media_type};base64,${data}` } };
}

/** What one reply of the provider was cut into goes back into one message. */
function replyOf(blocks: readonly Block[]): object {
  const members: Record<string, unknown> = {};
  const parts: unknown[] = [];
  const calls: unknown[] = [];
  for (const { type, text, native } of blocks) {
    if (type === "tool_use") calls.push(native);
    else if (type === "text") parts.push(native ?? { type: "text", text });
    else if (Array.isArray(native)) parts.push(...native);
    else Object.assign(members, native);
  }
  const [first] = parts as (string | { text: unknown })[];
  const isPlain = parts.length === 1 && (typeof first === "string" || (typeof first === "object" && Object.keys(first).length === 2));
  const content =
    isPlain && first !== undefined
      ? typeof first === "string"
        ? first
        : first.text
      : parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part));
  const said = parts.length > 0 ? content : calls.length > 0 ? null : "";
  return { role: "assistant", content: said, ...members, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

const reasoningFields = ["reasoning_content", "reasoning", "reasoning_details"];

function readMessage(message: ChatMessage): Message {
  if (message.role === "tool") {
    const { tool_call_id, content } = message;
    return { role: "user", content: [{ type: "tool_result", tool_use_id: tool_call_id, content: content ?? "" }] };
  }
  const isReply = message.role === "assistant";
  const blocks: Block[] = [];
  const thought = Object.fromEntries(reasoningFields.flatMap((name) => (message[name] ? [[name, message[name]]] : [])));
  if (isReply && Object.keys(thought).length > 0) blocks.push(thinkingBlock(thought, JSON.stringify(Object.values(thought)[0])));
  for (const part of blocksOf(message as { content: unknown })) {
    if (part.type === "thinking") blocks.push(thinkingBlock([part], JSON.stringify(part.thinking)));
    else if (part.type === "image_url") blocks.push(imageBlock(part));
    else blocks.push(isReply && typeof message.content === "string" ? { type: "text", text: part.text, native: part.text } : { ...part });
  }
  for (const call of (message.tool_calls ?? []) as readonly ToolCall[]) {
    const { name, arguments: text } = call.function;
    blocks.push({ type: "tool_use", id: call.id, name, input: typeof text === "string" ? parsed(text) : text, native: call });
  }
  const role = isReply ? "assistant" : message.role === "user" ? "user" : "system";
  return { role, content: isReply || typeof message.content !== "string" ? blocks : message.content };
}

type ToolCall = { readonly id: string; readonly function: { readonly name: string; readonly arguments: unknown } };

function thinkingBlock(native: unknown, thinking: string): Block {
  return { type: "thinking", thinking, native };
}

function imageBlock(part: Block): Block {
  const url = String((part.image_url as { url: unknown }).url);
  const [, media_type, data] = /^data:(.*?);base64,(.*)$/.exec(url) ?? [];
  return { type: "image", source: { type: "base64", media_type, data } };
}
