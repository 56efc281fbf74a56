import { inWords } from "../../json/in-words.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { breach, firstOf, says, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";

/** Tool definitions and the choice among them. */
export const toolRules: readonly ShapeRule[] = [
  shapeRule("AN-21", "sure", (_look, { tools }) => (isArray(tools) ? definitions(tools) : undefined)),
  shapeRule("AN-22", "sure", (_look, { tools, tool_choice, mcp_servers }) => {
    const offered = [tools, mcp_servers].some((list) => isArray(list) && list.length > 0);
    return offered || !isObject(tool_choice) ? undefined : breach(["tool_choice"], "may only be specified while providing tools");
  }),
  shapeRule("AN-22", "likely", (_look, { tool_choice }, { profile }) => {
    if (!isForced(tool_choice) || !hasTrait(profile, "refuses-forced-tools")) return undefined;
    return breach(["tool_choice"], 'type "tool" and "any" are not supported for this model.');
  }),
];

/** Whether the model must call a tool. */
export function isForced(tool_choice: Value | undefined): boolean {
  return isObject(tool_choice) && (tool_choice.type === "any" || tool_choice.type === "tool");
}

function definitions(tools: readonly Value[]): Breach | undefined {
  const named = tools.filter((tool) => isObject(tool) && tool.name !== undefined) as readonly ObjectValue[];
  const own = firstOf(tools, (tool, index) =>
    isObject(tool) && [undefined, null, "custom"].includes(tool.type as null) ? custom(tool, index) : undefined,
  );
  if (own !== undefined) return own;
  if (new Set(named.map(({ name }) => name)).size < named.length) return breach(["tools"], "Tool names must be unique.");
  const deferred = tools.length > 0 && tools.every((tool) => isObject(tool) && tool.defer_loading === true);
  return deferred ? says(["tools"], "All tools have defer_loading: true") : undefined;
}

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

function custom({ name, input_schema }: ObjectValue, index: number): Breach | undefined {
  const wrong = (member: string, problem: string): Breach => says(["tools", index, member], `tools.${index}.custom.${member}: ${problem}`);
  if (name === undefined || input_schema === undefined) return wrong(name === undefined ? "name" : "input_schema", "Field required");
  if (!toolName.test(inWords(name))) return wrong("name", `String should match pattern '${toolName.source}'`);
  if (isObject(input_schema) && input_schema.type === "object") return undefined;
  return says(["tools", index, "input_schema"], `tools.${index}.custom.input_schema.type: Input should be 'object'`);
}
