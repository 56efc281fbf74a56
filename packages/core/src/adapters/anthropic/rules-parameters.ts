import { inWords } from "../../json/in-words.ts";
import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { breach, firstRare, type Look, notPermitted, says, shapeRule } from "./look.ts";
import { hasTrait, type Trait } from "./models.ts";

/** Parameters against the model and the API's version. */
export const parameterRules: readonly ShapeRule[] = [
  shapeRule("AN-26", "sure", (look, request, { version, profile }) => {
    if (version !== undefined && version >= "2026-10-21") return removed(look, request);
    return hasTrait(profile, "refuses-sampling") ? sampling(request, 1) : undefined;
  }),
  // Where the version is not known: the newest SDKs send the new one.
  shapeRule("AN-26", "likely", (look, request, { version }) => (version === undefined ? removed(look, request) : undefined)),
  shapeRule("AN-23", "sure", thinkingForm, { field: "thinking" }),
  shapeRule("AN-24", "likely", (_look, { max_tokens, model }, { profile: { outputMax } }) => {
    if (outputMax === undefined || typeof max_tokens !== "number" || max_tokens <= outputMax) return undefined;
    return breach(["max_tokens"], `${max_tokens} > ${outputMax}, which is the maximum allowed number of output tokens for ${model}`);
  }),
];

/** What version 2026-10-21 no longer takes. Text for sampling: seen in ttlequals0/MinusPod 2.101.10; for the others none was found. */
function removed(look: Look, request: ObjectValue): Breach | undefined {
  const blocks = firstRare(look, (block, path, role) => {
    if (role === "assistant" ? block.type !== "document" : role !== "user" || !isCited(block)) return undefined;
    return breach(role === "user" ? [...path, "citations"] : path, notPermitted);
  });
  return sampling(request, undefined) ?? blocks;
}

/** Text with citations, also that of a search result. */
function isCited({ type, citations, content }: ObjectValue): boolean {
  if (type === "search_result") return isArray(content) && content.some((inner) => isObject(inner) && isCited(inner));
  return type === "text" && isArray(citations) && citations.length > 0;
}

function sampling(request: ObjectValue, passes: number | undefined): Breach | undefined {
  const name = ["temperature", "top_p", "top_k"].find((field) => (request[field] ?? passes) !== passes);
  return name === undefined ? undefined : breach([name], notPermitted);
}

// Texts: thinking page and migration guides, 2026; that of `disabled` as seen on Opus 5.5.
const advice = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const budgetMin = 1024;

function thinkingForm(
  { messages }: Look,
  { thinking, output_config, max_tokens }: ObjectValue,
  { profile, betas }: RuleContext,
): Breach | undefined {
  if (!isObject(thinking)) return undefined;
  const { type: form, budget_tokens: budget } = thinking;
  const type = ["thinking", "type"];
  const config =
    messages.findLast(({ role, message }) => role === "system" && isObject(message.output_config))?.message.output_config ?? output_config;
  const effort = isObject(config) ? config.effort : undefined;
  const light = form === "between_tools" || (form === "disabled" && hasTrait(profile, "disabled-to-high"));
  if (hasTrait(profile, `refuses-${inWords(form)}` as Trait) || (light && (effort === "xhigh" || effort === "max"))) {
    if (form === "adaptive") return says(type, "adaptive thinking is not supported on this model");
    return says(type, `"thinking.type.${inWords(form)}" is not supported for this model. ${advice}`);
  }
  if (form !== "enabled" || typeof budget !== "number") return undefined;
  if (budget < budgetMin) return breach(["thinking", form, "budget_tokens"], `Input should be greater than or equal to ${budgetMin}`);
  // With interleaved thinking the budget spans a whole turn and may pass one reply's cap.
  const interleaved = betas?.some((beta) => beta.startsWith("interleaved-thinking-")) ?? true;
  if (interleaved || typeof max_tokens !== "number" || budget < max_tokens) return undefined;
  return says(["thinking", "budget_tokens"], "`max_tokens` must be greater than `thinking.budget_tokens`");
}
