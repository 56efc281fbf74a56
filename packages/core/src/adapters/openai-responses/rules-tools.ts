import { inWords } from "../../json/in-words.ts";
import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found, first, isSet, listOf, placeText } from "../../wire/rule-parts.ts";
import { rule } from "./rule-parts.ts";

const emptyArray = "empty array. Expected an array with minimum length 1, but got an empty array instead.";
const namePattern = /^[a-zA-Z0-9_-]+$/;
const nameLengthMax = 64;

/** OR-19: tool definitions. */
export const toolRules: readonly ShapeRule[] = [
  rule("OR-19", "likely", ({ request: { tools } }) =>
    isArray(tools) && tools.length === 0 ? [["tools"], `Invalid 'tools': ${emptyArray}`, "empty_array"] : undefined,
  ),
  rule("OR-19", "likely", ({ request }) => {
    const names = new Set<string>();
    return first(listOf(request.tools), ({ type, name }, index): Found => {
      if (type !== "function" && type !== "custom") return undefined;
      const place = ["tools", index, "name"];
      const said = inWords(name ?? "");
      if (!namePattern.test(said) || said.length > nameLengthMax)
        return [
          place,
          `Invalid '${placeText(place)}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
          "invalid_value",
        ];
      if (names.has(said)) return [place, `Invalid '${placeText(place)}': duplicate tool name '${said}'.`, "invalid_value"];
      names.add(said);
      return undefined;
    });
  }),
  rule("OR-19", "likely", ({ request }) =>
    first(listOf(request.tools), ({ type, name, strict, parameters }, index): Found => {
      if (type !== "function" || strict !== true || !isObject(parameters)) return undefined;
      const problem = strictProblem(parameters);
      if (problem === undefined) return undefined;
      return [
        ["tools", index, "parameters"],
        `Invalid schema for function '${inWords(name ?? "")}': In context=(), ${problem}`,
        "invalid_function_parameters",
      ];
    }),
  ),
];

/** A strict schema names all of its properties as required, and allows no others. */
function strictProblem({ additionalProperties, properties, required }: ObjectValue): string | undefined {
  if (additionalProperties !== false) return "'additionalProperties' is required to be supplied and to be false.";
  const names = isObject(properties) ? Object.keys(properties) : [];
  const listed = isArray(required) ? required : [];
  const missing = names.find((name) => !listed.includes(name));
  if (!isSet(missing)) return undefined;
  return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}
