import { wellFormedTexts } from "../../json/map-texts.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";
import { withMember } from "./layout.ts";

export type Reasoning = Unit & { readonly kind: "reasoning" };

/** The documented stand-ins for signatures of calls that this model did not make: facts 3.2. Nothing is signed by them. */
const standIns: readonly Value[] = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

export function isStandIn(signature: Value | undefined): boolean {
  return signature !== undefined && standIns.includes(signature);
}

/** A thought that the model shows, signed or not. */
export function thoughtUnit(part: ObjectValue): Reasoning {
  const block = wellFormedTexts(part);
  return {
    kind: "reasoning",
    block,
    bound: typeof block.thoughtSignature === "string",
    readable: typeof block.text === "string" ? block.text : "",
  };
}

/** A signature that stands on no text, or, as its only member, the one of the part behind it. */
export function signatureUnit(block: ObjectValue): Reasoning {
  return { kind: "reasoning", block: wellFormedTexts(block), bound: true, readable: "" };
}

/** The parts of units, each signature in the part that it came with. One whose part is gone stands on an empty text, which the provider takes. */
export function signedParts(units: readonly Unit[]): readonly ObjectValue[] {
  const parts: ObjectValue[] = [];
  let signature: ObjectValue | undefined;
  const alone = (): void => {
    if (signature !== undefined) parts.push(Object.freeze({ text: "", ...signature }));
    signature = undefined;
  };
  for (const { kind, block } of units) {
    if (kind === "fields") continue;
    if (isBare(block)) {
      alone();
      signature = block;
    } else if (signature === undefined || kind === "reasoning") {
      alone();
      parts.push(block);
    } else {
      parts.push(Object.freeze({ ...block, ...signature }));
      signature = undefined;
    }
  }
  alone();
  return parts;
}

function isBare(block: ObjectValue): boolean {
  return block.thoughtSignature !== undefined && Object.keys(block).length === 1;
}

const signed = new WeakMap<ObjectValue, ObjectValue>();

/**
 * A content of the model whose first call has a signature, or a stand-in for it: models that check (`signed-calls`) refuse such a content in the
 * current turn without one (GE-08). The content alone decides, so that it is sent alike in every request.
 */
export function withSignedCalls(content: ObjectValue): ObjectValue {
  const known = signed.get(content);
  if (known !== undefined) return known;
  const made = signFirstCall(content);
  if (Object.isFrozen(content)) signed.set(content, made);
  return made;
}

function signFirstCall(content: ObjectValue): ObjectValue {
  const { role, parts } = content;
  if (role !== "model" || !isArray(parts)) return content;
  const at = parts.findIndex((part) => isObject(part) && isObject(part.functionCall));
  const call = parts[at];
  if (!isObject(call) || typeof call.thoughtSignature === "string") return content;
  return withMember(content, "parts", Object.freeze(parts.with(at, Object.freeze({ ...call, thoughtSignature: standIns[0] as Value }))));
}
