import { isObject, type ObjectValue, type Unit } from "@tidemark/core/adapter";

/**
 * What providers hang on reasoning that only they can read: a signature, a ciphertext, the id of what they keep. Sources: `@ai-sdk/anthropic` 4, `@ai-sdk/openai` 4,
 * `@ai-sdk/google` 4, `@openrouter/ai-sdk-provider` 3, `@ai-sdk/amazon-bedrock` 5.
 */
const opaqueMembers: readonly string[] = [
  "signature",
  "redactedData",
  "encryptedContent",
  "reasoningEncryptedContent",
  "thoughtSignature",
  "reasoning_details",
  "itemId",
];

export function isReasoning({ type }: ObjectValue): boolean {
  return type === "reasoning" || type === "reasoning-file";
}

/** The part stays whole: an empty text beside a signature is omitted thinking. */
export function reasoningUnit(block: ObjectValue): Unit {
  const options = isObject(block.providerOptions) ? Object.values(block.providerOptions) : [];
  const bound = options.some((own) => isObject(own) && opaqueMembers.some((name) => own[name] !== undefined && own[name] !== null));
  return { kind: "reasoning", block, bound, readable: typeof block.text === "string" ? block.text : "" };
}
