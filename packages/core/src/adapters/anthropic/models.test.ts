import { describe, expect, it } from "vitest";
import { isKnownModel, profiles } from "./models.ts";

const profileOf = profiles();
/** `Model` of @anthropic-ai/sdk 1.14.0. */
const sdkModels =
  "claude-fable-5-2 claude-mythos-5-2 claude-haiku-5-5 claude-sonnet-5-5 claude-fable-5-1 claude-opus-5-5 claude-mythos-5-1 claude-sonnet-5 claude-fable-5 claude-mythos-5 claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-mythos-preview claude-opus-4-6 claude-sonnet-4-6 claude-haiku-4-5 claude-opus-4-5 claude-sonnet-4-5".split(
    " ",
  );

describe("model profiles", () => {
  it("know every model that the SDK names", () => {
    for (const model of sdkModels) expect(isKnownModel(model), model).toBe(true);
  });

  it("say which models bind reasoning to its prefix", () => {
    const bound = sdkModels.filter((model) => profileOf(model).bindsReasoning === "yes").sort();
    expect(bound).toEqual([
      "claude-fable-5-1",
      "claude-fable-5-2",
      "claude-haiku-5-5",
      "claude-mythos-5-1",
      "claude-mythos-5-2",
      "claude-opus-5-5",
      "claude-sonnet-5-5",
    ]);
    expect(sdkModels.some((model) => profileOf(model).bindsReasoning === "may")).toBe(false);
  });

  it("say which models take positional system messages and prefill", () => {
    const refusing = sdkModels.filter((model) => !profileOf(model).positionalSystem).sort();
    expect(refusing).toEqual([
      "claude-haiku-4-5",
      "claude-mythos-preview",
      "claude-opus-4-5",
      "claude-opus-4-6",
      "claude-opus-4-7",
      "claude-sonnet-4-5",
      "claude-sonnet-4-6",
      "claude-sonnet-5",
    ]);
    expect(sdkModels.filter((model) => profileOf(model).prefill).sort()).toEqual([
      "claude-haiku-4-5",
      "claude-opus-4-5",
      "claude-sonnet-4-5",
    ]);
  });

  it("say whose thinking a model reads", () => {
    expect(profileOf("claude-opus-5-5").readsReasoningOf).toContain("claude-opus-5");
    expect(profileOf("claude-opus-5").readsReasoningOf).not.toContain("claude-opus-5-5");
    expect(profileOf("claude-fable-5-2").readsReasoningOf).not.toContain("claude-opus-5-5");
    expect(profileOf("claude-opus-5-5").readsReasoningOf.some((id) => id.includes("fable"))).toBe(false);
    expect(profileOf("claude-haiku-5-5").readsReasoningOf).toEqual([]);
    for (const model of sdkModels) for (const id of profileOf(model).readsReasoningOf) expect(isKnownModel(id), id).toBe(true);
  });

  it("have prices that agree with the page", () => {
    expect(profileOf("claude-opus-5-5").prices).toEqual({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: { "5m": 5, "1h": 8 } });
    expect(profileOf("claude-fable-5-2").prices).toEqual({ input: 8, output: 40, cacheRead: 0.2, cacheWrite: { "5m": 10, "1h": 16 } });
    expect(profileOf("claude-haiku-5-5").prices).toMatchObject({ cacheWrite: { "5m": 0.125, "1h": 0.2 } });
  });

  it("are found by documented dated ids, and by no prefix", () => {
    expect(profileOf("claude-haiku-4-5-20251001")).toMatchObject({ id: "claude-haiku-4-5", prefill: true });
    for (const model of ["claude-opus-5-5-20260922", "claude-sonnet-5-6", "Claude-opus-5", "__proto__", "constructor"]) {
      expect(isKnownModel(model)).toBe(false);
      expect(profileOf(model)).toMatchObject({
        id: model,
        context: 200_000,
        outputMax: undefined,
        bindsReasoning: "may",
        prefill: false,
        positionalSystem: false,
        traits: ["unknown"],
      });
    }
  });

  it("take the host's own figures, of known and of unknown models", () => {
    const own = profiles({ "claude-opus-5": { context: 300_000 }, "my-model": { prefill: true } });
    expect(own("claude-opus-5")).toMatchObject({ context: 300_000, positionalSystem: true });
    expect(own("my-model")).toMatchObject({ id: "my-model", prefill: true, bindsReasoning: "may", traits: [] });
    expect(own("other")).toMatchObject({ traits: ["unknown"] });
  });
});
