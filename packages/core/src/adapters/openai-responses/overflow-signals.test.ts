import { describe, expect, it } from "vitest";
import { overflowSignals, readOverflow } from "./overflow-signals.ts";

type Sample = { readonly signal: string; readonly text: string; readonly tokens?: number; readonly limit?: number };

const samples: readonly Sample[] = [
  { signal: "context-window", text: "Your input exceeds the context window of this model. Please adjust your input and try again." },
  {
    signal: "resulted-in",
    text: "This model's maximum context length is 128000 tokens. However, your messages resulted in 173172 tokens.",
    tokens: 173_172,
    limit: 128_000,
  },
  {
    signal: "configured-limit",
    text: "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 380192 tokens.",
    tokens: 380_192,
    limit: 272_000,
  },
  {
    signal: "xai",
    text: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    tokens: 537_812,
    limit: 131_072,
  },
  { signal: "anthropic", text: "prompt is too long: 213462 tokens > 200000 maximum", tokens: 213_462, limit: 200_000 },
  { signal: "maximum-context-length", text: "The request is over the maximum context length." },
];

describe("refusals for length", () => {
  it.each(samples)("are known by $signal", ({ signal, text, tokens, limit }) => {
    expect(overflowSignals.find(({ says }) => says.test(text))?.id).toBe(signal);
    const figures = { ...(tokens === undefined ? {} : { tokens }), ...(limit === undefined ? {} : { limit }) };
    expect(readOverflow({ error: { message: text, type: "invalid_request_error" } })).toEqual(figures);
  });

  it("have a sample for every row", () => {
    expect(overflowSignals.map(({ id }) => id).filter((id) => !samples.some(({ signal }) => signal === id))).toEqual([]);
  });

  it("are known by their code in a failed response of a stream", () => {
    const event = {
      type: "response.failed",
      response: { status: "failed", error: { code: "context_length_exceeded", message: "Too long." } },
    };
    expect(readOverflow(event)).toEqual({});
  });

  it("are no limits on tokens a minute", () => {
    const text = "Request too large for gpt-5.5 on tokens per min (TPM): Limit 30000, Requested 41000.";
    expect(readOverflow({ error: { message: text, code: "rate_limit_exceeded" } })).toBeUndefined();
  });
});
