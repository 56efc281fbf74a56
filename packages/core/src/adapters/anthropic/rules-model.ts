import type { ObjectValue } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { type Look, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";

/** A refusal that follows from what a model cannot do: sure of a model that the table knows, a guess of any other. */
export function byModel(
  id: string,
  check: (look: Look, request: ObjectValue, context: RuleContext) => Breach | undefined,
): readonly ShapeRule[] {
  return [
    shapeRule(id, "sure", (look, request, context) => (hasTrait(context.profile, "unknown") ? undefined : check(look, request, context))),
    shapeRule(id, "weak", (look, request, context) => (hasTrait(context.profile, "unknown") ? check(look, request, context) : undefined)),
  ];
}
