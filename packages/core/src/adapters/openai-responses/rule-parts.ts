import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { type Found, first, isSet, listOf, ruleOf } from "../../wire/rule-parts.ts";

/** What a rule looks at: the request, its items (an object each, so that places count as in the request), and what is known of the model. */
export type Look = { readonly request: ObjectValue; readonly items: readonly ObjectValue[]; readonly context: RuleContext };

export function rule(id: string, grade: Grade, look: (at: Look) => Found): ShapeRule {
  return ruleOf(id, grade, (request, context) => look({ request, items: listOf(request.input), context }));
}

/** A rule that looks at each item for itself. */
export function itemRule(id: string, grade: Grade, look: (item: ObjectValue, path: Path) => Found): ShapeRule {
  return rule(id, grade, ({ items }) => first(items, (item, index) => look(item, ["input", index])));
}

/** An item's type; a message may leave it out, and so may a reference. */
export function typeOf({ type, role }: ObjectValue): string {
  if (typeof type === "string") return type;
  return isSet(role) ? "message" : "item_reference";
}

/** Whether an item is the model's: what stands in replies. */
export function isReplyItem(item: ObjectValue): boolean {
  const type = typeOf(item);
  if (type === "message") return item.role === "assistant";
  return (
    !type.endsWith("_output") && !["configuration_update", "compaction_trigger", "additional_tools", "mcp_approval_response"].includes(type)
  );
}

/** What is there instead of what was expected. */
export function gotText(value: Value | undefined): string {
  if (value === undefined || value === null) return "null";
  if (isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value === "number" ? "number" : inWords(typeof value)}`;
}
