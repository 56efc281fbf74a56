import type { ObjectValue, Profile } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { objectsOf, stringOf } from "../json.ts";
import { partsOf, type ScriptedCall, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import type { DialectAnswers } from "./dialects.ts";

/** The assistant message of a scripted reply. A recorded one is given as it is. */
export function messageOf(reply: ScriptedReply, answers: DialectAnswers, chance: Chance, profile: Profile): ObjectValue {
  if (reply.message !== undefined) return { ...reply.message, role: "assistant" };
  const parts = partsOf(reply);
  const thoughts = parts.flatMap((part) => ("thinking" in part ? [part.thinking] : []));
  const text = parts.map((part) => ("text" in part ? part.text : "")).join("");
  const calls = parts.flatMap((part) => ("call" in part ? [callOf(part, answers, chance)] : []));
  return {
    role: "assistant",
    content: contentOf(text, thoughts, calls.length > 0, answers),
    refusal: null,
    ...(thoughts.length > 0 && reasoningMembers(thoughts, answers, chance, profile)),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function contentOf(text: string, thoughts: readonly string[], hasCalls: boolean, answers: DialectAnswers) {
  const plain = text === "" && hasCalls ? null : text;
  if (answers.reasoning !== "thinking-parts" || thoughts.length === 0) return plain;
  const thinking = thoughts.map((thought) => ({ type: "thinking", thinking: [{ type: "text", text: thought }] }));
  return text === "" ? thinking : [...thinking, { type: "text", text }];
}

function callOf({ call }: { readonly call: ScriptedCall }, { callId }: DialectAnswers, chance: Chance): ObjectValue {
  const id = call.id ?? callId.prefix + chance.token(callId.length);
  return { id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
}

function reasoningMembers(thoughts: readonly string[], { reasoning }: DialectAnswers, chance: Chance, profile: Profile): ObjectValue {
  if (reasoning === "none" || reasoning === "thinking-parts") return {};
  const text = thoughts.join("\n");
  if (reasoning !== "reasoning_details") return { [reasoning]: text };
  // A router says it twice: in plain words, and as its upstream gave it. Claude signs.
  const isClaude = profile.traits.includes("cache-control");
  const details = thoughts.map((thought, index) => ({
    type: "reasoning.text",
    text: thought,
    ...(isClaude && { signature: chance.token(64) }),
    format: isClaude ? "anthropic-claude-v1" : "unknown",
    index,
  }));
  return { reasoning: text, reasoning_details: details };
}

export type CompletionFacts = {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly message: ObjectValue;
  readonly finish: string | undefined;
  readonly usage: ObjectValue;
  /** llama.cpp's own account, beside the usage. */
  readonly timings?: ObjectValue;
};

export function completionOf({ id, created, model, message, finish, usage, timings }: CompletionFacts): ObjectValue {
  const finish_reason = finish ?? (objectsOf(message.tool_calls).length > 0 ? "tool_calls" : "stop");
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage,
    service_tier: "default",
    ...(timings && { timings }),
  };
}

export function usageOf(account: CacheAccount, message: ObjectValue, hiddenThinking: number, answers: DialectAnswers): ObjectValue {
  const shown = tokensOf(stringOf(message.reasoning_content) || stringOf(message.reasoning));
  const completion = Math.max(1, tokensOf(JSON.stringify([message.content ?? "", message.tool_calls ?? []])) + shown + hiddenThinking);
  const cached =
    answers.usage !== "hit-and-miss"
      ? { prompt_tokens_details: { cached_tokens: account.read, cache_write_tokens: account.written, audio_tokens: 0 } }
      : { prompt_cache_hit_tokens: account.read, prompt_cache_miss_tokens: account.prompt - account.read };
  return {
    prompt_tokens: account.prompt,
    completion_tokens: completion,
    total_tokens: account.prompt + completion,
    ...cached,
    completion_tokens_details: { reasoning_tokens: shown + hiddenThinking },
  };
}

/** What llama.cpp read from its slot and what it evaluated (facts 7.3). */
export function timingsOf(account: CacheAccount, message: ObjectValue): ObjectValue {
  const predicted_n = Math.max(1, tokensOf(JSON.stringify(message)));
  return { cache_n: account.read, prompt_n: account.prompt - account.read, predicted_n };
}

/** Reasoning that the reply does not show is still paid for. */
export function hiddenThinkingTokens(reply: ScriptedReply, answers: DialectAnswers): number {
  if (answers.reasoning !== "none" || reply.message !== undefined) return 0;
  return partsOf(reply).reduce((sum, part) => sum + ("thinking" in part ? tokensOf(part.thinking) : 0), 0);
}
