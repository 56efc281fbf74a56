import { inWords } from "../../json/in-words.ts";
import { type Path, pathText } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Grade, RuleContext, ShapeRule } from "../../wire/rule.ts";

/** A breach in short: the place, the provider's words, its code. */
export type Found = readonly [path: Path, message: string, providerCode?: string] | undefined;

/** What a rule looks at: the request, its items (an object each, so that places count as in the request), and what is known of the model. */
export type Look = { readonly request: ObjectValue; readonly items: readonly ObjectValue[]; readonly context: RuleContext };

export function rule(id: string, grade: Grade, look: (at: Look) => Found): ShapeRule {
  return {
    id,
    grade,
    status: 400,
    check: (request, context) => {
      const found = look({ request, items: listOf(request.input), context });
      if (found === undefined) return undefined;
      const [path, message, providerCode] = found;
      return { path, message, ...(providerCode === undefined ? {} : { providerCode }) };
    },
  };
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

export function first<T, F>(items: readonly T[], find: (item: T, index: number) => F | undefined): F | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function listOf(value: Value | undefined): readonly ObjectValue[] {
  return isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

export function isSet(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}

/** A place as the provider writes it: `input[1].content[0]`. */
export function placeText(path: Path): string {
  return pathText(path).slice(2);
}

/** What is there instead of what was expected. */
export function gotText(value: Value | undefined): string {
  if (value === undefined || value === null) return "null";
  if (isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value === "number" ? "number" : inWords(typeof value)}`;
}
