import { expect, test } from "vitest";
import { type ImageFormula, imageTokens } from "./image-tokens.ts";

const patches: ImageFormula = { kind: "patches", side: 28, edgeMax: 1_568, patchesMax: 1_568 };
const tiles: ImageFormula = { kind: "tiles", side: 512, edgeMax: 2_048, shortSide: 768, base: 85, tile: 170 };

test("a small picture counts its patches, whatever the size of its file (rule 30)", () => {
  expect(imageTokens(patches, { width: 120, height: 104 })).toBe(20);
  expect(imageTokens(patches, { width: 1, height: 1 })).toBe(1);
});

test("a large picture is fitted to the longest edge, then capped", () => {
  expect(imageTokens(patches, { width: 3_136, height: 784 })).toBe(56 * 14);
  expect(imageTokens(patches, { width: 4_000, height: 3_000 })).toBe(1_568);
});

test("a multiplier weighs the patches", () => {
  expect(imageTokens({ kind: "patches", side: 32, patchesMax: 1_536, multiplier: 1.62 }, { width: 1_024, height: 768 })).toBe(1_245);
});

test("tiles are counted after the short side is fitted, low detail is the base alone", () => {
  expect(imageTokens(tiles, { width: 1_024, height: 1_024 })).toBe(765);
  expect(imageTokens(tiles, { width: 512, height: 512 })).toBe(255);
  expect(imageTokens(tiles, { width: 4_096, height: 2_048 })).toBe(85 + 170 * 3 * 2);
  expect(imageTokens(tiles, { width: 4_096, height: 2_048 }, "low")).toBe(85);
});

test("a fixed formula looks at nothing", () => {
  expect(imageTokens({ kind: "fixed", tokens: 258 }, { width: 9_000, height: 1 })).toBe(258);
});
