import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { isMarked, knowsBlock, knowsMember } from "./blocks.ts";
import { blockPath, breach, firstOf, type Look, notPermitted, type SeenMessage, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";

/** What a request must have, may have, and may have only with a beta. */
export const fieldRules: readonly ShapeRule[] = [
  shapeRule("AN-01", "sure", (_look, request) => required(request)),
  // A request to count tokens has none, and a host may add its own behind the session.
  shapeRule("AN-01", "likely", (_look, { max_tokens }) =>
    max_tokens === undefined ? breach(["max_tokens"], "Field required") : undefined,
  ),
  // An unknown field is carried (rule 55): the API may know it by now.
  shapeRule("AN-01", "weak", ({ messages }, request) => unknownField(request) ?? firstOf(messages, unknownMember)),
  shapeRule("AN-27", "sure", (look, request, { betas }) => (betas === undefined ? undefined : unannounced(look, request, betas))),
];

/** Looked at first of all, and a guess: a model that the table does not know may be newer than it. */
export const modelRule: ShapeRule = shapeRule(
  "AN-29",
  "weak",
  (_look, { model }, { profile }: RuleContext) =>
    hasTrait(profile, "unknown") ? { path: ["model"], message: `model: ${model}`, type: "not_found_error" } : undefined,
  404,
);

function required({ model, messages }: ObjectValue): Breach | undefined {
  if (typeof model !== "string") return breach(["model"], model === undefined ? "Field required" : "Input should be a valid string");
  if (!isArray(messages)) return breach(["messages"], messages === undefined ? "Field required" : "Input should be a valid list");
  return firstOf(messages, (message, index) => wellMade(message, ["messages", index]));
}

function wellMade(message: Value, path: Path): Breach | undefined {
  if (!isObject(message)) return breach(path, "Input should be an object");
  const { role, content } = message;
  if (role === undefined) return breach([...path, "role"], "Field required");
  if (role !== "user" && role !== "assistant" && role !== "system")
    return breach([...path, "role"], "Input should be 'user', 'assistant' or 'system'");
  if (typeof content === "string") return undefined;
  if (isArray(content)) return firstOf(content, (block, at) => wellMadeBlock(block, [...path, "content", at]));
  if (content !== undefined) return breach([...path, "content"], "Input should be a valid list");
  return role === "system" && isObject(message.output_config) ? undefined : breach([...path, "content"], "Field required");
}

function wellMadeBlock(block: Value, path: Path): Breach | undefined {
  if (!isObject(block)) return breach(path, "Input should be an object");
  if (typeof block.type !== "string") return breach([...path, "type"], "Field required");
  return block.type === "text" && typeof block.text !== "string" ? breach([...path, "text", "text"], "Field required") : undefined;
}

/** Source: `MessageCreateParams` of @anthropic-ai/sdk 1.14.0, stable and beta, and what 2023-06-01 still takes. */
const requestFields: ReadonlySet<string> = new Set(
  (
    "model messages max_tokens system tools tool_choice thinking output_config output_format stream stop_sequences metadata service_tier speed " +
    "cache_control container context_management compaction diagnostics mcp_servers inference_geo billing_policy fallbacks fallback_credit_token " +
    "thread betas user_profile_id workspace_id temperature top_p top_k"
  ).split(" "),
);

function unknownField(request: ObjectValue): Breach | undefined {
  const name = Object.keys(request).find((field) => !requestFields.has(field));
  return name === undefined ? undefined : breach([name], notPermitted);
}

function unknownMember(seen: SeenMessage, index: number): Breach | undefined {
  const { message, role, blocks } = seen;
  const names = role === "system" ? ["role", "content", "clear_at", "output_config"] : ["role", "content", "clear_at"];
  const odd = Object.keys(message).find((name) => !names.includes(name));
  if (odd !== undefined) return breach(["messages", index, odd], notPermitted);
  return firstOf(blocks, (block, at) => {
    const path = blockPath(seen, index, at);
    if (!knowsBlock(block)) return breach(path, `Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
    // A mark where none may be is AN-11.
    const name = Object.keys(block).find((member) => !knowsMember(block, member) && !(member === "cache_control" && isMarked(block)));
    return name === undefined ? undefined : { path: [...path, name], message: `${path.join(".")}.${block.type}.${name}: ${notPermitted}` };
  });
}

/** What needs a beta. Source: `AnthropicBeta` of @anthropic-ai/sdk 1.14.0 and the pages of each feature. A name that ends in `-` stands for all of its dates. */
const betaFields: readonly (readonly [field: string, ...betas: string[]])[] = [
  ["context_management", "context-management-2025-06-27", "compact-2026-01-12"],
  ["compaction", "compact-2026-09-04"],
  ["mcp_servers", "mcp-client-"],
  ["thread", "message-threads-2026-08-12"],
  ["fallbacks", "server-side-fallback-"],
  ["fallback_credit_token", "fallback-credit-2026-07-01"],
  ["thinking.block_binding", "thinking-binding-controls-2026-08-01"],
  ["output_config.task_budget", "task-budgets-2026-03-13"],
];

function unannounced({ messages }: Look, request: ObjectValue, betas: readonly string[]): Breach | undefined {
  const has = (name: string): boolean => betas.some((beta) => (name.endsWith("-") ? beta.startsWith(name) : beta === name));
  for (const [field, ...names] of betaFields) {
    const path = field.split(".");
    const value = path.reduce<Value | undefined>((at, name) => (isObject(at) ? at[name] : undefined), request);
    if (value === undefined || value === null || names.some(has)) continue;
    // The API names the form of thinking in its paths.
    const place = path[0] === "thinking" ? `thinking.adaptive.${path[1]}` : field;
    return { path, message: `${place}: ${notPermitted}` };
  }
  const effort = has("mid-conversation-output-config-2026-07-01");
  const changes = has("mid-conversation-tool-changes-2026-07-01");
  return firstOf(messages, (seen, index) => {
    if (seen.role !== "system") return undefined;
    if (!effort && isObject(seen.message.output_config)) return breach(["messages", index, "output_config"], notPermitted);
    const change = changes ? -1 : seen.blocks.findIndex(({ type }) => type === "tool_addition" || type === "tool_removal");
    return change < 0 ? undefined : breach(blockPath(seen, index, change), notPermitted);
  });
}
