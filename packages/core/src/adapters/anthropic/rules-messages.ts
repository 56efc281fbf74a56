import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isServerToolBlock } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, modelRule, type Seen, says, shapeRule } from "./look.ts";

const notUser = says(["messages", 0, "role"], 'messages: first message must use the "user" role');

/** The first message and empty content. Texts: error reference, read in 2026. */
export const messageRules: readonly ShapeRule[] = [
  shapeRule("AN-02", "sure", ({ messages: [first] }) => {
    if (first === undefined) return breach(["messages"], "at least one message is required");
    return first.role === "user" || first.role === "assistant" ? undefined : notUser;
  }),
  // Documented, yet a recording of Sonnet 4.5 has an assistant's first message taken. A conversation that was compacted starts with one.
  shapeRule("AN-02", "likely", ({ messages: [first] }) =>
    first?.role === "assistant" && first.blocks[0]?.type !== "compaction" ? notUser : undefined,
  ),
  shapeRule("AN-03", "sure", ({ messages }, { system }) => {
    const empty = isArray(system) ? system.findIndex(isEmptyText) : -1;
    return empty < 0 ? firstOf(messages, emptyMessage) : says(["system", empty], `system: ${nonEmpty}`);
  }),
];

/** The end of the list, looked at when the rest is in order. */
export const endRules: readonly ShapeRule[] = [
  modelRule("AN-08", prefill, { about: "begun" }),
  shapeRule("AN-08", "sure", trailingSpace, { about: "begun" }),
];

const nonEmpty = "text content blocks must be non-empty";

function isEmptyText(block: Value): boolean {
  return isObject(block) && block.type === "text" && block.text === "";
}

function emptyMessage(message: Seen, index: number, messages: readonly Seen[]): Breach | undefined {
  const { role, blocks, blank, silent } = message;
  if (blocks.length === 0) {
    if (silent || (role === "assistant" && index === messages.length - 1)) return undefined;
    return breach(["messages", index], "all messages must have non-empty content except for the optional final assistant message");
  }
  const empty = blank ? blocks.findIndex(isEmptyText) : -1;
  if (empty >= 0) return says(blockPath(message, index, empty), `messages: ${nonEmpty}`);
  if (!blank || blocks.length > 1) return undefined;
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
