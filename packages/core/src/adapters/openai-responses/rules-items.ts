import { inWords } from "../../json/in-words.ts";
import type { ObjectValue } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found, first, isSet } from "../../wire/rule-parts.ts";
import { isReplyItem, itemRule, type Look, rule, typeOf } from "./rule-parts.ts";

const answers: Readonly<Record<string, string>> = { function_call: "function_call_output", custom_tool_call: "custom_tool_call_output" };

/**
 * OR-05 to OR-07, OR-16, OR-17, OR-23: how items stand to each other. That an item needs its reasoning (the other half of OR-07) only the server
 * knows, which made it. Reports disagree on pairs of calls and outputs (facts 12, rows 12 to 14); this is the strict reading.
 */
export const itemRules: readonly ShapeRule[] = [
  rule("OR-05", "likely", (look) => (isElsewhere(look) ? undefined : unanswered(look.items))),
  rule("OR-06", "likely", (look) => {
    const { items } = look;
    if (isElsewhere(look)) return undefined;
    const open = new Set<unknown>();
    return first(items, (item, index): Found => {
      const type = typeOf(item);
      if (Object.hasOwn(answers, type)) open.add(`${answers[type]} ${inWords(item.call_id ?? "")}`);
      if (!Object.values(answers).includes(type) || open.has(`${type} ${inWords(item.call_id ?? "")}`)) return undefined;
      return [["input", index], `No tool call found for function call output with call_id ${inWords(item.call_id ?? "")}.`];
    });
  }),
  rule("OR-07", "likely", ({ items }) =>
    first(items, (item, index): Found => {
      if (typeOf(item) !== "reasoning") return undefined;
      const next = items.slice(index + 1).find((other) => typeOf(other) !== "reasoning");
      if (next !== undefined && isReplyItem(next)) return undefined;
      return [["input", index], `Item '${inWords(item.id ?? "")}' of type 'reasoning' was provided without its required following item.`];
    }),
  ),
  rule("OR-16", "likely", ({ items }) => {
    const at = items.findIndex((item) => typeOf(item) === "compaction_trigger");
    if (at < 0 || at === items.length - 1) return undefined;
    return [["input", at], "Invalid input: 'compaction_trigger' must be the last item.", "invalid_value"];
  }),
  itemRule("OR-17", "likely", (item, path) => {
    if (typeOf(item) !== "additional_tools" || item.role === "developer") return undefined;
    return [[...path, "role"], `Invalid value: '${inWords(item.role ?? null)}'. Supported values are: 'developer'.`, "invalid_value"];
  }),
  itemRule("OR-17", "likely", (item, path) => {
    if (typeOf(item) !== "configuration_update") return undefined;
    const odd = Object.keys(item).find((name) => !["type", "id", "reasoning", "text"].includes(name) && isSet(item[name]));
    return odd === undefined ? undefined : [[...path, odd], `Unknown parameter: 'input[${String(path[1])}].${odd}'.`, "unknown_parameter"];
  }),
  rule("OR-23", "likely", ({ items }) => {
    const at = items.findIndex((item, index) => isUpdate(item) && isUpdate(items[index + 1]));
    return at < 0
      ? undefined
      : [["input", at + 1], "Invalid input: two consecutive 'configuration_update' items are not allowed.", "invalid_value"];
  }),
];

/** Some of the conversation is the server's: what a pair lacks may be there. */
function isElsewhere({ request, items }: Look): boolean {
  return [request.previous_response_id, request.conversation].some(isSet) || items.some((item) => typeOf(item) === "item_reference");
}

function isUpdate(item: ObjectValue | undefined): boolean {
  return item !== undefined && typeOf(item) === "configuration_update";
}

/** Every call has its output before the model speaks again, and before the request ends. */
function unanswered(items: readonly ObjectValue[]): Found {
  const open = new Map<string, { readonly item: ObjectValue; readonly index: number }>();
  let answered = false;
  for (const [index, item] of items.entries()) {
    const type = typeOf(item);
    const speaks = isReplyItem(item);
    if (speaks && answered) {
      if (open.size > 0) break;
      answered = false;
    }
    if (!speaks) answered = true;
    if (Object.hasOwn(answers, type)) open.set(`${answers[type]} ${inWords(item.call_id ?? "")}`, { item, index });
    else open.delete(`${type} ${inWords(item.call_id ?? "")}`);
  }
  const [missing] = open.values();
  if (missing === undefined) return undefined;
  return [["input", missing.index], `No tool output found for function call ${inWords(missing.item.call_id ?? "")}.`];
}
