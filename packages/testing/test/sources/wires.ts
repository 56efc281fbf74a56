import type { ObjectValue, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { bedrock } from "@tidemark/core/bedrock";
import { gemini } from "@tidemark/core/gemini";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { blockTokens as geminiBlockTokens } from "../../src/simulator/gemini/cache.ts";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import { stepTokens } from "../../src/simulator/openai-responses/cache.ts";
import { openaiResponsesSimulator } from "../../src/simulator/openai-responses/server.ts";
import type { Script } from "../../src/simulator/script.ts";
import type { CacheAccount } from "../../src/simulator/simulated-request.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

/** A wire as a host of these tests speaks it, with its strict simulator. */
export type TestWire = {
  readonly name: string;
  readonly wire: Wire;
  simulator(script: Script): Simulator;
  request(history: readonly object[], tools: readonly string[], system: string): object;
  readonly model: string;
  user(text: string): object;
  result(call: { readonly id: string; readonly name: string }, text: string): object;
  /** A declared function, as the wire has it. */
  tool(name: string): ObjectValue;
  /** Tokens of a prompt up to its last full block: what the next request must read when it only appends. */
  readable(account: CacheAccount): number;
};

/** Longer than the least prefix that any of them caches. */
export const harbourText = "You look after the files of a harbour office and keep the tide tables in order. ".repeat(400);
const schema = { type: "object", properties: {} };
const described = (name: string): string => `Does ${name} in the harbour.`;

export const testWires: readonly TestWire[] = [
  {
    name: "Anthropic",
    model: "claude-opus-5-5",
    wire: anthropic() as unknown as Wire,
    simulator: (script) => anthropicSimulator({ seed: "sources", script }),
    request: (messages, tools, system) => ({
      model: "claude-opus-5-5",
      max_tokens: 1_000,
      system,
      tools: tools.map(anthropicTool),
      messages,
    }),
    user: (text) => ({ role: "user", content: text }),
    result: ({ id }, text) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] }),
    tool: anthropicTool,
    readable: ({ read, written }) => read + written,
  },
  {
    name: "Responses",
    model: "gpt-5.5",
    wire: openaiResponses() as unknown as Wire,
    simulator: (script) => openaiResponsesSimulator({ seed: "sources", script }),
    request: (input, tools, system) => ({ model: "gpt-5.5", store: false, instructions: system, tools: tools.map(responsesTool), input }),
    user: (text) => ({ role: "user", content: text }),
    result: ({ id }, text) => ({ type: "function_call_output", call_id: id, output: text }),
    tool: responsesTool,
    readable: (account) => inSteps(account, stepTokens("gpt-5.5")),
  },
  {
    name: "Chat Completions",
    model: "gpt-4.1",
    wire: openaiChat() as unknown as Wire,
    simulator: (script) => openaiChatSimulator({ seed: "sources", script }),
    request: (messages, tools, system) => ({
      model: "gpt-4.1",
      tools: tools.map(chatTool),
      messages: [{ role: "system", content: system }, ...messages],
    }),
    user: (text) => ({ role: "user", content: text }),
    result: ({ id }, text) => ({ role: "tool", tool_call_id: id, content: text }),
    tool: chatTool,
    readable: (account) => inSteps(account, 128),
  },
  {
    name: "Gemini",
    model: "gemini-3.8-flash",
    wire: gemini() as unknown as Wire,
    simulator: (script) => geminiSimulator({ seed: "sources", script }),
    request: (contents, tools, system) => ({
      model: "gemini-3.8-flash",
      contents,
      config: { systemInstruction: system, tools: [{ functionDeclarations: tools.map(geminiTool) }] },
    }),
    user: (text) => ({ role: "user", parts: [{ text }] }),
    result: ({ name }, text) => ({ role: "user", parts: [{ functionResponse: { name, response: { output: text } } }] }),
    tool: geminiTool,
    readable: (account) => inSteps(account, geminiBlockTokens),
  },
  {
    name: "Bedrock",
    model: "us.anthropic.claude-opus-5-5",
    wire: bedrock() as unknown as Wire,
    simulator: (script) => bedrockSimulator({ seed: "sources", script }),
    request: (messages, tools, system) => ({
      modelId: "us.anthropic.claude-opus-5-5",
      messages,
      system: [{ text: system }],
      toolConfig: { tools: tools.map(bedrockTool) },
    }),
    user: (text) => ({ role: "user", content: [{ text }] }),
    result: ({ id }, text) => ({ role: "user", content: [{ toolResult: { toolUseId: id, content: [{ text }] } }] }),
    tool: bedrockTool,
    readable: ({ read, written }) => read + written,
  },
  {
    name: "Ollama",
    model: "qwen3:8b",
    wire: ollama() as unknown as Wire,
    simulator: (script) => ollamaSimulator({ seed: "sources", script }),
    request: (messages, tools, system) => ({
      model: "qwen3:8b",
      options: { num_ctx: 1_000_000 },
      stream: false,
      tools: tools.map(chatTool),
      messages: [{ role: "system", content: system }, ...messages],
    }),
    user: (text) => ({ role: "user", content: text }),
    result: ({ name }, text) => ({ role: "tool", content: text, tool_name: name }),
    tool: chatTool,
    // The last token is always evaluated.
    readable: ({ prompt }) => prompt - 1,
  },
];

function inSteps({ prompt, breakpoints }: CacheAccount, step: number): number {
  return breakpoints.at(-1)?.tokens ?? Math.floor(prompt / step) * step;
}

function anthropicTool(name: string): ObjectValue {
  return { name, description: described(name), input_schema: schema };
}

function bedrockTool(name: string): ObjectValue {
  return { toolSpec: { name, description: described(name), inputSchema: { json: schema } } };
}

function chatTool(name: string): ObjectValue {
  return { type: "function", function: { name, description: described(name), parameters: schema } };
}

function responsesTool(name: string): ObjectValue {
  return { type: "function", name, description: described(name), parameters: schema, strict: false };
}

function geminiTool(name: string): ObjectValue {
  return { name, description: described(name), parametersJsonSchema: schema };
}
