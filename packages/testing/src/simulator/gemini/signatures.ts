import type { ObjectValue } from "@tidemark/core";
import { keyedDigest } from "../digest.ts";
import { isObjectValue, objectsOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";

/** What a thought signature says of its making: which model, and on what kind of part it stood. */
type Seal = { readonly model: string; readonly kind: string };

/** A signature in a request, with what it stands on. */
export type Signed = { readonly signature: string; readonly kind: string; readonly path: string };

export interface Signer {
  /** A signature for a part of this kind; each is another. */
  sign(kind: string, model: string): string;
  /**
   * Holds the signatures of a request against what was signed here. Returns the places of those that another model made: the provider takes them and reads no thought
   * in them (GE-15).
   * @throws {Refusal} GE-09 for one that was changed, or that stands on another kind of part than it came on.
   */
  check(signed: readonly Signed[], model: string): readonly ObjectValue[];
}

/** Documented for calls that the model did not make: facts 3.2. */
const standIns: readonly string[] = ["", "skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** Signatures depend on the secret and the order of signing alone, so that a run can be repeated. */
export function signer(secret: string): Signer {
  let serial = 0;
  const opened = new Map<string, Seal | undefined>();
  const open = (signature: string): Seal | undefined => {
    if (!opened.has(signature)) opened.set(signature, openSeal(secret, signature));
    return opened.get(signature);
  };
  return {
    sign: (kind, model) => {
      const payload = JSON.stringify([serial++, model, kind]);
      return Buffer.from(keyedDigest(secret, payload) + payload).toString("base64");
    },
    check: (signed, model) => {
      const omitted: ObjectValue[] = [];
      for (const { signature, kind, path } of signed) {
        if (standIns.includes(signature)) continue;
        const seal = open(signature);
        if (seal === undefined) throw new Refusal(400, "Corrupted thought signature.", { rule: "GE-09", path });
        if (seal.kind !== kind)
          throw new Refusal(400, "Invalid thought signature.", { rule: "GE-09", path, detail: `made for ${seal.kind}, stands on ${kind}` });
        if (seal.model !== model) omitted.push({ type: "thought_omitted", path, reason: "model" });
      }
      return omitted;
    },
  };
}

/** A part of a content: a call by its name; text whether or not it is empty, since streams sign an empty one. */
export function kindOfPart(part: ObjectValue): string {
  if (isObjectValue(part.functionCall)) return `call ${stringOf(part.functionCall.name)}`;
  if (part.thought === true) return "thought";
  return typeof part.text === "string" ? "text" : (Object.keys(part).find((name) => name !== "thoughtSignature") ?? "nothing");
}

export function signedParts(contents: readonly ObjectValue[]): readonly Signed[] {
  return contents.flatMap(({ parts }, index) =>
    objectsOf(parts).flatMap((part, at) => {
      const signature = stringOf(part.thoughtSignature);
      return signature === "" ? [] : [{ signature, kind: kindOfPart(part), path: `contents[${index}].parts[${at}]` }];
    }),
  );
}

const digestLength = 43;

function openSeal(secret: string, signature: string): Seal | undefined {
  const text = Buffer.from(signature, "base64").toString("utf8");
  const payload = text.slice(digestLength);
  if (text.slice(0, digestLength) !== keyedDigest(secret, payload)) return undefined;
  // Base64 is read leniently; only the spelling that was handed out is genuine.
  if (Buffer.from(text).toString("base64") !== signature) return undefined;
  const [, model, kind] = JSON.parse(payload) as [number, string, string];
  return { model, kind };
}
