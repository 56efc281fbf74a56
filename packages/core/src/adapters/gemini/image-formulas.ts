import type { ImageFormula } from "../../wire/image-tokens.ts";

/** Facts 3.6. Up to 2.5: tiles of 768 pixels, nothing scaled down. A picture of one tile or less costs one. */
export const inTiles: ImageFormula = {
  kind: "tiles",
  side: 768,
  edgeMax: Number.MAX_SAFE_INTEGER,
  shortSide: Number.MAX_SAFE_INTEGER,
  base: 0,
  tile: 258,
};

/** From Gemini 3 on a picture costs what its `mediaResolution` says; `high`, the default, is the figure that holds unless a request asks for less. */
export const byResolution: ImageFormula = { kind: "fixed", tokens: 1_120 };
