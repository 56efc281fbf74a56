import { inWords } from "../../json/in-words.ts";
import type { Path } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { breach, firstOf, firstRare, says, shapeRule } from "./look.ts";
import { hasTrait } from "./models.ts";
import { isToolChange } from "./rules-system.ts";

/** Tool definitions and the choice among them. */
export const toolRules: readonly ShapeRule[] = [
  shapeRule("AN-21", "sure", (_look, { tools }) => (isArray(tools) ? checked(tools) : undefined)),
  // The page on mid-conversation tool changes names the error codes; their texts were not found.
  shapeRule(
    "AN-21",
    "likely",
    (look, { tools }) => {
      let known: Set<Value | undefined> | undefined;
      return firstRare(look, (block, path) => {
        if (!isToolChange(block)) return undefined;
        known ??= new Set((isArray(tools) ? tools : []).flatMap((tool) => (isObject(tool) ? [tool.name] : [])));
        return changed(block, path, known);
      });
    },
    { about: "rare" },
  ),
  shapeRule(
    "AN-22",
    "sure",
    (_look, { tools, tool_choice, mcp_servers }) => {
      if (!isObject(tool_choice) || [tools, mcp_servers].some((list) => isArray(list) && list.length > 0)) return undefined;
      return breach(["tool_choice"], "may only be specified while providing tools");
    },
    { field: "tool_choice" },
  ),
  shapeRule(
    "AN-22",
    "likely",
    (_look, { tool_choice }, { profile }) => {
      if (!isForced(tool_choice) || !hasTrait(profile, "refuses-forced-tools")) return undefined;
      return breach(["tool_choice"], 'type "tool" and "any" are not supported for this model.');
    },
    { field: "tool_choice" },
  ),
];

/** Whether the model must call a tool. */
export function isForced(tool_choice: Value | undefined): boolean {
  return isObject(tool_choice) && (tool_choice.type === "any" || tool_choice.type === "tool");
}

/** Lists in order: a window has the same frozen one in every request. */
const passed = new WeakSet<object>();

function checked(tools: readonly Value[]): Breach | undefined {
  if (passed.has(tools)) return undefined;
  const found = definitions(tools);
  if (found === undefined && Object.isFrozen(tools)) passed.add(tools);
  return found;
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

/** A toolset's members are not known. A definition in band is one more of a name that was known, or a reference is to a name that is not. */
function changed({ tool }: ObjectValue, path: Path, known: Set<Value | undefined>): Breach | undefined {
  if (!isObject(tool)) return undefined;
  const { type, name, definition } = tool;
  if (type === "tool_reference")
    return known.has(name) || known.has(undefined) ? undefined : breach([...path, "tool", "name"], "tool_reference_unresolved");
  if (type !== "tool_definition" || !isObject(definition)) return undefined;
  if (known.has(definition.name)) return breach([...path, "tool", "definition", "name"], "tool_name_conflict");
  known.add(definition.name);
  return undefined;
}

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

function custom({ name, input_schema }: ObjectValue, index: number): Breach | undefined {
  const wrong = (member: string, problem: string): Breach => says(["tools", index, member], `tools.${index}.custom.${member}: ${problem}`);
  if (name === undefined || input_schema === undefined) return wrong(name === undefined ? "name" : "input_schema", "Field required");
  if (!toolName.test(inWords(name))) return wrong("name", `String should match pattern '${toolName.source}'`);
  if (isObject(input_schema) && input_schema.type === "object") return undefined;
  return says(["tools", index, "input_schema"], `tools.${index}.custom.input_schema.type: Input should be 'object'`);
}
