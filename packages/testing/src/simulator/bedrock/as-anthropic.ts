import type { ObjectValue, Value } from "@tidemark/core";
import { isObjectValue, objectOf, objectsOf, stringOf } from "../json.ts";
import { rememberSettled, settle } from "../settled.ts";

/**
 * A Converse request in the words of Anthropic's own endpoint. Bedrock renders it for the model in the same way, and both the cache and the check of thinking work on what is
 * rendered: a cache point is a mark on the block before it. For reading only; nothing of it is sent.
 */
export function asAnthropic(request: ObjectValue, model: string): ObjectValue {
  const config = objectOf(request.toolConfig);
  const { thinking, output_config } = objectOf(request.additionalModelRequestFields);
  return {
    model,
    system: marked(objectsOf(request.system), (block) => ({ type: "text", text: stringOf(block.text) })),
    tools: marked(objectsOf(config.tools), toolOf),
    messages: objectsOf(request.messages).map(messageOf),
    ...(thinking !== undefined && { thinking }),
    ...(output_config !== undefined && { output_config }),
    ...(isObjectValue(config.toolChoice) && !("auto" in config.toolChoice) && { tool_choice: { type: JSON.stringify(config.toolChoice) } }),
  };
}

const messageOf: (message: ObjectValue) => ObjectValue = rememberSettled((message) =>
  settle({ role: stringOf(message.role), content: marked(objectsOf(message.content), asBlock) }),
);

/** Maps blocks; what a cache point stands behind bears the mark. */
function marked(blocks: readonly ObjectValue[], map: (block: ObjectValue) => ObjectValue): readonly ObjectValue[] {
  const mapped: ObjectValue[] = [];
  for (const block of blocks) {
    const last = mapped.at(-1);
    if (!isObjectValue(block.cachePoint)) mapped.push(map(block));
    else if (last !== undefined) mapped[mapped.length - 1] = { ...last, cache_control: markOf(block.cachePoint) };
  }
  return mapped;
}

function markOf({ ttl }: ObjectValue): ObjectValue {
  return { type: "ephemeral", ...(typeof ttl === "string" && { ttl }) };
}

function toolOf(tool: ObjectValue): ObjectValue {
  const { name, description, inputSchema } = objectOf(tool.toolSpec);
  if (name === undefined) return { name: stringOf(objectOf(tool.systemTool).name), type: "system_tool" };
  return { name, ...(description !== undefined && { description }), input_schema: objectOf(inputSchema).json ?? {} };
}

/** A block of either wire by its kind. What has no partner is carried under its own name. */
export function asBlock(block: ObjectValue): ObjectValue {
  const [kind = "", value = null] = Object.entries(block)[0] ?? [];
  const inner = objectOf(value);
  switch (kind) {
    case "text":
      return { type: "text", text: stringOf(value) };
    case "toolUse":
      return { type: "tool_use", id: stringOf(inner.toolUseId), name: stringOf(inner.name), input: inner.input ?? {} };
    case "toolResult":
      return { type: "tool_result", tool_use_id: stringOf(inner.toolUseId), content: objectsOf(inner.content).map(asBlock) };
    case "reasoningContent":
      return asThinking(inner);
    case "image":
      return { type: "image", source: { type: "base64", data: JSON.stringify(inner.source ?? null) } };
    default:
      return { type: kind, value };
  }
}

function asThinking({ reasoningText, redactedContent }: ObjectValue): ObjectValue {
  if (redactedContent !== undefined) return { type: "redacted_thinking", data: stringOf(redactedContent) };
  const { text, signature } = objectOf(reasoningText);
  return { type: "thinking", thinking: stringOf(text), signature: stringOf(signature) };
}

/** The other way round, for what a reply is made of. */
export function fromBlock(block: ObjectValue): ObjectValue {
  switch (block.type) {
    case "text":
      return { text: stringOf(block.text) };
    case "tool_use":
      return { toolUse: { toolUseId: stringOf(block.id), name: stringOf(block.name), input: block.input ?? {} } };
    case "thinking":
      return { reasoningContent: { reasoningText: { text: stringOf(block.thinking), signature: stringOf(block.signature) } } };
    case "redacted_thinking":
      return { reasoningContent: { redactedContent: stringOf(block.data) } };
    default:
      return { [stringOf(block.type)]: block.value as Value };
  }
}
