import { isArray, type ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isServerToolBlock } from "./blocks.ts";
import { blockPath, firstOf, type Look, lastBlock, type SeenMessage, shapeRule } from "./look.ts";
import { byModel } from "./rules-model.ts";

/** The first message and empty content. Texts: error reference, read in 2026. */
export const messageRules: readonly ShapeRule[] = [
  shapeRule("AN-02", "sure", firstMessage),
  shapeRule("AN-03", "sure", ({ messages }, request) => emptySystem(request) ?? firstOf(messages, emptyMessage)),
];

/** The end of the list, looked at when the rest is in order. */
export const endRules: readonly ShapeRule[] = [...byModel("AN-08", prefill), shapeRule("AN-08", "sure", trailingWhitespace)];

function firstMessage({ messages }: Look): Breach | undefined {
  const [first] = messages;
  if (first === undefined) return { path: ["messages"], message: "messages: at least one message is required" };
  // A conversation that was compacted starts with the assistant's compaction block.
  if (first.role === "user" || (first.role === "assistant" && first.blocks[0]?.type === "compaction")) return undefined;
  return { path: ["messages", 0, "role"], message: 'messages: first message must use the "user" role' };
}

function emptySystem({ system }: ObjectValue): Breach | undefined {
  if (!isArray(system)) return undefined;
  const index = system.findIndex((block) => (block as ObjectValue | null)?.type === "text" && (block as ObjectValue).text === "");
  return index < 0 ? undefined : { path: ["system", index], message: "system: text content blocks must be non-empty" };
}

function emptyMessage(message: SeenMessage, index: number, messages: readonly SeenMessage[]): Breach | undefined {
  const { role, blocks, silent } = message;
  if (blocks.length === 0) {
    if (silent || (role === "assistant" && index === messages.length - 1)) return undefined;
    const problem = "all messages must have non-empty content except for the optional final assistant message";
    return { path: ["messages", index], message: `messages.${index}: ${problem}` };
  }
  const empty = blocks.findIndex((block) => block.type === "text" && block.text === "");
  if (empty >= 0) return { path: blockPath(message, index, empty), message: "messages: text content blocks must be non-empty" };
  const [only] = blocks;
  if (blocks.length > 1 || only?.type !== "text" || typeof only.text !== "string" || only.text.trim() !== "") return undefined;
  return { path: blockPath(message, index, 0), message: "messages: text content blocks must contain non-whitespace text" };
}

function prefill(look: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const last = look.turns.at(-1);
  if (profile.prefill || last?.role !== "assistant") return undefined;
  // A paused turn is sent back as it is: it ends in a server tool's block, or in the compaction that paused it.
  const end = lastBlock(look, last);
  if (end !== undefined && (isServerToolBlock(end) || end.type === "compaction")) return undefined;
  const message = "This model does not support assistant message prefill. The conversation must end with a user message.";
  return { path: ["messages", last.to - 1], message };
}

function trailingWhitespace(look: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const last = look.turns.at(-1);
  const end = profile.prefill && last?.role === "assistant" ? lastBlock(look, last) : undefined;
  if (last === undefined || end?.type !== "text" || typeof end.text !== "string" || end.text === end.text.trimEnd()) return undefined;
  const message = "messages: final assistant content cannot end with trailing whitespace";
  return { path: ["messages", last.to - 1, "content"], message };
}
