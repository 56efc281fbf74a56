import type { ObjectValue, Wire } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { type Block, blocksOf, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { type Ability, type Side, systemTextOf } from "./side.ts";

type Native = Readonly<Record<string, unknown>>;

export const bedrockSide: Side = {
  name: "bedrock",
  models: ["us.anthropic.claude-opus-5-5", "us.anthropic.claude-sonnet-4-6", "us.amazon.nova-pro-v1:0"],
  wire: bedrock() as unknown as Wire,
  has: new Set<Ability>(["errors", "repeated-ids"]),
  storeForms: ["keys sorted", "results reversed", "neighbours joined", "messages split", "nulls dropped"],
  refusal: "guardrail_intervened",
  list: "messages",
  simulator: (options) => bedrockSimulator(options),
  request: ({ model, system, tools, messages }) => ({
    modelId: model,
    system: [{ text: systemTextOf(system) }],
    toolConfig: { tools: tools.map(toolOf) },
    messages: messages.map(({ role, content }) => ({ role, content: blocksOf({ content }).map(nativeBlock) })),
  }),
  read: (request) => {
    const { modelId, system, toolConfig, messages } = request as {
      modelId: string;
      system?: unknown;
      toolConfig?: { tools: readonly object[] };
      messages: readonly { readonly role: "user" | "assistant"; readonly content: readonly Native[] }[];
    };
    const tools = (toolConfig?.tools ?? []).filter((tool) => !("cachePoint" in tool));
    return {
      ...{ model: modelId, system: system ?? [], tools, params: "", lead: 0, native: messages },
      messages: messages.map(({ role, content }): Message => ({ role, content: content.flatMap((block) => readBlock(role, block)) })),
    };
  },
  content: (reply) => {
    const { message } = reply.output as unknown as { message: { content: readonly Native[] } };
    return (clone(message.content) as Native[]).flatMap((block) => readBlock("assistant", block));
  },
  cut: ({ stopReason: _stopReason, ...reply }: ObjectValue) => reply,
  callId: (count) => `tooluse_${count}`,
};

function toolOf({ name, description, input_schema }: SoakRequest["tools"][number]): object {
  return { toolSpec: { name, description, inputSchema: { json: input_schema } } };
}

function nativeBlock(block: Block): unknown {
  if (block.native !== undefined) return block.native;
  if (block.type !== "tool_result") return { text: block.text };
  const content = blocksOf({ content: block.content ?? "" }).map(({ text }) => ({ text }));
  return { toolResult: { toolUseId: block.tool_use_id, content, ...(block.is_error === true ? { status: "error" } : {}) } };
}

function readBlock(role: string, native: Native): readonly Block[] {
  if (native.cachePoint !== undefined) return [];
  if (native.toolResult !== undefined) {
    const { toolUseId, content, status } = native.toolResult as {
      toolUseId: string;
      content: readonly { text: string }[];
      status?: string;
    };
    const blocks = content.map(({ text }) => ({ type: "text", text }));
    return [{ type: "tool_result", tool_use_id: toolUseId, content: blocks, ...(status === "error" ? { is_error: true } : {}) }];
  }
  if (native.toolUse !== undefined) {
    const { toolUseId, name, input } = native.toolUse as { toolUseId: string; name: string; input: unknown };
    return [{ type: "tool_use", id: toolUseId, name, input, native }];
  }
  if (native.reasoningContent !== undefined) {
    const { reasoningText } = native.reasoningContent as { reasoningText?: { text: string; signature?: string } };
    const { text, signature } = reasoningText ?? { text: "" };
    return [{ type: "thinking", thinking: text, ...(signature === undefined ? {} : { signature }), native }];
  }
  return [{ type: "text", text: native.text, ...(role === "assistant" ? { native } : {}) }];
}
