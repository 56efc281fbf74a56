import type { Path } from "../../json/path.ts";
import type { ShapeRule } from "../../wire/rule.ts";
import type { Wire } from "../../wire/wire.ts";
import { cerebrasRules, deepseekRules, groqRules, mistralRules, openrouterRules, templateRules } from "./dialect-rules.ts";
import { likely } from "./rule-parts.ts";
import { openaiRules, openaiRulesTo } from "./rules.ts";

export type DialectName =
  | "openai"
  | "deepseek"
  | "openrouter"
  | "mistral"
  | "cerebras"
  | "groq"
  | "kimi"
  | "qwen"
  | "xai"
  | "vllm"
  | "sglang"
  | "llama-cpp";

/** What differs between the servers that speak Chat Completions, as data. The host names its dialect; it is never guessed (rule 61). */
export type Dialect = {
  /**
   * The field under which reasoning goes out (rule 15): all of them are read, none is copied. `thinking` is a part of the content; `reasoning_details`
   * go verbatim and instead of the plain field, which takes their place where there are none.
   */
  readonly reasoning: "none" | "reasoning_content" | "reasoning" | "reasoning_details" | "thinking";
  /** A tool-calling message without reasoning bears an empty field. */
  readonly emptyReasoning: boolean;
  /** Cache marks exist: text is composed as parts, so that a mark never changes a shape (rule 1). */
  readonly marks: boolean;
  /** Arguments may be an object; elsewhere one becomes a string. */
  readonly objectArguments: boolean;
  /** A last assistant message with `prefix: true` is continued. */
  readonly prefill: boolean;
  /** System messages are documented to be read where they stand, not only at the front. */
  readonly positionalSystem: boolean;
  /** User and system messages may stand right behind results. */
  readonly textBehindResults: boolean;
  /** Results take no media: OC-10. */
  readonly plainResults?: true;
  /** Smallest prefix in tokens that is cached; undefined: not known, or the model's. */
  readonly cacheTokensMin: number | undefined;
  /** Milliseconds for which a prefix is kept without use; absent: until its room is needed, or not known (facts 8.1). */
  readonly cacheLifetime?: number;
  /** Under which names a session is known to the server: facts 2.6, 5, 6.2, 6.3, 7.2. */
  readonly identity: NonNullable<Wire["identity"]>;
  /** Where a request caps its output; the first is written. */
  readonly outputCap: readonly Path[];
  readonly rules: readonly ShapeRule[];
};

const pairs = openaiRulesTo("04");
const minutes = (count: number): number => count * 60_000;

const plain: Dialect = {
  reasoning: "reasoning_content",
  emptyReasoning: false,
  marks: false,
  objectArguments: false,
  prefill: false,
  positionalSystem: false,
  textBehindResults: true,
  cacheTokensMin: undefined,
  identity: {},
  outputCap: [["max_tokens"], ["max_completion_tokens"]],
  rules: likely(pairs),
};

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  // No reasoning field on this surface: facts 2.4. Automatic cache from 1,024 tokens, in steps of 128 before GPT-5.6: facts 2.6.
  // Reasoning models refuse `max_tokens` (OC-08).
  openai: {
    ...plain,
    reasoning: "none",
    positionalSystem: true,
    plainResults: true,
    cacheTokensMin: 1_024,
    cacheLifetime: minutes(5),
    identity: { field: "prompt_cache_key" },
    outputCap: [["max_completion_tokens"], ["max_tokens"]],
    rules: openaiRules,
  },
  // The field must come back on every tool-calling turn, "" if none: facts 6.1. The cache needs full prefix units, on disk for hours to days.
  deepseek: { ...plain, emptyReasoning: true, prefill: true, rules: deepseekRules },
  // Details unmodified and in order, marks on parts or top-level: facts 5. Minimum and lifetime are the upstream's.
  openrouter: {
    ...plain,
    identity: { field: "session_id", headers: ["x-session-id"] },
    reasoning: "reasoning_details",
    marks: true,
    rules: openrouterRules,
  },
  // Thinking parts in the content, object arguments, system messages anywhere: facts 6.2. Blocks of 64 tokens, best effort.
  mistral: {
    ...plain,
    reasoning: "thinking",
    objectArguments: true,
    prefill: true,
    positionalSystem: true,
    // Its order of roles, MI-09.
    textBehindResults: false,
    cacheTokensMin: 64,
    identity: { field: "prompt_cache_key" },
    rules: mistralRules,
  },
  // `reasoning` is accepted, `reasoning_content` refused: facts 6.4. Blocks of 128 tokens, five minutes to an hour.
  cerebras: { ...plain, reasoning: "reasoning", cacheTokensMin: 128, cacheLifetime: minutes(5), rules: cerebrasRules },
  // `reasoning_content` is refused, reports about `reasoning` disagree: facts 6.5. Supported models only, two hours.
  groq: { ...plain, reasoning: "none", cacheLifetime: minutes(120), rules: groqRules },
  // Needed back in tool loops: facts 6.6.
  kimi: plain,
  // Strict pairing, `cache_control` on parts beside an implicit cache: facts 6.6.
  qwen: { ...plain, marks: true, rules: pairs },
  // Omitting it is "the top cause of cache misses" (facts 6.3), though the Responses surface is recommended.
  xai: { ...plain, identity: { headers: ["x-grok-conv-id"] } },
  // `reasoning` out, older servers `reasoning_content`; full blocks of 16 tokens by default: facts 7.1.
  vllm: { ...plain, reasoning: "reasoning", cacheTokensMin: 16, rules: templateRules },
  // A tree of tokens: facts 7.2.
  sglang: { ...plain, identity: { headers: ["x-smg-routing-key"] }, cacheTokensMin: 1, rules: templateRules },
  // `reasoning_content` in and out; the common token prefix with a slot: facts 7.3.
  "llama-cpp": { ...plain, cacheTokensMin: 1 },
};
