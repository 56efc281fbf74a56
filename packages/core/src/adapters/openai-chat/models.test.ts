import { describe, expect, it } from "vitest";
import { imageFormula } from "./image-formulas.ts";
import { openaiChat } from "./wire.ts";

const openrouter = openaiChat({ dialect: "openrouter" });

describe("a model's profile", () => {
  it("is the table's, by its exact id", () => {
    expect(openaiChat().profile("gpt-6.2-sol")).toEqual({
      id: "gpt-6.2-sol",
      context: 1_050_000,
      outputMax: 128_000,
      bindsReasoning: "no",
      readsReasoningOf: [],
      positionalSystem: true,
      prefill: false,
      cacheTokensMin: 1_024,
      cacheLifetime: 1_800_000,
      prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: { "30m": 2.5 } },
      traits: ["max-completion-tokens", "tools-in-responses-only"],
      imageTokens: imageFormula("gpt-6.2-sol"),
    });
    expect(openaiChat().profile("gpt-4o-2024-08-06").outputMax).toBe(16_384);
  });

  it("is conservative for an id that the table does not have: no prefix is guessed from", () => {
    for (const id of ["gpt-6.2-sol-pro", "GPT-6.2-sol", "gpt-6", "", "__proto__", "toString"]) {
      expect(openaiChat().profile(id)).toMatchObject({
        id,
        context: 128_000,
        outputMax: undefined,
        bindsReasoning: "no",
        prices: undefined,
        traits: [],
      });
    }
  });

  it("is what the host knows better", () => {
    const profiles = { "my-model": { context: 32_768, traits: ["cache-control"] }, "gpt-4o": { context: 64_000 } };
    const wire = openaiChat({ profiles });
    expect(wire.profile("my-model")).toMatchObject({ id: "my-model", context: 32_768, traits: ["cache-control"], positionalSystem: true });
    expect(wire.profile("gpt-4o")).toMatchObject({ context: 64_000, outputMax: 16_384 });
  });

  it("says of Claude behind OpenRouter that it needs marks, and where its reasoning is bound (facts 1.5, 5)", () => {
    expect(openrouter.profile("anthropic/claude-sonnet-4.6")).toMatchObject({
      traits: ["cache-control"],
      bindsReasoning: "no",
      context: 1_000_000,
    });
    expect(openrouter.profile("anthropic/claude-opus-5.5")).toMatchObject({
      traits: ["cache-control"],
      bindsReasoning: "yes",
      cacheTokensMin: 512,
    });
    expect(openrouter.profile("anthropic/claude-haiku-4.5")).toMatchObject({ context: 200_000, cacheTokensMin: 4_096 });
  });

  it("takes from the dialect what holds for all of its models", () => {
    const of = (dialect: Parameters<typeof openaiChat>[0]) => openaiChat(dialect).profile("m");
    expect(of({ dialect: "mistral" })).toMatchObject({ prefill: true, positionalSystem: true, cacheTokensMin: 64 });
    expect(of({ dialect: "deepseek" })).toMatchObject({ prefill: true, positionalSystem: false, cacheTokensMin: undefined });
    expect(of({ dialect: "vllm" })).toMatchObject({ prefill: false, positionalSystem: false, cacheTokensMin: 16 });
    expect(openaiChat({ dialect: "deepseek" }).profile("deepseek-v4-pro")).toMatchObject({ context: 1_048_565, outputMax: 393_216 });
  });
});
