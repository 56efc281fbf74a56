import { freezeValue } from "../../json/value.ts";
import type { InBand } from "../../wire/in-band.ts";

/** Source: "Keep the prefix unchanged", November 2026 (facts 2.3): tools are added by an item that keeps its place; there is none that takes one back. */
export const inBand: InBand = {
  toolChanges: {
    betas: [],
    on: () => true,
    takes: ({ name }) => typeof name === "string",
    withdraws: false,
    say: ({ define }) => freezeValue({ type: "additional_tools", role: "developer", tools: define }),
  },
  announce: (request) => ({ request, headers: {} }),
};

/** A choice among the declared tools, which is not in the prefix. A choice of the host's own stays. */
export function offerTools<R extends object>(request: R, names: readonly string[]): R {
  const { tool_choice, tools } = request as { readonly tool_choice?: unknown; readonly tools?: unknown };
  if (tools === undefined || (tool_choice !== undefined && tool_choice !== null && tool_choice !== "auto")) return request;
  if (names.length === 0) return { ...request, tool_choice: "none" };
  return { ...request, tool_choice: { type: "allowed_tools", mode: "auto", tools: names.map((name) => ({ type: "function", name })) } };
}
