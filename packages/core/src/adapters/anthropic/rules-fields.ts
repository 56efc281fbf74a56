import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { isMarked, knowsBlock, knowsMember } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, notPermitted, perMessage, says, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";
import { at } from "./rules-compaction.ts";
import { isToolChange } from "./rules-system.ts";

/** What a request must have, may have, and may have only with a beta. */
export const fieldRules: readonly ShapeRule[] = [
  // A guess: a model that the table does not know may be newer than it.
  shapeRule(
    "AN-29",
    "weak",
    (_look, { model }, { profile }) =>
      hasTrait(profile, "unknown") ? { ...breach(["model"], String(model)), type: "not_found_error" } : undefined,
    { status: 404 },
  ),
  shapeRule("AN-01", "sure", (_look, { model, messages }) => {
    const needed = oneOf(["model"], typeof model === "string", model, "Input should be a valid string");
    return needed ?? oneOf(["messages"], isArray(messages), messages, list) ?? firstOf(messages as readonly Value[], wellMade);
  }),
  // A request to count tokens has none, and a host may add its own behind the session.
  shapeRule("AN-01", "likely", (_look, { max_tokens }) => oneOf(["max_tokens"], max_tokens !== undefined, max_tokens, "")),
  // An unknown field is carried (rule 55): the API may know it by now.
  shapeRule("AN-01", "weak", (_look, request) => {
    const odd = unknownIn(request, requestFields);
    if (odd !== undefined) return breach([odd], notPermitted);
    return isArray(request.messages) ? firstOf(request.messages, unknownMember) : undefined;
  }),
  shapeRule("AN-27", "sure", (look, request, { betas }) => (betas === undefined ? undefined : unannounced(look, request, betas))),
];

const object = "Input should be an object";
const list = "Input should be a valid list";

function oneOf(path: Path, right: boolean, value: Value | undefined, problem: string): Breach | undefined {
  return right ? undefined : breach(path, value === undefined ? "Field required" : problem);
}

const wellMade = perMessage((message, index) => {
  if (!isObject(message)) return breach(["messages", index], object);
  const { role, content, output_config } = message;
  const known = role === "user" || role === "assistant" || role === "system";
  if (!known) return oneOf(["messages", index, "role"], false, role, "Input should be 'user', 'assistant' or 'system'");
  if (typeof content === "string" || (role === "system" && isObject(output_config) && content === undefined)) return undefined;
  if (!isArray(content)) return oneOf(["messages", index, "content"], false, content, list);
  for (let at = 0; at < content.length; at++) {
    const block = content[at] as Value;
    if (!isObject(block)) return breach(["messages", index, "content", at], object);
    const { type, text } = block;
    const isText = type === "text";
    const said = isText ? text : type;
    if (typeof said === "string") continue;
    return oneOf(["messages", index, "content", at, isText ? "text" : "type"], false, said, "Input should be a valid string");
  }
  return undefined;
});

const words = (text: string): readonly string[] => text.split(" ");

/** Source: `MessageCreateParams` of @anthropic-ai/sdk 1.14.0, stable and beta, and what 2023-06-01 still takes. */
const requestFields = words(
  "model messages max_tokens system tools tool_choice thinking output_config output_format stream stop_sequences metadata service_tier speed cache_control container context_management compaction diagnostics mcp_servers inference_geo billing_policy fallbacks fallback_credit_token thread betas user_profile_id workspace_id temperature top_p top_k",
);
/** `clear_at` where it may not stand is AN-17. */
const messageFields = words("role content clear_at");
const systemFields = words("role content clear_at output_config");

function unknownIn(holder: ObjectValue, known: readonly string[]): string | undefined {
  return Object.keys(holder).find((member) => !known.includes(member));
}

const unknownMember = perMessage((message, index) => {
  if (!isObject(message)) return undefined;
  const { role, content } = message;
  const odd = unknownIn(message, role === "system" ? systemFields : messageFields);
  if (odd !== undefined) return breach(["messages", index, odd], notPermitted);
  if (!isArray(content)) return undefined;
  for (let at = 0; at < content.length; at++) {
    const block = content[at] as Value;
    const found = isObject(block) ? unknownInBlock(block, index, at) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
});

/** A mark where none may be is AN-11. */
function unknownInBlock(block: ObjectValue, message: number, at: number): Breach | undefined {
  const knows = knowsBlock(block);
  const name = Object.keys(block).find((member) => !knowsMember(block, member) && !(member === "cache_control" && isMarked(block)));
  if (knows && name === undefined) return undefined;
  const path = ["messages", message, "content", at];
  if (!knows || name === undefined)
    return breach(path, `Input tag '${inWords(block.type)}' found using 'type' does not match any of the expected tags`);
  return says([...path, name], `${path.join(".")}.${inWords(block.type)}.${name}: ${notPermitted}`);
}

/** What needs a beta. Source: `AnthropicBeta` of @anthropic-ai/sdk 1.14.0 and the pages of each feature. A beta is named by its start where any date will do. */
const betaFields: readonly (readonly [field: string, betas: string])[] = [
  ["context_management", "context-management-2025-06-27 compact-2026-01-12"],
  ["compaction", "compact-2026-09-04"],
  ["mcp_servers", "mcp-client-"],
  ["thread", "message-threads-2026-08-12"],
  ["fallbacks", "server-side-fallback-"],
  ["fallback_credit_token", "fallback-credit-2026-07-01"],
  ["thinking.block_binding", "thinking-binding-controls-2026-08-01"],
  ["output_config.task_budget", "task-budgets-2026-03-13"],
];

function unannounced({ messages }: Look, request: ObjectValue, betas: readonly string[]): Breach | undefined {
  const has = (names: string): boolean => words(names).some((name) => betas.some((beta) => beta.startsWith(name)));
  const field = firstOf(betaFields, ([name, needed]) => {
    const path = name.split(".");
    if ((at(request, path) ?? null) === null || has(needed)) return undefined;
    // The API names the form of thinking in its paths.
    return says(path, `${name.replace("thinking.", "thinking.adaptive.")}: ${notPermitted}`);
  });
  const effort = has("mid-conversation-output-config-2026-07-01");
  const changes = has("mid-conversation-tool-changes-2026-07-01");
  return (
    field ??
    firstOf(messages, (seen, index) => {
      if (seen.role !== "system") return undefined;
      if (!effort && isObject(seen.message.output_config)) return breach(["messages", index, "output_config"], notPermitted);
      const change = changes ? -1 : seen.blocks.findIndex(isToolChange);
      return change < 0 ? undefined : breach(blockPath(seen, index, change), notPermitted);
    })
  );
}
