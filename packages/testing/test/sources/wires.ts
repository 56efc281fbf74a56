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
  /** A user's message, and a result, of words and a picture; `undefined`: a result cannot hold one. */
  shown(text: string, png: string): object;
  shownResult(call: { readonly id: string; readonly name: string }, text: string, png: string): object;
  /** Another model, which reads none of the first one's reasoning. */
  readonly otherModel: string;
  /** Results go out without pictures, as a line that says so. */
  readonly plainResults?: true;
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
    shown: (text, png) => ({ role: "user", content: [{ type: "text", text }, anthropicPicture(png)] }),
    shownResult: ({ id }, text, png) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: [{ type: "text", text }, anthropicPicture(png)] }],
    }),
    otherModel: "claude-haiku-5-5",
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
    shown: (text, png) => ({
      role: "user",
      content: [
        { type: "input_text", text },
        { type: "input_image", image_url: dataUrl(png), detail: "auto" },
      ],
    }),
    shownResult: ({ id }, text, png) => ({
      type: "function_call_output",
      call_id: id,
      output: [
        { type: "input_text", text },
        { type: "input_image", image_url: dataUrl(png), detail: "auto" },
      ],
    }),
    otherModel: "gpt-5.4",
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
    shown: (text, png) => ({
      role: "user",
      content: [
        { type: "text", text },
        { type: "image_url", image_url: { url: dataUrl(png) } },
      ],
    }),
    shownResult: ({ id }, text, png) => ({
      role: "tool",
      tool_call_id: id,
      content: [
        { type: "text", text },
        { type: "image_url", image_url: { url: dataUrl(png) } },
      ],
    }),
    otherModel: "gpt-4.1-mini",
    plainResults: true,
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
    shown: (text, png) => ({ role: "user", parts: [{ text }, { inlineData: { mimeType: "image/png", data: png } }] }),
    shownResult: ({ name }, text, png) => ({
      role: "user",
      parts: [{ functionResponse: { name, response: { output: text }, parts: [{ inlineData: { mimeType: "image/png", data: png } }] } }],
    }),
    otherModel: "gemini-3.6-flash",
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
    shown: (text, png) => ({ role: "user", content: [{ text }, bedrockPicture(png)] }),
    shownResult: ({ id }, text, png) => ({
      role: "user",
      content: [{ toolResult: { toolUseId: id, content: [{ text }, bedrockPicture(png)] } }],
    }),
    otherModel: "us.anthropic.claude-haiku-5-5",
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
    shown: (text, png) => ({ role: "user", content: text, images: [png] }),
    shownResult: ({ name }, text, png) => ({ role: "tool", content: text, tool_name: name, images: [png] }),
    otherModel: "qwen3:14b",
    tool: chatTool,
    // The last token is always evaluated.
    readable: ({ prompt }) => prompt - 1,
  },
];

function inSteps({ prompt, breakpoints }: CacheAccount, step: number): number {
  return breakpoints.at(-1)?.tokens ?? Math.floor(prompt / step) * step;
}

function dataUrl(png: string): string {
  return `data:image/png;base64,${png}`;
}

function anthropicPicture(data: string): object {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

function bedrockPicture(png: string): object {
  return { image: { format: "png", source: { bytes: Uint8Array.from(atob(png), (character) => character.charCodeAt(0)) } } };
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
