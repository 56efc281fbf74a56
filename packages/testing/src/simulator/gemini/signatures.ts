import type { ObjectValue } from "@tidemark/core";
import { keyedDigest } from "../digest.ts";
import { isObjectValue, objectsOf, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";

/** What a thought signature says of its making: which model, and on what kind of part it stood. */
type Seal = { readonly model: string; readonly kind: string };

export interface Signer {
  /** The part with a signature of its own; the same part gets another one each time. */
  sign(part: ObjectValue, model: string): ObjectValue;
  /**
   * Holds the signatures of a request against what was signed here. Returns the places of those that another model made: the provider takes them and reads no thought
   * in them (GE-15).
   * @throws {Refusal} GE-09 for one that was changed, or that stands on another kind of part than it came on.
   */
  check(contents: readonly ObjectValue[], model: string): readonly ObjectValue[];
}

/** Documented for calls that the model did not make: facts 3.2. */
const standIns: readonly string[] = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** Signatures depend on the secret and the order of signing alone, so that a run can be repeated. */
export function signer(secret: string): Signer {
  let serial = 0;
  const opened = new Map<string, Seal | undefined>();
  const open = (signature: string): Seal | undefined => {
    if (!opened.has(signature)) opened.set(signature, openSeal(secret, signature));
    return opened.get(signature);
  };
  return {
    sign: (part, model) => {
      const payload = JSON.stringify([serial++, model, kindOf(part)]);
      return { ...part, thoughtSignature: Buffer.from(keyedDigest(secret, payload) + payload).toString("base64") };
    },
    check: (contents, model) => {
      const omitted: ObjectValue[] = [];
      for (const [index, content] of contents.entries()) {
        for (const [at, part] of objectsOf(content.parts).entries()) {
          const signature = stringOf(part.thoughtSignature);
          if (signature === "" || standIns.includes(signature)) continue;
          const path = `contents[${index}].parts[${at}]`;
          const seal = open(signature);
          if (seal === undefined) throw new Refusal(400, "Corrupted thought signature.", { rule: "GE-09", path });
          if (seal.kind !== kindOf(part))
            throw new Refusal(400, "Invalid thought signature.", {
              rule: "GE-09",
              path,
              detail: `made for ${seal.kind}, stands on ${kindOf(part)}`,
            });
          if (seal.model !== model) omitted.push({ type: "thought_omitted", path, reason: "model" });
        }
      }
      return omitted;
    },
  };
}

/** A call by its name; text whether or not it is empty, since streams sign an empty one. */
function kindOf(part: ObjectValue): string {
  if (isObjectValue(part.functionCall)) return `call ${stringOf(part.functionCall.name)}`;
  if (part.thought === true) return "thought";
  return typeof part.text === "string" ? "text" : (Object.keys(part).find((name) => name !== "thoughtSignature") ?? "nothing");
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
