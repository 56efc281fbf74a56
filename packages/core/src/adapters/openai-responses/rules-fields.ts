import { inWords } from "../../json/in-words.ts";
import type { ObjectValue } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found, first, isSet, listOf, placeText } from "../../wire/rule-parts.ts";
import { gotText, itemRule, rule, typeOf } from "./rule-parts.ts";

/** What an item of a type must have. */
const required: Readonly<Record<string, readonly string[]>> = {
  message: ["role", "content"],
  reasoning: ["id", "summary"],
  function_call: ["call_id", "name", "arguments"],
  function_call_output: ["call_id", "output"],
  custom_tool_call: ["call_id", "name", "input"],
  custom_tool_call_output: ["call_id", "output"],
  compaction: ["encrypted_content"],
  item_reference: ["id"],
  additional_tools: ["role", "tools"],
};
/** Members that an item of a type may have: SDK 7.59.0. */
const known: Readonly<Record<string, readonly string[]>> = {
  message: ["type", "role", "content", "id", "status", "phase"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
  function_call: ["type", "id", "call_id", "name", "arguments", "status", "namespace", "caller", "async"],
  function_call_output: ["type", "id", "call_id", "output", "status", "name", "namespace", "caller"],
};
const roles: readonly string[] = ["user", "assistant", "system", "developer"];
/** Prefixes of item ids by type: facts 2.2. */
const prefixes: Readonly<Record<string, string>> = { reasoning: "rs", message: "msg", function_call: "fc", custom_tool_call: "ctc" };
const idLengthMax = 64;

/** OR-01 to OR-04, OR-12: members of items. */
export const fieldRules: readonly ShapeRule[] = [
  itemRule("OR-01", "weak", (item, path) => {
    const names = known[typeOf(item)];
    const odd = names === undefined ? undefined : Object.keys(item).find((name) => !names.includes(name));
    return odd === undefined ? undefined : unknownParameter([...path, odd]);
  }),
  itemRule("OR-02", "sure", (item, path) => {
    const missing = required[typeOf(item)]?.find((name) => !isSet(item[name]));
    if (missing === undefined) return undefined;
    const place = [...path, missing];
    return [place, `Missing required parameter: '${placeText(place)}'.`, "missing_required_parameter"];
  }),
  itemRule("OR-02", "sure", (item, path) => {
    if (typeOf(item) !== "message" || (typeof item.role === "string" && roles.includes(item.role))) return undefined;
    const supported = "'assistant', 'system', 'developer', and 'user'";
    return [[...path, "role"], `Invalid value: '${inWords(item.role ?? null)}'. Supported values are: ${supported}.`, "invalid_value"];
  }),
  itemRule("OR-03", "likely", (item, path) => idBreach(item, [...path, "id"])),
  rule("OR-03", "likely", ({ items }) => {
    const seen = new Set<string>();
    return first(items, ({ id }, index): Found => {
      if (typeof id !== "string") return undefined;
      if (seen.has(id))
        return [["input", index, "id"], `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`];
      seen.add(id);
      return undefined;
    });
  }),
  itemRule("OR-04", "likely", ({ call_id }, path) => (typeof call_id === "string" ? tooLong(call_id, [...path, "call_id"]) : undefined)),
  itemRule("OR-12", "sure", (item, path) => {
    const name = typeOf(item) === "function_call" ? "arguments" : typeOf(item) === "custom_tool_call" ? "input" : undefined;
    if (name === undefined || typeof item[name] === "string") return undefined;
    const place = [...path, name];
    return [place, `Invalid type for '${placeText(place)}': expected a string, but got ${gotText(item[name])} instead.`, "invalid_type"];
  }),
  itemRule("OR-13", "likely", (item, path) => {
    const own = "prompt_cache_breakpoint" in item ? unknownParameter([...path, "prompt_cache_breakpoint"]) : undefined;
    return (
      own ?? first(["content", "output"], (name) => first(listOf(item[name]), (part, at) => breakpointBreach(part, [...path, name, at])))
    );
  }),
];

export function unknownParameter(path: readonly (string | number)[]): Found {
  return [path, `Unknown parameter: '${placeText(path)}'.`, "unknown_parameter"];
}

function idBreach(item: ObjectValue, path: readonly (string | number)[]): Found {
  const { id } = item;
  if (typeof id !== "string") return undefined;
  const prefix = Object.hasOwn(prefixes, typeOf(item)) && item.role !== "user" ? prefixes[typeOf(item)] : undefined;
  if (prefix !== undefined && !id.startsWith(prefix))
    return [path, `Invalid '${placeText(path)}': '${id}'. Expected an ID that begins with '${prefix}'.`, "invalid_value"];
  if (!/^[A-Za-z0-9_-]*$/.test(id)) {
    const text = "Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.";
    return [path, `Invalid '${placeText(path)}': '${id}'. ${text}`, "invalid_value"];
  }
  return tooLong(id, path);
}

function tooLong(text: string, path: readonly (string | number)[]): Found {
  if (text.length <= idLengthMax) return undefined;
  const expected = `Expected a string with maximum length ${idLengthMax}, but got a string with length ${text.length} instead.`;
  return [path, `Invalid '${placeText(path)}': string too long. ${expected}`, "string_above_max_length"];
}

/** Breakpoints stand on what is given to the model as input, and nowhere else. */
function breakpointBreach(part: ObjectValue, path: readonly (string | number)[]): Found {
  if (!("prompt_cache_breakpoint" in part)) return undefined;
  const place = [...path, "prompt_cache_breakpoint"];
  return ["input_text", "input_image", "input_file"].includes(String(part.type)) ? undefined : unknownParameter(place);
}
