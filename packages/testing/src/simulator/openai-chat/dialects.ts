import type { ObjectValue } from "@tidemark/core";
import { type Clock, hourMs, minuteMs } from "../clock.ts";
import { type BlockCacheOptions, blockCache } from "./block-cache.ts";
import type { ChatCache } from "./cache.ts";
import { tokenCache } from "./token-cache.ts";
import { unitCache } from "./unit-cache.ts";

/** How a server answers, by the dialect that core's adapter is told. What it refuses is in the adapter's rules. */
export type DialectAnswers = {
  /** Where reasoning stands in a reply: a member of the message, or parts of its content. `none`: it stays with the server. */
  readonly reasoning: "none" | "reasoning_content" | "reasoning" | "reasoning_details" | "thinking-parts";
  readonly cache: (clock: Clock) => ChatCache;
  /** How cached tokens are reported; `timings` stand beside the usage, too. */
  readonly usage: "details" | "hit-and-miss" | "timings";
  readonly errors: "wrapped" | "bare" | "mistral" | "openrouter" | "vllm";
  /** The refusal of a prompt that is too long. */
  readonly tooLong: (tokens: number, limit: number) => TooLong;
  /** Letters and digits of a call id behind its prefix. */
  readonly callId: { readonly prefix: string; readonly length: number };
};

/** `more`: members of the error beside the usual ones. */
type TooLong = { readonly message: string; readonly code?: string; readonly type?: string; readonly more?: ObjectValue };

const blocks =
  (options: BlockCacheOptions) =>
  (clock: Clock): ChatCache =>
    blockCache(clock, options);

/** In a server's own memory nothing ages, it is only pushed out. */
const inMemory = Number.POSITIVE_INFINITY;

const usual: DialectAnswers = {
  reasoning: "reasoning_content",
  cache: blocks({ blockTokens: 128, tokensMin: 128, lifetimeMs: 5 * minuteMs }),
  usage: "details",
  errors: "wrapped",
  // OC-12.
  tooLong: (tokens, limit) => ({
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens.`,
    code: "context_length_exceeded",
  }),
  callId: { prefix: "call_", length: 24 },
};

/** Where a provider gives a range, the least that the provider promises. */
const table: Readonly<Record<string, Partial<DialectAnswers>>> = {
  openai: { reasoning: "none", cache: blocks({ blockTokens: 128, tokensMin: 1_024, lifetimeMs: 5 * minuteMs }) },
  deepseek: { cache: (clock) => unitCache(clock, { lifetimeMs: 2 * hourMs }), usage: "hit-and-miss" },
  openrouter: {
    reasoning: "reasoning_details",
    cache: blocks({ blockTokens: 128, tokensMin: 1_024, lifetimeMs: 5 * minuteMs }),
    errors: "openrouter",
  },
  mistral: {
    reasoning: "thinking-parts",
    cache: blocks({ blockTokens: 64, tokensMin: 64, lifetimeMs: 5 * minuteMs }),
    errors: "mistral",
    callId: { prefix: "", length: 9 },
    tooLong: (tokens, limit) => ({
      message: `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${limit} maximum context length`,
      code: "3051",
    }),
  },
  cerebras: {
    reasoning: "reasoning",
    errors: "bare",
    tooLong: (tokens, limit) => ({
      message: `Please reduce the length of the messages or completion. Current length is ${tokens} while limit is ${limit}`,
      code: "context_length_exceeded",
    }),
  },
  groq: { reasoning: "reasoning", cache: blocks({ blockTokens: 128, tokensMin: 128, lifetimeMs: 2 * hourMs }) },
  kimi: {
    tooLong: (tokens, limit) => ({ message: `Invalid request: Your request exceeded model token limit: ${limit} (requested: ${tokens})` }),
  },
  qwen: {
    tooLong: (_, limit) => ({ message: `<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, ${limit}]` }),
  },
  xai: {
    tooLong: (tokens, limit) => ({
      message: `This model's maximum prompt length is ${limit} but the request contains ${tokens} tokens.`,
    }),
  },
  vllm: { reasoning: "reasoning", cache: blocks({ blockTokens: 16, tokensMin: 16, lifetimeMs: inMemory }), errors: "vllm" },
  sglang: {
    cache: (clock) => tokenCache(clock, { slots: 64, lifetimeMs: inMemory }),
    errors: "vllm",
    tooLong: (tokens, limit) => ({ message: `The input (${tokens} tokens) is longer than the model's context length (${limit} tokens).` }),
  },
  "llama-cpp": {
    cache: (clock) => tokenCache(clock, { slots: 4, lifetimeMs: inMemory }),
    usage: "timings",
    tooLong: (tokens, limit) => ({
      message: `request (${tokens} tokens) exceeds the available context size (${limit} tokens), try increasing it`,
      type: "exceed_context_size_error",
      more: { code: 400, n_prompt_tokens: tokens, n_ctx: limit },
    }),
  },
};

export function answersOf(dialect: string): DialectAnswers {
  return { ...usual, ...table[dialect] };
}
