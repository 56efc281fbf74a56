import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../../test/growth.ts";
import { overflowCodes, overflowSignals, readOverflow } from "./overflow-signals.ts";

type Sample = { readonly signal: string; readonly from: string; readonly text: string; readonly tokens?: number; readonly limit?: number };

const samples: readonly Sample[] = [
  {
    signal: "resulted-in",
    from: "OpenAI",
    text: "This model's maximum context length is 4097 tokens. However, your messages resulted in 4113 tokens. Please reduce the length of the messages.",
    tokens: 4_113,
    limit: 4_097,
  },
  {
    signal: "resulted-in",
    from: "Azure",
    text: "This model's maximum context length is 128000 tokens. However, your messages resulted in 173172 tokens (172000 in the messages, 1172 in the functions). Please reduce the length of the messages or functions.",
    tokens: 173_172,
    limit: 128_000,
  },
  {
    signal: "in-the-messages",
    from: "DeepSeek",
    text: "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1250025 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    tokens: 1_250_025,
    limit: 1_048_565,
  },
  {
    signal: "in-the-messages",
    from: "vLLM, older",
    text: "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).",
    tokens: 112_946,
    limit: 16_384,
  },
  {
    signal: "input-tokens",
    from: "vLLM",
    text: "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
    tokens: 134_145,
    limit: 262_144,
  },
  {
    signal: "in-the-messages",
    from: "OpenRouter",
    text: "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens (2500021 of text input). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.",
    tokens: 2_500_021,
    limit: 200_000,
  },
  {
    signal: "requested",
    from: "SGLang, with its output",
    text: "Requested token count exceeds the model's maximum context length of 40960 tokens. You requested a total of 61709 tokens.",
    tokens: 61_709,
    limit: 40_960,
  },
  { signal: "maximum-context-length", from: "a gateway", text: "The prompt exceeds the model's maximum context length." },
  {
    signal: "context-window",
    from: "OpenAI",
    text: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
  {
    signal: "configured-limit",
    from: "OpenAI",
    text: "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 305127 tokens.",
    tokens: 305_127,
    limit: 272_000,
  },
  {
    signal: "cerebras",
    from: "Cerebras",
    text: "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
    tokens: 42_328,
    limit: 40_000,
  },
  {
    signal: "mistral",
    from: "Mistral",
    text: "Prompt contains 40966 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    tokens: 40_966,
    limit: 32_768,
  },
  {
    signal: "xai",
    from: "xAI",
    text: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    tokens: 136_973,
    limit: 131_072,
  },
  {
    signal: "qwen",
    from: "Qwen",
    text: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]",
    limit: 983_616,
  },
  {
    signal: "kimi",
    from: "Kimi",
    text: "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
    tokens: 269_030,
    limit: 262_144,
  },
  {
    signal: "sglang",
    from: "SGLang",
    text: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    tokens: 61_709,
    limit: 40_960,
  },
  {
    signal: "llama-cpp",
    from: "llama.cpp",
    text: "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
    tokens: 14_429,
    limit: 8_192,
  },
  {
    signal: "available-context",
    from: "llama.cpp, older",
    text: "the request exceeds the available context size. try increasing the context size or enable context shift",
  },
  { signal: "ollama", from: "Ollama", text: "prompt too long; exceeded max context length by 1119046 tokens (ref: 0)" },
  { signal: "perplexity", from: "Perplexity", text: "The total length of all messages is too long." },
  { signal: "anthropic", from: "Anthropic", text: "prompt is too long: 213,462 tokens > 200,000 maximum", tokens: 213_462, limit: 200_000 },
  {
    signal: "gemini",
    from: "Gemini",
    text: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    tokens: 1_196_265,
    limit: 1_048_575,
  },
];

/** What an SDK throws for a body, and other ways in which hosts come by one. */
class ApiError extends Error {
  readonly status = 400;
  readonly error: unknown;
  constructor(error: { readonly message: string }) {
    super(`400 ${error.message}`);
    this.error = error;
  }
}
const forms: readonly (readonly [string, (text: string) => unknown])[] = [
  ["the text", (text) => text],
  ["an error", (text) => new Error(text)],
  ["an SDK's error", (text) => new ApiError({ message: text })],
  ["a body", (text) => ({ error: { message: text, type: "invalid_request_error", code: null } })],
  ["a body without a wrapper", (text) => ({ message: text, type: "invalid_request_error" })],
  ["a body as text", (text) => JSON.stringify({ error: { message: text } })],
  ["a body behind a status", (text) => new Error(`400 ${JSON.stringify({ object: "error", message: text })}`)],
  ["a response's data", (text) => ({ response: { status: 400, data: { error: { message: text } } } })],
  ["a cause", (text) => new Error("Request failed", { cause: new ApiError({ message: text }) })],
  [
    "OpenRouter's upstream error",
    (text) => ({
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: { raw: JSON.stringify({ error: { message: text } }), provider_name: "X" },
      },
    }),
  ],
  ["OpenRouter's upstream text", (text) => new ApiError({ message: "Provider returned error", metadata: { raw: text } } as never)],
];

describe("a prompt that was too long", () => {
  it.each(samples)("is told by what $from says ($signal)", ({ signal, text, tokens, limit }) => {
    const figures = { ...(tokens === undefined ? {} : { tokens }), ...(limit === undefined ? {} : { limit }) };
    expect(overflowSignals.find(({ says }) => says.test(text))?.id).toBe(signal);
    for (const [form, made] of forms) expect(readOverflow(made(text)), form).toEqual(figures);
  });

  it("has a sample for every row", () => {
    expect(overflowSignals.map(({ id }) => id).toSorted()).toEqual([...new Set(samples.map(({ signal }) => signal))].toSorted());
  });

  it.each(overflowCodes)("is told by the code %s alone", (code) => {
    expect(readOverflow({ error: { message: "Please reduce the length of the messages or completion.", code } })).toEqual({});
    expect(readOverflow(Object.assign(new Error("400"), { type: code }))).toEqual({});
  });

  it("is told by the figures of llama.cpp", () => {
    const error = {
      code: 400,
      message: "the request exceeds the available context size",
      type: "exceed_context_size_error",
      n_prompt_tokens: 14_429,
      n_ctx: 8_192,
    };
    expect(readOverflow({ error })).toEqual({ tokens: 14_429, limit: 8_192 });
    expect(readOverflow(new ApiError(error))).toEqual({ tokens: 14_429, limit: 8_192 });
  });

  it.each([
    [
      "a rate",
      "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.",
    ],
    ["a pair", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."],
    ["an output cap", "max_tokens is too large: 200000. This model supports at most 16384 completion tokens."],
    ["a quota", "You exceeded your current quota, please check your plan and billing details."],
    ["an outage", "The server had an error while processing your request."],
  ])("is not %s", (_name, text) => {
    for (const [, made] of forms) expect(readOverflow(made(text))).toBeUndefined();
  });

  it("is not told by what is no error", () => {
    for (const value of [undefined, null, 7, true, "", [], {}, { error: null }, Symbol("x"), () => 1])
      expect(readOverflow(value)).toBeUndefined();
  });

  it("is looked for in proportion to the text, also in an error that holds itself", async () => {
    await expectProportion((size) => {
      const loop: Record<string, unknown> = { message: "maximum context length is 1 tokens ".repeat(size) };
      loop.cause = loop;
      loop.error = loop;
      const brackets = `{${"[".repeat(size * 16)}`;
      return processorTime(() => {
        expect(readOverflow(loop)).toBeDefined();
        expect(readOverflow(brackets)).toBeUndefined();
      });
    }, 30_000);
  });
});
