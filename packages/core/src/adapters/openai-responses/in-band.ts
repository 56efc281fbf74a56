import { freezeValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { InBand } from "../../wire/in-band.ts";
import { toolName } from "./request.ts";

/** Where each setting stands in a request and in the item that changes it: facts 2.3. */
const places: Readonly<Record<string, readonly [holder: string, member: string]>> = {
  effort: ["reasoning", "effort"],
  format: ["text", "format"],
};

/** Source: "Keep the prefix unchanged", November 2026 (facts 2.3). */
export const inBand: InBand = {
  /** Tools are added by an item that keeps its place; there is none that takes one back. */
  toolChanges: {
    betas: [],
    on: () => true,
    takes: ({ name }) => typeof name === "string",
    withdraws: false,
    say: ({ define }) => freezeValue({ type: "additional_tools", role: "developer", tools: define }),
  },
  /** A `configuration_update` changes effort and output format for what follows; the request-level values stay. */
  settings: {
    betas: [],
    on: ({ inBand: changes = [] }) => changes.includes("effort") && changes.includes("format"),
    split,
    say: (changed) => {
      const item: Record<string, Value> = { type: "configuration_update" };
      for (const [name, [holder, member]] of Object.entries(places))
        if (changed[name] !== undefined) item[holder] = { [member]: changed[name] };
      return freezeValue(item);
    },
  },
  announce: (request) => ({ request, headers: {} }),
};

/** A choice among the tools that a request declares or adds, which is not in the prefix. A choice of the host's own stays. */
export function offerTools<R extends object>(request: R, names: readonly string[]): R {
  const { tool_choice, tools, input } = request as { readonly tool_choice?: unknown; readonly tools?: Value; readonly input?: Value };
  if (tools === undefined || (tool_choice !== undefined && tool_choice !== null && tool_choice !== "auto")) return request;
  if (names.length === 0) return { ...request, tool_choice: "none" };
  const added = objects(input).flatMap((item) => (item.type === "additional_tools" ? objects(item.tools) : []));
  const offered = [...objects(tools), ...added].filter((tool) => names.includes(toolName(tool)));
  return { ...request, tool_choice: { type: "allowed_tools", mode: "auto", tools: offered.map(reference) } };
}

/** How a choice names a tool: `ToolChoiceAllowed` of openai 7.59. */
function reference({ type = "function", name, server_label }: ObjectValue): ObjectValue {
  if (server_label !== undefined) return { type, server_label };
  return name === undefined ? { type } : { type, name };
}

function objects(list: Value | undefined): readonly ObjectValue[] {
  return isArray(list) ? list.filter(isObject) : [];
}

function split(params: ObjectValue): { readonly settings: ObjectValue; readonly others: ObjectValue } {
  const settings: Record<string, Value> = {};
  const others: Record<string, Value> = { ...params };
  for (const [name, [holder, member]] of Object.entries(places)) {
    const held = others[holder];
    if (!isObject(held) || held[member] === undefined) continue;
    const { [member]: setting, ...rest } = held as Record<string, Value>;
    settings[name] = setting as Value;
    if (Object.keys(rest).length > 0) others[holder] = rest;
    else delete others[holder];
  }
  return { settings, others };
}
