import { inWords } from "../../json/in-words.ts";
import { isObject, type ObjectValue } from "../../json/value.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import { type Found as Breached, first } from "../../wire/rule-parts.ts";
import { memberOf } from "./layout.ts";
import { rule, type Turn } from "./look.ts";

/** Calls and responses, counted by turn, and the signatures of the current turn's calls. Facts 3.2 and 3.3. */
export const turnRules: readonly ShapeRule[] = [
  // Turns, not contents: recorded are contents of the model that stand side by side (facts 3.3 has an older report that words ahead of a call are refused).
  rule("GE-04", "sure", ({ turns: [first] }) =>
    first?.role === "model" && first.calls.length > 0 ? [first.calls[0]?.path.slice(0, 2) ?? [], callTurn] : undefined,
  ),
  rule("GE-05", "sure", ({ turns }) =>
    first(turns, ({ calls }, at): Breached => {
      if (calls.length === 0 || turns[at + 1]?.responses.length === calls.length) return undefined;
      const text =
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
      return [calls[0]?.path.slice(0, 2) ?? [], text];
    }),
  ),
  rule("GE-06", "likely", ({ turns }) => first(turns, (turn, at) => strayResponse(turn, turns[at - 1]))),
  rule("GE-08", "sure", ({ contents, turns, context: { profile } }) => {
    if (!profile.traits.includes("signed-calls")) return undefined;
    return first(contents.slice(currentTurn(turns)), (content, index) => unsignedCall(content, index + currentTurn(turns)));
  }),
];

const callTurn = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";

/** A response whose turn does not answer calls, or that stands behind other words of its turn. */
function strayResponse({ responses, parts }: Turn, before: Turn | undefined): Breached {
  const [first] = responses;
  if (first === undefined) return undefined;
  const isMixed = memberOf(parts[0]?.part ?? {}, "functionResponse") === undefined;
  if ((before?.calls.length ?? 0) > 0 && !isMixed) return undefined;
  return [first.path, "Please ensure that function response turn comes immediately after a function call turn."];
}

/** Index of the latest content of the user with anything but responses: from there on calls are checked. */
function currentTurn(turns: readonly Turn[]): number {
  const turn = turns.findLast(({ role, parts, responses }) => role === "user" && parts.length > responses.length);
  const standard = turn?.parts.findLast(({ part }) => memberOf(part, "functionResponse") === undefined);
  return Number(standard?.path[1] ?? 0);
}

/** The position counts the contents of the request, from 1. */
function unsignedCall(content: ObjectValue, index: number): Breached {
  const at = partsOf(content).findIndex((part) => memberOf(part, "functionCall") !== undefined);
  const part = partsOf(content)[at];
  if (content.role !== "model" || part === undefined || typeof memberOf(part, "thoughtSignature") === "string") return undefined;
  const call = memberOf(part, "functionCall");
  const name = inWords(isObject(call) ? (call.name ?? "") : "");
  const text = `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
  return [["contents", index, "parts", at], text];
}

function partsOf({ parts }: ObjectValue): readonly ObjectValue[] {
  return Array.isArray(parts) ? parts.map((part) => (isObject(part) ? part : {})) : [];
}
