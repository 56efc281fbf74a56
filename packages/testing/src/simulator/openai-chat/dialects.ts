import { hourMs, minuteMs } from "../clock.ts";
import type { BlockCacheOptions } from "./block-cache.ts";

/** How a server answers, by the dialect that core's adapter is told. What it refuses is in the adapter's rules. */
export type DialectAnswers = {
  /** Where reasoning stands in a reply: a member of the message, or parts of its content. `none`: it stays with the server. */
  readonly reasoning: "none" | "reasoning_content" | "reasoning" | "thinking-parts";
  readonly cache: BlockCacheOptions;
  /** How cached tokens are reported. */
  readonly usage: "details" | "hit-and-miss";
  readonly errors: "wrapped" | "bare" | "mistral";
  /** Letters and digits of a call id behind its prefix. */
  readonly callId: { readonly prefix: string; readonly length: number };
};

const usual: DialectAnswers = {
  reasoning: "reasoning_content",
  cache: { blockTokens: 128, tokensMin: 128, lifetimeMs: 5 * minuteMs },
  usage: "details",
  errors: "wrapped",
  callId: { prefix: "call_", length: 24 },
};

/** Where a provider gives a range, the least that the provider promises. */
const table: Readonly<Record<string, DialectAnswers>> = {
  openai: { ...usual, reasoning: "none", cache: { blockTokens: 128, tokensMin: 1_024, lifetimeMs: 5 * minuteMs } },
  // Prefix units at the end of input and output and where requests part; blocks stand in for them here.
  deepseek: { ...usual, cache: { blockTokens: 64, tokensMin: 64, lifetimeMs: 2 * hourMs }, usage: "hit-and-miss" },
  openrouter: { ...usual, reasoning: "reasoning", cache: { blockTokens: 128, tokensMin: 1_024, lifetimeMs: 5 * minuteMs } },
  mistral: {
    ...usual,
    reasoning: "thinking-parts",
    cache: { blockTokens: 64, tokensMin: 64, lifetimeMs: 5 * minuteMs },
    errors: "mistral",
    callId: { prefix: "", length: 9 },
  },
  cerebras: { ...usual, reasoning: "reasoning", errors: "bare" },
  groq: { ...usual, reasoning: "reasoning", cache: { blockTokens: 128, tokensMin: 128, lifetimeMs: 2 * hourMs } },
  vllm: { ...usual, reasoning: "reasoning", cache: { blockTokens: 16, tokensMin: 16, lifetimeMs: hourMs } },
  sglang: { ...usual, cache: { blockTokens: 16, tokensMin: 16, lifetimeMs: hourMs } },
  "llama-cpp": { ...usual, cache: { blockTokens: 16, tokensMin: 16, lifetimeMs: hourMs } },
};

export function answersOf(dialect: string): DialectAnswers {
  return table[dialect] ?? usual;
}
