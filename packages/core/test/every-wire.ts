import { anthropic } from "../src/adapters/anthropic/index.ts";
import { bedrock } from "../src/adapters/bedrock/index.ts";
import { gemini, geminiInteractions } from "../src/adapters/gemini/index.ts";
import { ollama } from "../src/adapters/ollama/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { openaiResponses } from "../src/adapters/openai-responses/index.ts";
import type { ObjectValue, Wire } from "../src/index.ts";

/** A wire, and the smallest request of it with these messages that declares the tools. */
export type WireAtHand = { readonly wire: Wire; readonly request: (messages: readonly ObjectValue[], tools: readonly string[]) => object };

const schema = { type: "object" };
const functionsOf = (tools: readonly string[]): readonly object[] =>
  tools.map((name) => ({ type: "function", function: { name, parameters: schema } }));
const none = { length: 0 };
const some = <T>(name: string, list: readonly T[]): object => (list.length === none.length ? {} : { [name]: list });

/** Every wire of the package. */
export const everyWire: readonly WireAtHand[] = [
  {
    wire: anthropic() as unknown as Wire,
    request: (messages, tools) => ({
      ...{ model: "claude-opus-5-5", max_tokens: 1_000, messages },
      ...some(
        "tools",
        tools.map((name) => ({ name, input_schema: schema })),
      ),
    }),
  },
  {
    wire: openaiChat() as unknown as Wire,
    request: (messages, tools) => ({ model: "gpt-4.1", messages, ...some("tools", functionsOf(tools)) }),
  },
  {
    wire: openaiResponses() as unknown as Wire,
    request: (input, tools) => ({
      ...{ model: "gpt-5.6", store: false, input },
      ...some(
        "tools",
        tools.map((name) => ({ type: "function", name, parameters: schema, strict: false })),
      ),
    }),
  },
  {
    wire: gemini() as unknown as Wire,
    request: (contents, tools) => ({
      ...{ model: "gemini-3.8-flash", contents },
      ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) }] }),
    }),
  },
  {
    wire: geminiInteractions() as unknown as Wire,
    request: (input, tools) => ({
      ...{ model: "gemini-3.8-flash", store: false, input },
      ...some(
        "tools",
        tools.map((name) => ({ type: "function", name, parameters: schema })),
      ),
    }),
  },
  {
    wire: ollama() as unknown as Wire,
    request: (messages, tools) => ({ model: "qwen3:8b", messages, ...some("tools", functionsOf(tools)) }),
  },
  {
    wire: bedrock() as unknown as Wire,
    request: (messages, tools) => ({
      ...{ modelId: "anthropic.claude-sonnet-4-5-20250929-v1:0", messages },
      ...(tools.length === 0
        ? {}
        : { toolConfig: { tools: tools.map((name) => ({ toolSpec: { name, inputSchema: { json: schema } } })) } }),
    }),
  },
];
