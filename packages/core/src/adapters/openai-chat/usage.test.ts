import { describe, expect, it } from "vitest";
import { readUsage } from "./usage.ts";

const unknown = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

describe("usage (rule 32)", () => {
  it("of OpenAI: the prompt is all of it, reads and writes are part of it", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 12 },
    };
    expect(readUsage({ usage })).toEqual({ prompt: 100, uncached: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 12 });
  });

  it("that is not reported is unknown and never 0; a reported 0 is 0 (rule 28)", () => {
    expect(readUsage({})).toEqual(unknown);
    expect(readUsage({ usage: null })).toEqual(unknown);
    expect(readUsage({ usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: null } })).toEqual({
      ...unknown,
      prompt: 9,
      output: 1,
    });
    expect(readUsage({ usage: { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } } })).toEqual({
      ...unknown,
      prompt: 9,
      uncached: 9,
      cacheRead: 0,
    });
  });

  it("of DeepSeek: hits and misses", () => {
    const usage = { prompt_tokens: 563, prompt_cache_hit_tokens: 512, prompt_cache_miss_tokens: 51, completion_tokens: 7 };
    expect(readUsage({ usage })).toEqual({ ...unknown, prompt: 563, uncached: 51, cacheRead: 512, output: 7 });
  });

  it("of llama.cpp: what was reused and what was evaluated, with or without usage", () => {
    const timings = { cache_n: 40, prompt_n: 5, predicted_n: 3 };
    expect(readUsage({ timings, tokens_cached: 48 })).toEqual({ ...unknown, prompt: 45, uncached: 5, cacheRead: 40, output: 3 });
    expect(readUsage({ timings, usage: { prompt_tokens: 45, completion_tokens: 3 } })).toEqual({
      ...unknown,
      prompt: 45,
      uncached: 5,
      cacheRead: 40,
      output: 3,
    });
  });

  it("of Kimi, of Together, of gateways in front of Claude, under their names", () => {
    expect(readUsage({ usage: { prompt_tokens: 10, cached_tokens: 4 } })).toMatchObject({ cacheRead: 4, uncached: 6 });
    expect(readUsage({ usage: { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 5 } })).toMatchObject({
      cacheRead: 4,
      cacheWrite: 5,
      uncached: 1,
    });
    expect(readUsage({ choices: [{ usage: { prompt_tokens: 10 } }] })).toMatchObject({ prompt: 10 });
    expect(readUsage({ x_groq: { usage: { prompt_tokens: 10 } } })).toMatchObject({ prompt: 10 });
  });

  it("of Gemini behind OpenRouter: what a request wrote itself is not read", () => {
    const usage = { prompt_tokens: 2168, prompt_tokens_details: { cached_tokens: 2161, cache_write_tokens: 2161 } };
    expect(readUsage({ usage })).toMatchObject({ prompt: 2168, uncached: 7, cacheRead: 0, cacheWrite: 2161 });
  });

  it("of nonsense is unknown", () => {
    expect(readUsage({ usage: { prompt_tokens: "9", completion_tokens: {}, prompt_tokens_details: [1] } })).toEqual(unknown);
    expect(readUsage({ usage: { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } } })).toMatchObject({ uncached: 0 });
  });
});
