import type { ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isServerToolResult } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, lastBlock, notPermitted, type SeenMessage, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";
import { byModel } from "./rules-model.ts";

/** System messages inside the conversation. Source: the page on mid-conversation system messages, September and November 2026. */
export const systemRules: readonly ShapeRule[] = [
  ...byModel("AN-16", unsupported),
  shapeRule("AN-17", "sure", ({ messages }, _request, context) =>
    firstOf(messages, (message, index) => turnScoped(message, index, context)),
  ),
  shapeRule("AN-16", "sure", placement),
];

function unsupported({ messages }: Look, _request: ObjectValue, { profile }: RuleContext): Breach | undefined {
  if (profile.positionalSystem) return undefined;
  const index = messages.findIndex(({ role }) => role === "system");
  if (index < 0) return undefined;
  const path = ["messages", index, "role"];
  if (!hasTrait(profile, "unexpected-system")) return { path, message: `messages.${index}: role 'system' is not supported on this model` };
  const advice = 'The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
  return { path, message: `messages: Unexpected role "system". ${advice}` };
}

/** Behind a user turn or a server tool's result; last, or before an assistant message. Turn-scoped messages stand no differently. */
function placement(look: Look): Breach | undefined {
  const { turns } = look;
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at];
    if (turn?.role !== "system") continue;
    const before = turns[at - 1];
    const end = before?.role === "assistant" ? lastBlock(look, before) : undefined;
    const paused = end !== undefined && isServerToolResult(end);
    // The first text was seen in anthropics/claude-code#73821; the second is worded after it.
    const after = turns[at + 1];
    if (after !== undefined && after.role !== "assistant") {
      return breach(["messages", turn.to - 1], "role 'system' must precede an 'assistant' message or end the array");
    }
    if (before?.role !== "user" && !paused) {
      return breach(["messages", turn.from], "role 'system' must follow a 'user' message or a server tool result");
    }
    const changes = look.messages[turn.from]?.blocks.findIndex(({ type }) => type === "tool_addition" || type === "tool_removal") ?? -1;
    if (paused && changes >= 0)
      return breach(["messages", turn.from, "content", changes], "tool changes must not follow a paused assistant turn");
  }
  return undefined;
}

const scoped = "(clear_at: 'next_user_message')";

/** Messages that say when they are cleared. Not judged where the betas of the request are not known: whether the field is known at all. */
function turnScoped(seen: SeenMessage, index: number, { betas }: RuleContext): Breach | undefined {
  const { message, role, blocks } = seen;
  const { clear_at } = message;
  if (clear_at === undefined || clear_at === null) return undefined;
  const path = ["messages", index];
  if (betas !== undefined && !betas.includes("mid-conversation-system-clear-at-2026-08-21"))
    return breach([...path, "clear_at"], notPermitted);
  if (role !== "system") return breach([...path, "clear_at"], "clear_at is only permitted on role 'system' messages");
  if (clear_at === "never") return undefined;
  if (clear_at !== "next_user_message") return breach([...path, "clear_at"], "Input should be 'next_user_message' or 'never'");
  if (blocks.some(({ type }) => type !== "text")) return breach(path, `a turn-scoped system message supports text blocks only ${scoped}`);
  const { output_config } = message;
  if (output_config !== undefined && output_config !== null) {
    return breach(path, `output_config is not permitted on a turn-scoped system message ${scoped}`);
  }
  const marked = blocks.findIndex(({ cache_control }) => cache_control !== undefined && cache_control !== null);
  if (marked < 0) return undefined;
  return breach(blockPath(seen, index, marked), `cache_control is not permitted on a turn-scoped system message ${scoped}`);
}
