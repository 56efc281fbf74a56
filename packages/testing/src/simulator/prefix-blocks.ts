import { link } from "./digest.ts";
import { unitsPerToken } from "./tokens.ts";

/** Chained digests of a prompt's whole blocks, for caches that read the longest common prefix. The pieces are whole tokens long. */
export function prefixBlocks(seed: string, pieces: readonly { readonly text: string }[], blockTokens: number): readonly string[] {
  const text = pieces.map((piece) => piece.text).join("");
  const units = blockTokens * unitsPerToken;
  const digests: string[] = [];
  let last = seed;
  for (let at = units; at <= text.length; at += units) {
    last = link(last, text.slice(at - units, at));
    digests.push(last);
  }
  return digests;
}
