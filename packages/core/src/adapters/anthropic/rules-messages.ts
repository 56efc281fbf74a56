import { isArray, type ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isServerToolBlock } from "./blocks.ts";
import { blockPath, breach, byModel, firstOf, type Look, type Seen, says, shapeRule } from "./look.ts";

/** The first message and empty content. Texts: error reference, read in 2026. */
export const messageRules: readonly ShapeRule[] = [
  shapeRule("AN-02", "sure", firstMessage),
  shapeRule("AN-03", "sure", ({ messages }, { system }) => {
    const blocks = isArray(system) ? (system as readonly ObjectValue[]) : [];
    return firstOf(blocks, (block, at) => emptyText("system", ["system", at], block)) ?? firstOf(messages, emptyMessage);
  }),
];

/** The end of the list, looked at when the rest is in order. */
export const endRules: readonly ShapeRule[] = [...byModel("AN-08", prefill), shapeRule("AN-08", "sure", trailingSpace)];

function firstMessage({ messages: [first] }: Look): Breach | undefined {
  if (first === undefined) return breach(["messages"], "at least one message is required");
  // A conversation that was compacted starts with the assistant's compaction block.
  if (first.role === "user" || (first.role === "assistant" && first.blocks[0]?.type === "compaction")) return undefined;
  return says(["messages", 0, "role"], 'messages: first message must use the "user" role');
}

function emptyText(where: string, path: readonly (string | number)[], block: ObjectValue | undefined): Breach | undefined {
  return block?.type === "text" && block.text === "" ? says(path, `${where}: text content blocks must be non-empty`) : undefined;
}

function emptyMessage(message: Seen, index: number, messages: readonly Seen[]): Breach | undefined {
  const { role, blocks, silent } = message;
  const [only] = blocks;
  if (only === undefined) {
    if (silent || (role === "assistant" && index === messages.length - 1)) return undefined;
    return breach(["messages", index], "all messages must have non-empty content except for the optional final assistant message");
  }
  const empty = firstOf(blocks, (block, at) => emptyText("messages", blockPath(message, index, at), block));
  if (empty !== undefined || blocks.length > 1 || only.type !== "text" || String(only.text).trim() !== "") return empty;
  return says(blockPath(message, index, 0), "messages: text content blocks must contain non-whitespace text");
}

/** The block at the very end, if it is an assistant's. */
function end({ turns, messages }: Look): { readonly at: number; readonly block: ObjectValue | undefined } | undefined {
  const last = turns.at(-1);
  return last?.role === "assistant" ? { at: last.to - 1, block: messages[last.to - 1]?.blocks.at(-1) } : undefined;
}

function prefill(look: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const last = end(look);
  // A paused turn is sent back as it is: it ends in a server tool's block, or in the compaction that paused it.
  const paused = last?.block !== undefined && (isServerToolBlock(last.block) || last.block.type === "compaction");
  if (last === undefined || paused || profile.prefill) return undefined;
  const message = "This model does not support assistant message prefill. The conversation must end with a user message.";
  return says(["messages", last.at], message);
}

function trailingSpace(look: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const last = end(look);
  const text = last?.block?.type === "text" ? String(last.block.text) : "";
  if (!profile.prefill || last === undefined || text === text.trimEnd()) return undefined;
  return says(["messages", last.at], "messages: final assistant content cannot end with trailing whitespace");
}
