import type { ObjectValue } from "@tidemark/core";
import { digest, keyedDigest } from "../digest.ts";
import { stringOf } from "../json.ts";
import { isSettled, rememberSettled } from "../settled.ts";
import { proofOf } from "./blocks.ts";

/** What a thinking block's signature says of its making. */
export type Seal = {
  readonly model: string;
  readonly organisation: string;
  /** Digest of everything it is bound to. */
  readonly prefix: string;
  /** Mark of the thinking block before it when it was made; empty: there was none. */
  readonly previous: string;
  /** Mark of the compaction block that stood in for older messages when it was made; empty: there was none. */
  readonly compaction: string;
};

export interface Signer {
  /** A thinking block as a reply gives it. The same text over the same prefix gets another signature each time, as providers do it. */
  sign(text: string, seal: Seal, redacted?: boolean): ObjectValue;
  /** Undefined: the block was not made here, or was changed since. */
  open(block: ObjectValue): Seal | undefined;
}

/** Signatures depend on the secret and the order of signing alone, so that a run can be repeated and another simulator can share the secret. */
export function signer(secret: string): Signer {
  let serial = 0;
  const opened = new WeakMap<object, { readonly seal: Seal | undefined }>();
  return {
    sign: (text, seal, redacted = false) => {
      const payload = JSON.stringify([serial++, seal.model, seal.organisation, seal.prefix, seal.previous, seal.compaction]);
      const proof = Buffer.from(`${keyedDigest(secret, payload + (redacted ? "" : text))}${payload}`).toString("base64");
      return redacted ? { type: "redacted_thinking", data: proof } : { type: "thinking", thinking: text, signature: proof };
    },
    open: (block) => {
      const known = opened.get(block);
      if (known !== undefined) return known.seal;
      const seal = openSeal(secret, block);
      if (isSettled(block)) opened.set(block, { seal });
      return seal;
    },
  };
}

/** A short name for a signature, as later signatures refer to it. */
export const markOf: (block: ObjectValue) => string = rememberSettled((block) => digest(proofOf(block)).slice(0, 22));

const digestLength = 43;

function openSeal(secret: string, block: ObjectValue): Seal | undefined {
  const proof = proofOf(block);
  const text = Buffer.from(proof, "base64").toString("utf8");
  const payload = text.slice(digestLength);
  if (text.slice(0, digestLength) !== keyedDigest(secret, payload + stringOf(block.thinking))) return undefined;
  // Base64 is read leniently; only the spelling that was handed out is genuine.
  if (Buffer.from(text).toString("base64") !== proof) return undefined;
  const [, model, organisation, prefix, previous, compaction] = JSON.parse(payload) as [number, string, string, string, string, string];
  return { model, organisation, prefix, previous, compaction };
}
