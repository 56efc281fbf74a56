import type { ObjectValue } from "@tidemark/core";
import type { StreamEvent } from "../endpoint.ts";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, stringOf } from "../json.ts";

/** A whole message as the events in which the provider streams it, its texts in pieces of so many UTF-16 units. */
export function streamOf(message: ObjectValue, pieceUnits?: number): readonly StreamEvent[] {
  return [...events(message, pieceUnits)].map((data) => ({ name: stringOf(data.type), data }));
}

function* events(message: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  const usage = objectOf(message.usage);
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } };
  yield { type: "ping" };
  for (const [index, block] of objectsOf(message.content).entries()) {
    yield { type: "content_block_start", index, content_block: opening(block) };
    for (const delta of deltas(block, pieceUnits)) yield { type: "content_block_delta", index, delta };
    yield { type: "content_block_stop", index };
  }
  const { stop_reason = null, stop_sequence = null, stop_details = null, container = null, context_management = null } = message;
  yield { type: "message_delta", delta: { container, stop_details, stop_reason, stop_sequence }, context_management, usage };
  yield { type: "message_stop" };
}

/** What a block is before its first delta. Blocks without deltas come whole. */
function opening(block: ObjectValue): ObjectValue {
  if (block.type === "text") return { ...block, text: "" };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  if (block.type === "tool_use" || block.type === "server_tool_use") return { ...block, input: {} };
  return block;
}

function* deltas(block: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  if (block.type === "text") for (const text of pieces(stringOf(block.text), pieceUnits)) yield { type: "text_delta", text };
  if (block.type === "thinking") {
    for (const thinking of pieces(stringOf(block.thinking), pieceUnits)) yield { type: "thinking_delta", thinking };
    yield { type: "signature_delta", signature: stringOf(block.signature) };
  }
  if (block.type === "tool_use" || block.type === "server_tool_use") {
    yield { type: "input_json_delta", partial_json: "" };
    for (const partial_json of pieces(JSON.stringify(block.input), pieceUnits)) yield { type: "input_json_delta", partial_json };
  }
}
