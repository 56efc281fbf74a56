import type { ObjectValue, Wire } from "@tidemark/core";
import { gemini } from "@tidemark/core/gemini";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import { type Block, blocksOf, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, resultTextOf, type Side, systemTextOf } from "./side.ts";

type Part = Readonly<Record<string, unknown>>;
type Content = { readonly role?: string; readonly parts?: readonly Part[] };

export const geminiSide: Side = {
  name: "gemini",
  models: ["gemini-3.8-flash", "gemini-2.5-flash"],
  wire: gemini() as unknown as Wire,
  has: new Set<Ability>(["named-results", "repeated-ids", "pictures"]),
  storeForms: ["keys sorted", "neighbours joined", "messages split", "nulls dropped"],
  refusal: "SAFETY",
  list: "contents",
  simulator: (options) => geminiSimulator(options),
  request: ({ model, system, tools, messages }) => ({
    model,
    systemInstruction: { parts: [{ text: systemTextOf(system) }] },
    tools: [{ functionDeclarations: tools.map(toolOf) }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    contents: messages.map(({ role, content }) => ({
      role: role === "assistant" ? "model" : "user",
      parts: blocksOf({ content }).map(partOf),
    })),
  }),
  read: (request) => {
    const { model, systemInstruction, tools, contents } = request as {
      model: string;
      systemInstruction?: unknown;
      tools?: readonly unknown[];
      contents: readonly Content[];
    };
    return {
      model,
      system: systemInstruction ?? "",
      tools: (tools ?? []).flatMap((group) => (group as { functionDeclarations?: readonly unknown[] }).functionDeclarations ?? []),
      params: "",
      lead: 0,
      native: contents,
      messages: contents.map(readContent),
    };
  },
  content: (reply) => {
    const [candidate] = reply.candidates as unknown as readonly { readonly content: Content }[];
    return candidate === undefined ? [] : blocksOf(readContent(clone(candidate.content)));
  },
  cut: (reply) => ({
    ...reply,
    candidates: (reply.candidates as readonly ObjectValue[]).map(({ finishReason: _finishReason, ...candidate }) => candidate),
  }),
  callId: (count) => `call_${count}`,
};

function toolOf({ name, description, input_schema }: SoakRequest["tools"][number]): object {
  return { name, description, parametersJsonSchema: input_schema };
}

function partOf(block: Block): unknown {
  if (block.native !== undefined) return block.native;
  if (block.type === "tool_result") {
    return { functionResponse: { id: block.tool_use_id, name: block.name, response: { output: resultTextOf(block) } } };
  }
  if (block.type !== "image") return { text: block.text };
  const { media_type, data } = block.source as { media_type: string; data: string };
  return { inlineData: { mimeType: media_type, data } };
}

function readContent({ role, parts = [] }: Content): Message {
  const isReply = role === "model";
  return { role: isReply ? "assistant" : "user", content: parts.map((part) => readPart(part, isReply)) };
}

function readPart(part: Part, isReply: boolean): Block {
  if (part.functionResponse !== undefined) {
    const { id, name, response } = part.functionResponse as { id?: string; name: string; response: { output?: unknown } };
    return { type: "tool_result", tool_use_id: id, name, content: String(response.output ?? JSON.stringify(response)) };
  }
  if (part.functionCall !== undefined) {
    const { id, name, args } = part.functionCall as { id?: string; name: string; args: unknown };
    return { type: "tool_use", id, name, input: args, native: part };
  }
  if (part.inlineData !== undefined) {
    const { mimeType, data } = part.inlineData as { mimeType: string; data: string };
    return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  }
  if (part.thought === true) return { type: "thinking", thinking: part.text, native: part };
  return { type: "text", text: part.text, ...(isReply ? { native: part } : {}) };
}
