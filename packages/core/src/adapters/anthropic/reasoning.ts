import type { ObjectValue } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";

/** Whether a block is the model's thinking, readable or not. */
export function isReasoning(block: ObjectValue): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/**
 * A thinking block as a unit. The signature, or the data of a redacted block, tells the provider where it was made; the text may be empty then
 * and is sent all the same. Unsigned thinking (of another provider's reply, of a cut stream) is read but not sent: the wire reads signed thinking
 * only (`abilities.sendsUnsignedReasoning`).
 */
export function reasoningUnit(block: ObjectValue): Unit {
  const proof = block.type === "thinking" ? block.signature : block.data;
  return {
    kind: "reasoning",
    block,
    bound: typeof proof === "string" && proof !== "",
    readable: typeof block.thinking === "string" ? block.thinking : "",
  };
}
