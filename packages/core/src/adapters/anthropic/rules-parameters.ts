import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { blockPath, breach, firstOf, type Look, notPermitted, shapeRule } from "./look.ts";
import { hasTrait, type Trait } from "./models.ts";

/** Parameters against the model and the API's version. */
export const parameterRules: readonly ShapeRule[] = [
  shapeRule("AN-26", "sure", (look, request, { version }) =>
    version !== undefined && version >= version2026 ? removed2026(look, request) : undefined,
  ),
  // Where the version is not known: the newest SDKs send the new one.
  shapeRule("AN-26", "likely", (look, request, { version }) => (version === undefined ? removed2026(look, request) : undefined)),
  shapeRule("AN-26", "sure", (_look, request, { profile }) =>
    hasTrait(profile, "refuses-sampling") ? sampling(request, isDefault) : undefined,
  ),
  shapeRule("AN-23", "sure", thinkingForm),
  shapeRule("AN-24", "likely", outputCap),
];

const version2026 = "2026-10-21";
const samplingNames = ["temperature", "top_p", "top_k"] as const;

/** What version 2026-10-21 no longer takes. Sampling text: seen in ttlequals0/MinusPod 2.101.10; that of the others was not found. */
function removed2026({ messages }: Look, request: ObjectValue): Breach | undefined {
  const sampled = sampling(request, () => false);
  if (sampled !== undefined) return sampled;
  return firstOf(messages, (message, index) => {
    if (!message.rare) return undefined;
    return firstOf(message.blocks, (block, at) => {
      const path = blockPath(message, index, at);
      if (message.role === "assistant" && block.type === "document")
        return breach(path, "document blocks are not permitted in assistant messages");
      if (message.role === "user" && isCitedText(block))
        return breach([...path, "citations"], "citations are not permitted on text in user messages");
      return undefined;
    });
  });
}

/** Text with citations; a search result's own text counts as the user's. */
function isCitedText(block: ObjectValue): boolean {
  if (block.type === "search_result" && isArray(block.content)) return block.content.some((inner) => isObject(inner) && isCitedText(inner));
  return block.type === "text" && isArray(block.citations) && block.citations.length > 0;
}

function sampling(request: ObjectValue, passes: (name: string, value: unknown) => boolean): Breach | undefined {
  const name = samplingNames.find(
    (member) => request[member] !== undefined && request[member] !== null && !passes(member, request[member]),
  );
  return name === undefined ? undefined : breach([name], notPermitted);
}

function isDefault(name: string, value: unknown): boolean {
  return name !== "top_k" && value === 1;
}

// Texts: thinking page and migration guides, 2026; `disabled` of Opus 5.5 was seen on dev.to, that of Sonnet 5.5 in part.
const useAdaptive = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const budgetMin = 1024;

function thinkingForm(_look: Look, request: ObjectValue, { profile, betas }: RuleContext): Breach | undefined {
  const { thinking, max_tokens } = request;
  if (!isObject(thinking)) return undefined;
  const path = ["thinking", "type"];
  const form = String(thinking.type);
  if (hasTrait(profile, `refuses-${form}` as Trait)) {
    const message =
      form === "adaptive"
        ? "adaptive thinking is not supported on this model"
        : `"thinking.type.${form}" is not supported for this model. ${useAdaptive}`;
    return { path, message };
  }
  const effort = isObject(request.output_config) ? request.output_config.effort : undefined;
  const light = form === "between_tools" || (form === "disabled" && hasTrait(profile, "disabled-to-high"));
  if (light && (effort === "xhigh" || effort === "max")) {
    return { path, message: `"thinking.type.${form}" is not supported at effort ${effort} for this model. ${useAdaptive}` };
  }
  const budget = thinking.budget_tokens;
  if (form !== "enabled" || typeof budget !== "number") return undefined;
  const budgetPath = ["thinking", "budget_tokens"];
  if (budget < budgetMin) {
    return { path: budgetPath, message: `thinking.enabled.budget_tokens: Input should be greater than or equal to ${budgetMin}` };
  }
  // With interleaved thinking the budget spans a whole turn and may pass one reply's cap.
  const interleaved = betas?.some((beta) => beta.startsWith("interleaved-thinking-")) ?? true;
  if (typeof max_tokens !== "number" || budget < max_tokens || interleaved) return undefined;
  return { path: budgetPath, message: "`max_tokens` must be greater than `thinking.budget_tokens`" };
}

function outputCap(_look: Look, { max_tokens, model }: ObjectValue, { profile }: RuleContext): Breach | undefined {
  const cap = profile.outputMax;
  if (cap === undefined || typeof max_tokens !== "number" || max_tokens <= cap) return undefined;
  return breach(["max_tokens"], `${max_tokens} > ${cap}, which is the maximum allowed number of output tokens for ${model}`);
}
