import { laidOut } from "../../json/laid-out.ts";
import { isObject, type ObjectValue } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";

/**
 * A reasoning block as a unit. Claude's text is signed and its hidden thinking is bytes that only it can read; both go back exactly as they came. Reasoning of other families
 * bears no signature: it is read, and not sent (`abilities.sendsUnsignedReasoning`).
 */
export function reasoningUnit(block: ObjectValue): Unit {
  const reasoning = isObject(block.reasoningContent) ? block.reasoningContent : {};
  const { reasoningText, redactedContent } = reasoning;
  const { text, signature } = isObject(reasoningText) ? reasoningText : {};
  const sealed = redactedContent instanceof Uint8Array || (typeof redactedContent === "string" && redactedContent !== "");
  return {
    kind: "reasoning",
    block: laid(block, reasoningText),
    bound: sealed || (typeof signature === "string" && signature !== ""),
    readable: typeof text === "string" ? text : "",
  };
}

function laid(block: ObjectValue, reasoningText: unknown): ObjectValue {
  if (!isObject(reasoningText)) return block;
  const ordered = laidOut(reasoningText, ["text", "signature"]);
  return ordered === reasoningText
    ? block
    : Object.freeze({ reasoningContent: Object.freeze({ ...(block.reasoningContent as ObjectValue), reasoningText: ordered }) });
}
