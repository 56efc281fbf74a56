import { freezeValue } from "../json/value.ts";
import type { OwnTool } from "./own-tool.ts";

/**
 * The tool by which the model asks for a landing in the next request (rule 34): `overflow: { strategy, tool: newContext() }`. What it wants to keep it says in the call itself, which
 * stays in the window, as it is not answered yet.
 */
export function newContext(): OwnTool {
  return Object.freeze({
    definition: {
      name: "new_context",
      description:
        "Makes room in this conversation: older messages are replaced by a short record before your next step. Call it between two tasks, when much of what was read is no longer needed.",
      parameters: freezeValue({
        type: "object",
        properties: {
          notes: { type: "string", description: "What must not be lost, in your own words: decisions, open steps, names and places." },
        },
      }),
    },
    call: async () => ({
      text: "Asked for: room is made before your next step, where there is any to make.",
      isError: false,
      asksLanding: true as const,
    }),
  });
}
