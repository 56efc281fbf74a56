import { inWords } from "../../json/in-words.ts";
import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { Grade, ShapeRule } from "../../wire/rule.ts";
import { type Found, ruleOf } from "../../wire/rule-parts.ts";

// Google documents no validator of this surface. GI-01 is recorded; the others are those of generateContent (facts 3.3), where calls are paired by id.

export const interactionRules: readonly ShapeRule[] = [
  rule("GI-01", "sure", ({ tools }) => {
    const list = isArray(tools) ? tools : [];
    const at = list.findIndex((tool) => isObject(tool) && tool.type === "function" && nested.some((name) => tool[name] !== undefined));
    const name = nested.find((inner) => (list[at] as ObjectValue | undefined)?.[inner] !== undefined);
    return name === undefined
      ? undefined
      : [
          ["tools", at, name],
          `invalid JSON in genai.Interaction @ tools[${at}].function: message genai.Function: no such field: '${name}'`,
        ];
  }),
  rule("GI-02", "weak", ({ input, previous_interaction_id }) =>
    stepsOf(input).length > 0 || previous_interaction_id !== undefined ? undefined : [["input"], "input is not specified"],
  ),
  rule("GI-03", "likely", (request) => {
    const steps = stepsOf(request.input);
    const answered = new Set(steps.flatMap(({ type, call_id }) => (type === "function_result" ? [call_id] : [])));
    const at = steps.findIndex(({ type, id }) => type === "function_call" && !answered.has(id));
    return at < 0
      ? undefined
      : [
          ["input", at],
          "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        ];
  }),
  rule("GI-04", "likely", ({ input, previous_interaction_id }) => {
    if (previous_interaction_id !== undefined) return undefined;
    const calls = new Set<unknown>();
    const steps = stepsOf(input);
    const at = steps.findIndex(({ type, id, call_id }) => {
      if (type === "function_call") calls.add(id);
      return type === "function_result" && !calls.has(call_id);
    });
    return at < 0
      ? undefined
      : [["input", at, "call_id"], `No function call with id ${inWords(steps[at]?.call_id ?? "")} comes before its function result.`];
  }),
];

/** How other wires write a function; this one has its members beside the type. */
const nested: readonly string[] = ["function", "function_declarations"];

function rule(id: string, grade: Grade, look: (request: ObjectValue) => Found): ShapeRule {
  return ruleOf(id, grade, (request) => {
    const found = look(request);
    return found && [found[0], found[1], "invalid_request"];
  });
}

function stepsOf(input: unknown): readonly ObjectValue[] {
  return isArray(input) ? input.map((step) => (isObject(step) ? step : {})) : [];
}
