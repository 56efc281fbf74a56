import { isArray, isObject, type Value } from "../../json/value.ts";
import type { DialectName } from "./dialects.ts";
import { toolName } from "./request.ts";

/** `none` is every server's; a list of allowed tools is OpenAI's (facts 2.3: neither is in the prefix). A choice of the host's own stays. */
export function offerTools<R extends object>(request: R, names: readonly string[], dialect: DialectName): R {
  const { tool_choice, tools } = request as { readonly tool_choice?: unknown; readonly tools?: Value };
  if (tools === undefined || (tool_choice !== undefined && tool_choice !== null && tool_choice !== "auto")) return request;
  if (names.length === 0) return { ...request, tool_choice: "none" };
  if (dialect !== "openai") return request;
  const declared = isArray(tools) ? tools.filter(isObject) : [];
  const allowed = declared.flatMap((tool) => {
    const name = toolName(tool);
    if (!names.includes(name)) return [];
    return tool.type === "custom" ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
  });
  return { ...request, tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: allowed } } };
}
