import type { ObjectValue, Profile } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { isObjectValue, objectOf, objectsOf, stringOf } from "../json.ts";
import { partsOf, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import { kindOfPart, type Signer } from "./signatures.ts";

export type ReplyMaking = {
  readonly request: ObjectValue;
  readonly profile: Profile;
  readonly signer: Signer;
  readonly chance: Chance;
  /** A stream signs an empty text behind its last words. */
  readonly streamed: boolean;
};

/** The parts of a scripted reply. Thoughts show only where the request asks for them; a recorded reply is given as it is, its signatures anew. */
export function replyParts(reply: ScriptedReply, making: ReplyMaking): readonly ObjectValue[] {
  const { signer, profile } = making;
  if (reply.message !== undefined) {
    return objectsOf(reply.message.parts).map((part) => (stringOf(part.thoughtSignature) === "" ? part : signedBy(signer, part, profile)));
  }
  const shows = objectOf(objectOf(making.request.generationConfig).thinkingConfig).includeThoughts === true;
  const parts = partsOf(reply).flatMap((part): readonly ObjectValue[] => {
    if ("thinking" in part) return shows && part.thinking !== "" ? [{ text: part.thinking, thought: true }] : [];
    if ("text" in part) return part.text === "" ? [] : [{ text: part.text }];
    if ("block" in part) return [part.block];
    const id = part.call.id ?? (profile.traits.includes("signed-calls") ? making.chance.token(8).toLowerCase() : undefined);
    return [{ functionCall: { ...(id !== undefined && { id }), name: part.call.name, args: part.call.input } }];
  });
  const thinks = partsOf(reply).some((part) => "thinking" in part) || profile.traits.includes("signed-calls");
  return thinks ? signed(parts, making) : parts;
}

/** On the first call, or on the last part of a reply that calls nothing (facts 3.2). */
function signed(parts: readonly ObjectValue[], { signer, profile, streamed }: ReplyMaking): readonly ObjectValue[] {
  const call = parts.findIndex((part) => isObjectValue(part.functionCall));
  const at = call >= 0 ? call : parts.length - 1;
  const part = parts[at];
  if (part === undefined) return parts;
  if (call < 0 && streamed) return [...parts, signedBy(signer, { text: "" }, profile)];
  return parts.with(at, signedBy(signer, part, profile));
}

function signedBy(signer: Signer, part: ObjectValue, { id }: Profile): ObjectValue {
  return { ...part, thoughtSignature: signer.sign(kindOfPart(part), id) };
}

export type ResponseFacts = {
  readonly parts: readonly ObjectValue[];
  readonly finish: string | undefined;
  readonly usage: ObjectValue;
  readonly model: string;
  readonly id: string;
};

export function responseOf({ parts, finish, usage, model, id }: ResponseFacts): ObjectValue {
  const content = parts.length === 0 ? { role: "model" } : { parts, role: "model" };
  return { candidates: [{ content, finishReason: finish ?? "STOP", index: 0 }], usageMetadata: usage, modelVersion: model, responseId: id };
}

/** Figures of 0 are left out, as the provider leaves them out. */
export function usageOf(account: CacheAccount, parts: readonly ObjectValue[], thoughts: number): ObjectValue {
  const said = parts.filter(({ thought }) => thought !== true).reduce((sum, part) => sum + tokensOf(JSON.stringify(part)), 0);
  return {
    promptTokenCount: account.prompt,
    ...(account.read > 0 && { cachedContentTokenCount: account.read }),
    ...(said > 0 && { candidatesTokenCount: said }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: account.prompt + said + thoughts,
  };
}

/** Thoughts are paid for whether or not they show. */
export function thoughtTokens(reply: ScriptedReply): number {
  return partsOf(reply).reduce((sum, part) => sum + ("thinking" in part ? 1 + tokensOf(part.thinking) : 0), 0);
}
