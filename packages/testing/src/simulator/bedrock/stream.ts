import type { ObjectValue } from "@tidemark/core";
import { pieces } from "../event-stream.ts";
import { objectOf, objectsOf, stringOf } from "../json.ts";

/** A whole reply as the events in which ConverseStream gives it, its texts in pieces of so many UTF-16 units; the usage comes behind the end. */
export function eventsOf(reply: ObjectValue, pieceUnits?: number): readonly ObjectValue[] {
  return [...events(reply, pieceUnits)];
}

function* events({ output, stopReason, usage, metrics }: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  const { role = "assistant", content } = objectOf(objectOf(output).message);
  yield { messageStart: { role } };
  for (const [contentBlockIndex, block] of objectsOf(content).entries()) {
    const { toolUse } = block;
    if (toolUse !== undefined) {
      const { input: _input, ...start } = objectOf(toolUse);
      yield { contentBlockStart: { contentBlockIndex, start: { toolUse: start } } };
    }
    for (const delta of deltas(block, pieceUnits)) yield { contentBlockDelta: { contentBlockIndex, delta } };
    yield { contentBlockStop: { contentBlockIndex } };
  }
  yield { messageStop: { stopReason: stopReason ?? null } };
  yield { metadata: { usage: usage ?? {}, metrics: metrics ?? {} } };
}

function* deltas(block: ObjectValue, pieceUnits: number | undefined): Generator<ObjectValue> {
  for (const text of pieces(stringOf(block.text), pieceUnits)) yield { text };
  if (block.toolUse !== undefined) {
    for (const input of pieces(JSON.stringify(objectOf(block.toolUse).input ?? {}), pieceUnits)) yield { toolUse: { input } };
  }
  const { reasoningText, redactedContent } = objectOf(block.reasoningContent);
  if (redactedContent !== undefined) yield { reasoningContent: { redactedContent } };
  if (reasoningText === undefined) return;
  const { text, signature } = objectOf(reasoningText);
  for (const piece of pieces(stringOf(text), pieceUnits)) yield { reasoningContent: { text: piece } };
  if (signature !== undefined) yield { reasoningContent: { signature } };
}
