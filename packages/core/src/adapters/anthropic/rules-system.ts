import type { ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isMarked, isServerToolBlock } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, modelRule, notPermitted, type Seen, says, shapeRule, type Turn } from "./look.ts";
import { hasTrait } from "./models.ts";

/** System messages inside the conversation. Source: the page on mid-conversation system messages, September and November 2026. */
export const systemRules: readonly ShapeRule[] = [
  modelRule("AN-16", unsupported, { about: "aside" }),
  shapeRule(
    "AN-17",
    "sure",
    ({ messages }, _request, { betas }) => firstOf(messages, (message, index) => clearing(message, index, betas)),
    { about: "aside" },
  ),
  shapeRule(
    "AN-16",
    "sure",
    (look) => firstOf(look.turns, (turn, at) => (turn.role === "system" ? misplaced(look, turn, at) : undefined)),
    { about: "aside" },
  ),
];

function unsupported({ messages }: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const index = profile.positionalSystem ? -1 : messages.findIndex(({ role }) => role === "system");
  if (index < 0) return undefined;
  if (!hasTrait(profile, "unexpected-system")) return breach(["messages", index], "role 'system' is not supported on this model");
  const advice = 'The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
  return says(["messages", index], `messages: Unexpected role "system". ${advice}`);
}

/** Behind a user turn or a server tool's result; last, or before an assistant message. Turn-scoped messages stand no differently. */
function misplaced({ turns, messages }: Look, { from, to }: Turn, at: number): Breach | undefined {
  const before = turns[at - 1];
  const after = turns[at + 1];
  // Seen in anthropics/claude-code#73821; the words of the other two were not found.
  if (after?.role === "user") return breach(["messages", to - 1], "role 'system' must precede an 'assistant' message or end the array");
  if (before?.role === "user") return undefined;
  const end = before && messages[before.to - 1]?.blocks.at(-1);
  const paused = end !== undefined && isServerToolBlock(end) && end.tool_use_id !== undefined;
  if (!paused) return breach(["messages", from], "role 'system' must follow a 'user' message or a server tool result");
  const change = messages[from]?.blocks.findIndex(isToolChange) ?? -1;
  return change < 0 ? undefined : breach(["messages", from, "content", change], "must not follow a paused assistant turn");
}

export function isToolChange({ type }: ObjectValue): boolean {
  return type === "tool_addition" || type === "tool_removal";
}

const scoped = "a turn-scoped system message";
const scope = "(clear_at: 'next_user_message')";

/** Messages that say when they are cleared. Where the betas of the request are not known, the field is taken to be allowed. */
function clearing(seen: Seen, index: number, betas: readonly string[] | undefined): Breach | undefined {
  const { message, role, blocks } = seen;
  const { clear_at } = message;
  if (clear_at === undefined || clear_at === null) return undefined;
  const path = ["messages", index];
  const field = [...path, "clear_at"];
  if (betas?.includes("mid-conversation-system-clear-at-2026-08-21") === false) return breach(field, notPermitted);
  if (role !== "system") return breach(field, "clear_at is only permitted on role 'system' messages");
  if (clear_at === "never") return undefined;
  if (clear_at !== "next_user_message") return breach(field, "Input should be 'next_user_message' or 'never'");
  if (blocks.some(({ type }) => type !== "text")) return breach(path, `${scoped} supports text blocks only ${scope}`);
  if ((message.output_config ?? null) !== null) return breach(path, `output_config is not permitted on ${scoped} ${scope}`);
  const marked = blocks.findIndex(isMarked);
  return marked < 0 ? undefined : breach(blockPath(seen, index, marked), `cache_control is not permitted on ${scoped} ${scope}`);
}
