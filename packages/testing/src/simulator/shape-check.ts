import { firstBreach, type ObjectValue, type RuleContext, type ShapeRule } from "@tidemark/core";
import { Refusal } from "./refusal.ts";

/**
 * Holds a request against the wire's own shape rules, the same that a session validates with, in their strictest reading: every grade refuses.
 * @throws {Refusal} for the first breach. `placeText` writes a path as the provider does.
 */
export function checkShape(
  rules: readonly ShapeRule[],
  request: ObjectValue,
  context: RuleContext,
  placeText: (path: readonly (string | number)[]) => string,
): void {
  const found = firstBreach(rules, request, context, ["sure", "likely", "weak"]);
  if (found === undefined) return;
  const { rule, breach } = found;
  throw new Refusal(rule.status, breach.message, {
    rule: rule.id,
    path: placeText(breach.path),
    ...(breach.type !== undefined && { type: breach.type }),
    ...(breach.providerCode !== undefined && { code: breach.providerCode }),
  });
}
