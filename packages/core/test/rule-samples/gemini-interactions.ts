import type { GeminiRuleSample } from "./gemini.ts";

const user = { type: "user_input", content: [{ type: "text", text: "Hi." }] };
const call = (id: string) => ({ type: "function_call", id, name: "look", arguments: {} });
const result = (call_id: string) => ({ type: "function_result", call_id, name: "look", result: "blue" });
const input = (...steps: readonly object[]) => ({ model: "gemini-3.8-flash", input: steps });
const withTool = (tool: object) => ({ ...input(user), tools: [{ type: "function", ...tool }] });

export const interactionRuleSamples: readonly GeminiRuleSample[] = [
  {
    rule: "GI-01",
    passes: withTool({ name: "look" }),
    fails: withTool({ function: { name: "look" } }),
    says: "no such field: 'function'",
    at: ["tools", 0, "function"],
  },
  { rule: "GI-02", passes: { ...input(), previous_interaction_id: "v1_a" }, fails: input(), says: "input is not specified", at: ["input"] },
  {
    rule: "GI-03",
    passes: input(user, call("a"), call("b"), result("b"), result("a")),
    fails: input(user, call("a"), call("b"), result("b")),
    says: "the number of function response parts",
    at: ["input", 1],
  },
  {
    rule: "GI-04",
    passes: input(user, call("a"), result("a")),
    fails: input(user, result("a")),
    says: "No function call with id a",
    at: ["input", 1, "call_id"],
  },
];
