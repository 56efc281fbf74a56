import type { ImageSize } from "./image-size.ts";

/**
 * How a provider counts a picture, as data.
 *
 * `patches`: scaled down to the longest edge and to the most patches, then one token for each patch of `side` pixels, times `multiplier`.
 * `tiles`: scaled down to `edgeMax`, then to the short side, then `base` and `tile` tokens for each tile of `side` pixels; `base` alone where
 * the request asks for low detail.
 * `fixed`: so many tokens whatever the size.
 */
export type ImageFormula =
  | {
      readonly kind: "patches";
      readonly side: number;
      /** Longest edge in pixels; undefined: it is not scaled for its edge. */
      readonly edgeMax?: number;
      /** Most patches; undefined: no limit. */
      readonly patchesMax?: number;
      readonly multiplier?: number;
    }
  | {
      readonly kind: "tiles";
      readonly side: number;
      readonly edgeMax: number;
      readonly shortSide: number;
      readonly base: number;
      readonly tile: number;
    }
  | { readonly kind: "fixed"; readonly tokens: number };

/** For a model of which nothing is known: patches of 28 pixels, at most 1,568 of them. */
export const defaultImageFormula: ImageFormula = { kind: "patches", side: 28, edgeMax: 1568, patchesMax: 1568 };

/** What a picture is taken for whose pixels are not at hand: a link, a file id, an unknown format. */
export const assumedImageSize: ImageSize = { width: 1024, height: 1024 };

export type ImageDetail = "low" | "other";

/** Tokens of one picture. */
export function imageTokens(formula: ImageFormula, size: ImageSize, detail: ImageDetail = "other"): number {
  switch (formula.kind) {
    case "fixed":
      return formula.tokens;
    case "patches":
      return patchTokens(formula, size);
    case "tiles":
      return detail === "low" ? formula.base : tileTokens(formula, size);
  }
}

function patchTokens(formula: ImageFormula & { kind: "patches" }, size: ImageSize): number {
  const { width, height } = fitted(size, formula.edgeMax);
  const patches = Math.ceil(width / formula.side) * Math.ceil(height / formula.side);
  return Math.ceil(Math.min(patches, formula.patchesMax ?? patches) * (formula.multiplier ?? 1));
}

function tileTokens(formula: ImageFormula & { kind: "tiles" }, size: ImageSize): number {
  const whole = fitted(size, formula.edgeMax);
  const factor = Math.min(1, formula.shortSide / Math.min(whole.width, whole.height));
  const columns = Math.ceil(Math.round(whole.width * factor) / formula.side);
  const rows = Math.ceil(Math.round(whole.height * factor) / formula.side);
  return formula.base + formula.tile * columns * rows;
}

function fitted({ width, height }: ImageSize, edgeMax: number | undefined): ImageSize {
  const factor = edgeMax === undefined ? 1 : Math.min(1, edgeMax / Math.max(width, height));
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}
