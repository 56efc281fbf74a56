import { describe, expect, it } from "vitest";
import { imageTokens } from "../../wire/image-tokens.ts";
import { byResolution, inTiles } from "./image-formulas.ts";
import { gemini } from "./wire.ts";

const wire = gemini();

describe("a model's profile", () => {
  it("is the table's, by its exact id or its resource name", () => {
    const flash = {
      context: 1_048_576,
      outputMax: 65_536,
      bindsReasoning: "no",
      cacheTokensMin: 4_096,
      traits: ["signed-calls"],
      prices: { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: {} },
    };
    for (const id of ["gemini-3.8-flash", "models/gemini-3.8-flash", "publishers/google/models/gemini-3.8-flash"])
      expect(wire.profile(id)).toMatchObject({ ...flash, id });
    expect(wire.profile("gemini-2.5-pro")).toMatchObject({ cacheTokensMin: 2_048, traits: [], prices: undefined });
  });

  it("is conservative for an id that the table does not have: no prefix is guessed from", () => {
    for (const id of ["gemini-3.8-flash-8b", "gemini-4-pro", "", "__proto__", "toString"]) {
      expect(wire.profile(id)).toMatchObject({ id, cacheTokensMin: 4_096, prices: undefined, traits: ["signed-calls"], prefill: false });
    }
  });

  it("is what the host knows better", () => {
    const own = gemini({ profiles: { "my-tuned": { context: 32_768, traits: [] } } });
    expect(own.profile("my-tuned")).toMatchObject({ context: 32_768, traits: [], outputMax: 65_536 });
  });
});

it("a picture counts by tiles up to 2.5, and by its resolution from 3 on", () => {
  expect(imageTokens(inTiles, { width: 300, height: 200 })).toBe(258);
  expect(imageTokens(inTiles, { width: 2_000, height: 1_000 })).toBe(6 * 258);
  expect(imageTokens(byResolution, { width: 2_000, height: 1_000 })).toBe(1_120);
  expect(wire.profile("gemini-2.5-flash").imageTokens).toBe(inTiles);
  expect(wire.profile("gemini-3-flash-preview").imageTokens).toBe(byResolution);
});
