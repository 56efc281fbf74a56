import type { ImageFormula } from "../../wire/image-tokens.ts";

/**
 * Facts 1.12 (vision page, November 2026): patches of 28 pixels after fitting the long edge, capped. The older formula, width times height
 * over 750, is obsolete.
 */
const from47: ImageFormula = { kind: "patches", side: 28, edgeMax: 2_576, patchesMax: 4_784 };
const before47: ImageFormula = { kind: "patches", side: 28, edgeMax: 1_568, patchesMax: 1_568 };

const olderModels: ReadonlySet<string> = new Set([
  "claude-mythos-preview",
  "claude-opus-4-6",
  "claude-sonnet-4-6",
  "claude-haiku-4-5",
  "claude-opus-4-5",
  "claude-sonnet-4-5",
  "claude-opus-4-1",
  "claude-opus-4",
  "claude-sonnet-4",
]);

/** How a model counts a picture. An unknown one is taken for a newer one, which counts more. */
export function imageFormula(id: string): ImageFormula {
  return olderModels.has(id) ? before47 : from47;
}

/**
 * Tokens of Claude for one of o200k, by the recorded growth of 244 prompts of Opus 4.5 and Sonnet 4.5. From Opus 4.7 on the tokenizer makes about 30 % more (facts 1.12); an unknown
 * model is taken for a newer one.
 */
const scaleBefore47 = 1.2;
const scaleFrom47 = 1.55;

export function textScale(id: string): number {
  return olderModels.has(id) ? scaleBefore47 : scaleFrom47;
}
