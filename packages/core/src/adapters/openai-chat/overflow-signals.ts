import { type OverflowFigures, overflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

/** How a server says that the prompt was too long. Named groups are the figures; the samples are in the test beside this file. */
export type OverflowSignal = { readonly id: string; readonly says: RegExp };

/**
 * One row a wording, the more telling ones first. A limit on tokens a minute ("Request too large for model … TPM") is no overflow.
 * Not here: the refusal of a request whose own output cap does not fit, which names no length of the prompt.
 */
export const overflowSignals: readonly OverflowSignal[] = [
  // OpenAI, Azure, DeepSeek, vLLM, OpenRouter: one sentence, four ways to go on. Recorded replies; facts 2.10.
  { id: "resulted-in", says: /maximum context length is (?<limit>[\d,]+) tokens.*?resulted in (?<tokens>[\d,]+)/is },
  { id: "input-tokens", says: /maximum context length is (?<limit>[\d,]+) tokens.*?(?<tokens>[\d,]+) input tokens/is },
  {
    id: "in-the-messages",
    says: /maximum context length is (?<limit>[\d,]+) tokens.*?\((?<tokens>[\d,]+) (?:in the messages|in your prompt|of text input)/is,
  },
  {
    id: "requested",
    says: /maximum context length (?:is|of) (?<limit>[\d,]+) tokens.*?requested (?:about |a total of )?(?<tokens>[\d,]+)/is,
  },
  // OpenAI: facts 2.9, OR-18; and the form that names a configured limit. vLLM-like gateways repeat the code.
  { id: "context-window", says: /exceeds the context window of this model/i },
  {
    id: "configured-limit",
    says: /input tokens exceed the configured limit(?: of (?<limit>[\d,]+) tokens)?(?:.*?resulted in (?<tokens>[\d,]+))?/is,
  },
  // Cerebras; Groq says the first half and gives the code.
  { id: "cerebras", says: /reduce the length of the messages.*?current length is (?<tokens>[\d,]+) while limit is (?<limit>[\d,]+)/is },
  { id: "mistral", says: /prompt contains (?<tokens>[\d,]+) tokens.*?too large for model with (?<limit>[\d,]+) maximum context length/is },
  { id: "xai", says: /maximum prompt length is (?<limit>[\d,]+) but the request contains (?<tokens>[\d,]+)/i },
  { id: "qwen", says: /range of input length should be \[1, ?(?<limit>[\d,]+)\]/i },
  { id: "kimi", says: /exceeded model token limit: ?(?<limit>[\d,]+)(?: \(requested: ?(?<tokens>[\d,]+))?/i },
  { id: "sglang", says: /input \((?<tokens>[\d,]+) tokens\) is longer than the model's context length \((?<limit>[\d,]+)/i },
  { id: "llama-cpp", says: /request \((?<tokens>[\d,]+) tokens\) exceeds the available context size \((?<limit>[\d,]+)/i },
  { id: "available-context", says: /exceeds the available context size/i },
  { id: "ollama", says: /prompt too long; exceeded max context length/i },
  { id: "perplexity", says: /total length of all messages is too long/i },
  // Upstreams behind OpenRouter: Anthropic (facts 1.12) and Gemini.
  { id: "anthropic", says: /prompt is too long(?:: (?<tokens>[\d,]+) tokens > (?<limit>[\d,]+) maximum)?/i },
  { id: "gemini", says: /input token count \((?<tokens>[\d,]+)\) exceeds the maximum number of tokens allowed \((?<limit>[\d,]+)\)/i },
  // Whatever else speaks of it, without figures.
  { id: "maximum-context-length", says: /maximum context length/i },
];

/** Codes and types that say it without a text: OpenAI and Groq, llama.cpp (facts 7.3), Z.AI, Perplexity. */
export const overflowCodes: readonly string[] = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_context_window_exceeded",
  "too_many_prompt_tokens",
];

/** Whether an error says that the prompt was too long, with the figures that it names. */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  const { texts, bodies } = saidInError(error);
  for (const body of bodies) if (body.type === "exceed_context_size_error") return overflowFigures(body.n_prompt_tokens, body.n_ctx);
  const said = overflowIn(texts, overflowSignals);
  if (said !== undefined) return said;
  return bodies.some(({ code, type }) => overflowCodes.some((known) => known === code || known === type)) ? {} : undefined;
}
