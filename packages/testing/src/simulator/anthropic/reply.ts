import type { ObjectValue } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { objectOf, stringOf } from "../json.ts";
import { partsOf, type ReplyPart, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import { blocksOf, isThinking } from "./blocks.ts";
import { markOf, type Seal, type Signer } from "./signatures.ts";

export type ReplyMaking = {
  readonly request: ObjectValue;
  readonly seal: Seal;
  readonly signer: Signer;
  readonly chance: Chance;
};

/** The content of a scripted reply in the wire's blocks: each thinking block is signed over the request and the thinking before it. */
export function contentOf(reply: ScriptedReply, making: ReplyMaking): readonly ObjectValue[] {
  const parts: readonly ReplyPart[] =
    reply.message === undefined ? partsOf(reply) : blocksOf(reply.message.content).map((block) => ({ block }));
  const hidden = objectOf(making.request.thinking).display === "omitted";
  let previous = making.seal.previous;
  const sign = (text: string, redacted: boolean) => {
    const block = making.signer.sign(hidden ? "" : text, { ...making.seal, previous }, redacted);
    previous = markOf(block);
    return block;
  };
  return parts.map((part) => {
    if ("thinking" in part) return sign(part.thinking, part.redacted === true);
    if ("text" in part) return { type: "text", text: part.text, citations: null };
    if ("call" in part)
      return { type: "tool_use", id: part.call.id ?? `toolu_01${making.chance.token(22)}`, name: part.call.name, input: part.call.input };
    return isThinking(part.block) ? sign(stringOf(part.block.thinking), part.block.type === "redacted_thinking") : part.block;
  });
}

export type MessageFacts = {
  readonly id: string;
  readonly model: string;
  readonly content: readonly ObjectValue[];
  readonly stop: string | undefined;
  readonly usage: ObjectValue;
  readonly diagnostics: ObjectValue | null;
  /** Undefined: not reported. */
  readonly transformations: readonly ObjectValue[] | undefined;
};

export function messageOf(facts: MessageFacts): ObjectValue {
  const calls = facts.content.some((block) => block.type === "tool_use");
  return {
    id: facts.id,
    type: "message",
    role: "assistant",
    model: facts.model,
    content: facts.content,
    container: null,
    context_management: null,
    diagnostics: facts.diagnostics,
    stop_reason: facts.stop ?? (calls ? "tool_use" : "end_turn"),
    stop_details: null,
    stop_sequence: null,
    usage: facts.usage,
    ...(facts.transformations !== undefined && { input_transformations: facts.transformations }),
  };
}

/** `compactionTokens`: of the block that the provider made by its threshold before it answered, which was a pass of its own. */
export function usageOf(account: CacheAccount, outputTokens: number, thinkingTokens: number, compactionTokens?: number): ObjectValue {
  const passes = compactionTokens === undefined ? null : passesOf(account, outputTokens, compactionTokens);
  return {
    ...promptUsage(account),
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    inference_geo: null,
    iterations: passes,
    server_tool_use: null,
    service_tier: "standard",
    speed: "standard",
  };
}

function passesOf(account: CacheAccount, outputTokens: number, compactionTokens: number): readonly ObjectValue[] {
  const answer = { type: "message", input_tokens: compactionTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return [
    { type: "compaction", ...promptUsage(account), output_tokens: compactionTokens },
    { ...answer, output_tokens: outputTokens - compactionTokens },
  ];
}

/** A compaction's own usage stands apart: the top level counts nothing (page on compaction, September 2026). */
export function compactionUsage(account: CacheAccount, outputTokens: number): ObjectValue {
  const nothing: CacheAccount = { prompt: 0, read: 0, written: 0, writtenByLifetime: {}, uncached: 0, breakpoints: [] };
  return { ...usageOf(nothing, 0, 0), iterations: [{ type: "compaction", ...promptUsage(account), output_tokens: outputTokens }] };
}

export function outputTokens(content: readonly ObjectValue[]): { readonly all: number; readonly thinking: number } {
  let all = 0;
  let thinking = 0;
  for (const block of content) {
    const isReasoning = isThinking(block);
    const tokens = isReasoning ? 1 + tokensOf(stringOf(block.thinking)) : tokensOf(JSON.stringify(block));
    all += tokens;
    if (isReasoning) thinking += tokens;
  }
  // A provider reports at least one token, for an empty reply too.
  return { all: Math.max(1, all), thinking };
}

function promptUsage(account: CacheAccount): ObjectValue {
  return {
    input_tokens: account.uncached,
    cache_creation_input_tokens: account.written,
    cache_read_input_tokens: account.read,
    cache_creation: {
      ephemeral_5m_input_tokens: account.writtenByLifetime["5m"] ?? 0,
      ephemeral_1h_input_tokens: account.writtenByLifetime["1h"] ?? 0,
    },
  };
}
