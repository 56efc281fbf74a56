import { isArray, isObject, type ObjectValue } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found as Breached, first } from "../../wire/rule-parts.ts";
import { formOf, valueAt } from "./form.ts";
import { memberOf } from "./layout.ts";
import { type Look, rule } from "./look.ts";

/** Facts 3.7, GE-14: a letter or underscore, then letters, digits, underscores, dots, colons and dashes, 128 at most. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;
/** Reported by gemini-cli: facts 3.3. */
const functionsMax = 128;

export const toolRules: readonly ShapeRule[] = [
  rule("GE-10", "sure", ({ request }) => {
    const form = formOf(request);
    if (typeof valueAt(request, form.cachedContent) !== "string") return undefined;
    const beside = [form.system, form.tools, form.toolConfig].find((path) => valueAt(request, path) !== undefined);
    if (beside === undefined) return undefined;
    const text = "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.";
    return [beside, `${text}\n\nProposed fix: move those values to CachedContent from GenerateContent request.`];
  }),
  rule("GE-14", "likely", (look) =>
    first(declarations(look), ({ definition, path }): Breached => {
      if (typeof definition.name === "string" && namePattern.test(definition.name)) return undefined;
      const text =
        "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.";
      return [[...path, "name"], text];
    }),
  ),
  rule("GE-14", "likely", (look) =>
    first(declarations(look), ({ definition, path }): Breached => {
      if (memberOf(definition, "parameters") === undefined || memberOf(definition, "parametersJsonSchema") === undefined) return undefined;
      return [[...path, "parametersJsonSchema"], "parameters and parameters_json_schema are mutually exclusive."];
    }),
  ),
  rule("GE-14", "weak", (look) => {
    const count = declarations(look).length;
    return count <= functionsMax
      ? undefined
      : [look.toolsPath, `At most ${functionsMax} function declarations are supported, but ${count} were given.`];
  }),
];

type Declaration = { readonly definition: ObjectValue; readonly path: readonly (string | number)[] };

function declarations({ tools, toolsPath }: Look): readonly Declaration[] {
  return tools.flatMap((tool, index) => {
    const list = isObject(tool) ? memberOf(tool, "functionDeclarations") : undefined;
    return (isArray(list) ? list : []).map((definition, at) => ({
      definition: isObject(definition) ? definition : {},
      path: [...toolsPath, index, "functionDeclarations", at],
    }));
  });
}
