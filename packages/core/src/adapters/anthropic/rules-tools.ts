import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, RuleContext, ShapeRule } from "../../wire/rule.ts";
import { breach, type Look, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";

/** Tool definitions and the choice among them. */
export const toolRules: readonly ShapeRule[] = [
  shapeRule("AN-21", "sure", (_look, { tools }) => (isArray(tools) ? definitions(tools) : undefined)),
  shapeRule("AN-22", "sure", choiceWithoutTools),
  shapeRule("AN-22", "likely", forcedChoice),
];

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

function definitions(tools: readonly Value[]): Breach | undefined {
  const names = new Set<Value>();
  let repeated = false;
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool)) return breach(["tools", index], "Input should be an object");
    const found = isCustom(tool) ? customTool(tool, index) : undefined;
    if (found !== undefined) return found;
    if (tool.name !== undefined && names.size === names.add(tool.name).size) repeated = true;
  }
  if (repeated) return { path: ["tools"], message: "tools: Tool names must be unique." };
  if (tools.length > 0 && tools.every((tool) => (tool as ObjectValue).defer_loading === true)) {
    return { path: ["tools"], message: "All tools have defer_loading: true" };
  }
  return undefined;
}

function isCustom({ type }: ObjectValue): boolean {
  return type === undefined || type === null || type === "custom";
}

function customTool({ name, input_schema }: ObjectValue, index: number): Breach | undefined {
  const path = ["tools", index];
  const at = (member: string, problem: string): Breach => ({
    path: [...path, ...member.split(".")],
    message: `tools.${index}.custom.${member}: ${problem}`,
  });
  if (name === undefined) return at("name", "Field required");
  if (typeof name !== "string" || !toolName.test(name)) return at("name", `String should match pattern '${toolName.source}'`);
  if (input_schema === undefined) return at("input_schema", "Field required");
  if (!isObject(input_schema) || input_schema.type !== "object") return at("input_schema.type", "Input should be 'object'");
  return undefined;
}

function choiceWithoutTools(_look: Look, { tools, tool_choice, mcp_servers }: ObjectValue): Breach | undefined {
  const offered = [tools, mcp_servers].some((list) => isArray(list) && list.length > 0);
  if (offered || tool_choice === undefined || tool_choice === null) return undefined;
  return breach(["tool_choice"], "may only be specified while providing tools");
}

export function isForced(tool_choice: Value | undefined): boolean {
  return isObject(tool_choice) && (tool_choice.type === "any" || tool_choice.type === "tool");
}

function forcedChoice(_look: Look, { tool_choice }: ObjectValue, { profile }: RuleContext): Breach | undefined {
  if (!isForced(tool_choice) || !hasTrait(profile, "refuses-forced-tools")) return undefined;
  return breach(["tool_choice"], 'type "tool" and "any" are not supported for this model.');
}
