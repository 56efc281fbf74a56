import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Unit } from "../../wire/unit.ts";
import { callUnit, resultUnit } from "./calls.ts";
import { laidOut, objectIn, withMember, without } from "./layout.ts";
import { isStandIn, signatureUnit, thoughtUnit } from "./reasoning.ts";

/** Every member of `Part` (SDK 3.3.0) in the order in which it is sent: what it says, then what goes with it, the signature last. */
const partOrder: readonly string[] =
  `thought text functionCall functionResponse inlineData fileData executableCode codeExecutionResult toolCall toolResponse audioTranscription
  videoMetadata mediaResolution mediaProcessing speechMetadata partMetadata thoughtSignature`.split(/\s+/);

/** The part's own members that are objects of the wire, with their order. */
const innerOrders: readonly (readonly [name: string, order: readonly string[]])[] = [
  ["functionCall", ["id", "name", "args", "partialArgs", "willContinue"]],
  ["functionResponse", ["id", "name", "response", "parts", "scheduling", "willContinue"]],
  ["inlineData", ["mimeType", "data", "displayName"]],
  ["fileData", ["mimeType", "fileUri", "displayName"]],
];

/** Which one of these a part has says what it is; it has exactly one (facts 3.1). */
export const dataNames: readonly string[] = partOrder.slice(1, partOrder.indexOf("audioTranscription"));
export const partNames: readonly string[] = partOrder;

/**
 * The units of one part. A signature is a unit of its own, ahead of what it signs, so that a part whose signature a store has lost is still known for what
 * it is, and gets it back; a part that is nothing but a thought, or a signature on no text, is one unit.
 */
export function readPart(part: Value, path: string, isReply: boolean): readonly Unit[] {
  if (!isObject(part)) throw new InvalidMessageError(path, "a part must be an object");
  const block = sentPart(part);
  if (Object.keys(block).length === 0) return [];
  if (!isReply) return unitOf(block, isReply);
  if (block.thought === true) return [thoughtUnit(block)];
  if (typeof block.thoughtSignature !== "string") return unitOf(block, isReply);
  const said = without(block, "thoughtSignature");
  return isBlank(said)
    ? [signatureUnit(block)]
    : [signatureUnit(Object.freeze({ thoughtSignature: block.thoughtSignature })), ...unitOf(said, isReply)];
}

export function textUnit(text: string): Unit & { readonly kind: "text" } {
  return { kind: "text", block: Object.freeze({ text }), text };
}

/** A part as it is sent: laid out, without members that are read like absent ones. */
export function sentPart(part: ObjectValue): ObjectValue {
  let block = laidOut(part, partOrder);
  for (const [name, order] of innerOrders) {
    const inner = objectIn(block, name);
    if (inner !== undefined) block = withMember(block, name, laidOut(inner, order));
  }
  if (block.thought === false) block = without(block, "thought");
  return block.thoughtSignature === "" || isStandIn(block.thoughtSignature) ? without(block, "thoughtSignature") : block;
}

function unitOf(block: ObjectValue, isReply: boolean): readonly Unit[] {
  if (typeof block.text === "string") return isBlank(block) ? [] : [{ kind: "text", block, text: block.text }];
  const call = isReply ? objectIn(block, "functionCall") : undefined;
  if (call !== undefined) return [callUnit(block, call)];
  const response = isReply ? undefined : objectIn(block, "functionResponse");
  if (response !== undefined) return [resultUnit(block, response)];
  const isMedium = block.inlineData !== undefined || block.fileData !== undefined;
  return [{ kind: isMedium ? "media" : "other", block }];
}

/** Text of white space, and nothing that goes with it. */
function isBlank(block: ObjectValue): boolean {
  return typeof block.text === "string" && block.text.trim() === "" && Object.keys(block).length === 1;
}
