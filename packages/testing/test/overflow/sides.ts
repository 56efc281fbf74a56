import type { ObjectValue, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { bedrock } from "@tidemark/core/bedrock";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import { openaiResponsesSimulator } from "../../src/simulator/openai-responses/server.ts";
import type { Script } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

export type Call = { readonly id: string; readonly name: string };

/** What differs between the wires for a host: what it says itself. What the model says is read by the wire. */
export type Side = {
  readonly name: string;
  readonly wire: Wire;
  /** The native request of a history, with room for a reply of 256 tokens. */
  request(history: readonly ObjectValue[]): object;
  simulator(seed: string, script: Script): Simulator;
  user(text: string): ObjectValue;
  /** The results of a batch, as the wire's hosts hand them over. */
  results(results: readonly (readonly [call: Call, text: string])[]): readonly ObjectValue[];
};

/** The calls of a reply, in the wire's own messages. */
export function callsIn({ wire }: Side, messages: readonly ObjectValue[]): readonly Call[] {
  return messages.flatMap((message) =>
    wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [{ id: unit.id, name: unit.name }] : [])),
  );
}

/** What a host stores of a reply. */
export function storedOf({ wire }: Side, reply: ObjectValue): ObjectValue[] {
  return structuredClone(wire.readReply(reply).messages) as ObjectValue[];
}

const schema = { type: "object", properties: {} };
const said = (text: string): ObjectValue => ({ role: "user", content: text });

const anthropicSide = (model: string, name: string): Side => ({
  name,
  wire: anthropic() as unknown as Wire,
  request: (messages) => ({
    ...{ model, max_tokens: 256, system: "You help.", thinking: { type: "adaptive" } },
    tools: [{ name: "read", input_schema: schema }],
    messages,
  }),
  simulator: (seed, script) => anthropicSimulator({ seed, script, mode: "error" }),
  user: said,
  results: (results) => [
    { role: "user", content: results.map(([{ id }, content]) => ({ type: "tool_result", tool_use_id: id, content })) },
  ],
});

const chatTools = [{ type: "function", function: { name: "read", parameters: schema } }];

const chatSide = (dialect: "openai" | "deepseek", model: string): Side => ({
  name: `Chat Completions (${dialect})`,
  wire: openaiChat({ dialect }) as unknown as Wire,
  request: (messages) => ({ model, max_tokens: 256, tools: chatTools, messages }),
  simulator: (seed, script) => openaiChatSimulator({ seed, script, dialect }),
  user: said,
  results: (results) => results.map(([{ id }, content]) => ({ role: "tool", tool_call_id: id, content })),
});

const responsesSide = (model: string, name: string): Side => ({
  name,
  wire: openaiResponses() as unknown as Wire,
  request: (input) => ({
    ...{ model, max_output_tokens: 256, store: false, instructions: "You help." },
    tools: [{ type: "function", name: "read", parameters: schema, strict: false }],
    input,
  }),
  simulator: (seed, script) => openaiResponsesSimulator({ seed, script }),
  user: said,
  results: (results) => results.map(([{ id }, output]) => ({ type: "function_call_output", call_id: id, output })),
});

const bedrockSide = (modelId: string, name: string): Side => ({
  name,
  wire: bedrock() as unknown as Wire,
  request: (messages) => ({
    ...{ modelId, system: [{ text: "You help." }], inferenceConfig: { maxTokens: 256 } },
    toolConfig: { tools: [{ toolSpec: { name: "read", inputSchema: { json: schema } } }] },
    messages,
  }),
  simulator: (seed, script) => bedrockSimulator({ seed, script }),
  user: (text) => ({ role: "user", content: [{ text }] }),
  results: (results) => [
    { role: "user", content: results.map(([{ id }, text]) => ({ toolResult: { toolUseId: id, content: [{ text }] } })) },
  ],
});

const geminiModel = "gemini-3.8-flash";

const geminiSide: Side = {
  name: "Gemini generateContent",
  wire: gemini() as unknown as Wire,
  request: (contents) => ({
    model: geminiModel,
    generationConfig: { maxOutputTokens: 256 },
    tools: [{ functionDeclarations: [{ name: "read" }] }],
    contents,
  }),
  simulator: (seed, script) => geminiSimulator({ seed, script }),
  user: (text) => ({ role: "user", parts: [{ text }] }),
  results: (results) => [
    { role: "user", parts: results.map(([{ id, name }, output]) => ({ functionResponse: { id, name, response: { output } } })) },
  ],
};

const interactionsSide: Side = {
  name: "Gemini Interactions",
  wire: geminiInteractions() as unknown as Wire,
  request: (input) => ({
    ...{ model: geminiModel, store: false, generation_config: { max_output_tokens: 256 } },
    tools: [{ type: "function", name: "read" }],
    input,
  }),
  simulator: (seed, script) => geminiSimulator({ seed, script }),
  user: (text) => ({ type: "user_input", content: [{ type: "text", text }] }),
  results: (results) => results.map(([{ id, name }, result]) => ({ type: "function_result", call_id: id, name, result })),
};

const ollamaSide: Side = {
  name: "Ollama",
  wire: ollama() as unknown as Wire,
  request: (messages) => ({ model: "qwen3", tools: chatTools, options: { num_ctx: 1_000_000, num_predict: 256 }, messages }),
  simulator: (seed, script) => ollamaSimulator({ seed, script }),
  user: said,
  results: (results) =>
    results.map(([{ id, name }, content]) => ({ role: "tool", tool_name: name, ...(id === "" ? {} : { tool_call_id: id }), content })),
};

export const sides: readonly Side[] = [
  anthropicSide("claude-opus-5-5", "Anthropic, on a model that binds its thinking"),
  anthropicSide("claude-opus-5", "Anthropic, on one that does not"),
  chatSide("openai", "gpt-4.1"),
  chatSide("deepseek", "deepseek-chat"),
  responsesSide("gpt-6.2-sol", "Responses, on a model that binds its reasoning"),
  responsesSide("gpt-5.4", "Responses, on one that does not"),
  geminiSide,
  interactionsSide,
  bedrockSide("us.anthropic.claude-opus-5-5", "Bedrock, on a model that binds its thinking"),
  bedrockSide("us.amazon.nova-2-lite-v1:0", "Bedrock, on one that signs nothing"),
  ollamaSide,
];
