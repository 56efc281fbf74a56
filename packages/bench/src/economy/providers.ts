import type { ObjectValue, Prices, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { anthropicSimulator, openaiChatSimulator, type Simulator } from "@tidemark/testing";
import type { ChatMessage } from "./corpus.ts";

/** A provider that accounts for its cache, and how a list of messages becomes its request. */
export type Provider = {
  readonly name: string;
  readonly wire: Wire;
  readonly prices: Prices;
  /** Tokens of a cache block; 1: prefixes end where messages do. */
  readonly blockTokens: number;
  request(messages: readonly ChatMessage[]): object;
  /** A recorded reply in the provider's words. */
  reply(message: ChatMessage): object;
  simulator(context: number, reply: () => object): Simulator;
};

export function providersFor(messages: readonly ChatMessage[]): readonly Provider[] {
  const names = [...new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)))].sort();
  return [claude(names), chat("OpenAI 5.6", "openai", "gpt-5.6-sol", names, 1), chat("block server", "vllm", "local-model", names, 16)];
}

function chat(name: string, dialect: "openai" | "vllm", model: string, tools: readonly string[], blockTokens: number): Provider {
  const wire = openaiChat({ dialect }) as unknown as Wire;
  const declared = tools.map((tool) => ({
    type: "function",
    function: { name: tool, description: `Recorded tool ${tool}.`, parameters: { type: "object" } },
  }));
  return {
    ...{ name, wire, blockTokens },
    prices: wire.profile(model).prices ?? { input: 1, output: 4, cacheRead: 0.1, cacheWrite: {} },
    request: (messages) => ({ model, messages, ...(declared.length > 0 && { tools: declared }) }),
    reply: (message) => message,
    simulator: (context, reply) =>
      openaiChatSimulator({ dialect, script: () => ({ message: reply() as ObjectValue }), profiles: { [model]: { context } }, keep: 1 }),
  };
}

function claude(tools: readonly string[]): Provider {
  const model = "claude-opus-5-5";
  const wire = anthropic() as unknown as Wire;
  const declared = tools.map((tool) => ({ name: tool, description: `Recorded tool ${tool}.`, input_schema: { type: "object" } }));
  return {
    ...{ name: "Anthropic", wire, blockTokens: 1 },
    prices: wire.profile(model).prices as Prices,
    request: (messages) => ({
      model,
      max_tokens: 1_024,
      cache_control: { type: "ephemeral" },
      ...(declared.length > 0 && { tools: declared }),
      messages: toClaude(messages),
    }),
    reply: (message) => toClaude([message])[0] as object,
    simulator: (context, reply) =>
      anthropicSimulator({ script: () => ({ message: reply() as ObjectValue }), profiles: { [model]: { context } }, keep: 1 }),
  };
}

type ClaudeMessage = { role: "user" | "assistant"; content: object[] };

function toClaude(messages: readonly ChatMessage[]): readonly object[] {
  const turns: ClaudeMessage[] = [];
  for (const { role, content, tool_calls = [], tool_call_id } of messages) {
    const side = role === "assistant" ? "assistant" : "user";
    const calls = tool_calls.map((call) => ({
      type: "tool_use",
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments) as object,
    }));
    const text = content === "" ? [] : [{ type: "text", text: content }];
    const blocks = role === "tool" ? [{ type: "tool_result", tool_use_id: tool_call_id, content }] : [...text, ...calls];
    const last = turns.at(-1);
    if (last?.role === side) last.content.push(...blocks);
    else turns.push({ role: side, content: [...blocks] });
  }
  return turns;
}
