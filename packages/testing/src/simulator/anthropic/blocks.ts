import type { ObjectValue, Value } from "@tidemark/core";
import { isObjectValue, objectsOf, stringOf, without } from "../json.ts";

/** A message's or a system field's blocks: a string is one text block. */
export function blocksOf(content: Value | undefined): readonly ObjectValue[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

export function isThinking(block: ObjectValue): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/** What bears the proof of a thinking block: the signature, or the hidden data. */
export function proofOf(block: ObjectValue): string {
  return stringOf(block.type === "thinking" ? block.signature : block.data);
}

/** A system message that stops counting once a user message stands behind it. */
export function isTurnScoped(message: ObjectValue): boolean {
  return message.role === "system" && message.clear_at === "next_user_message";
}

/** Members of a message beside role and content, such as a system message's effort. */
export function fieldsOf(message: ObjectValue): ObjectValue | undefined {
  const fields = without(message, "role", "content");
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** The block without its cache marks, also those on what a tool result holds. */
export function unmarked(block: ObjectValue): ObjectValue {
  const bare = without(block, "cache_control");
  const content = bare.content;
  if (bare.type !== "tool_result" || !Array.isArray(content)) return bare;
  const inner = content.map((part: Value) => (isObjectValue(part) ? without(part, "cache_control") : part));
  return { ...bare, content: inner };
}

export function pathOf(message: number, block: number): string {
  return `messages.${message}.content.${block}`;
}
