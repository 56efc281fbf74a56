import { mapTexts } from "../json/map-texts.ts";
import type { ObjectValue } from "../json/value.ts";
import type { CountText } from "./result-cap.ts";

/** Shorter strings are names, ids and figures. */
const wordsMin = 64;
/** Members that hold bytes, links or what only the provider reads. */
const wordless = /^(data|bytes|images|file_data|signature|encrypted_\w+|(\w+_)?ur[li]|\w+Ur[li])$/;
/** Under a smaller share nothing but the marker would be left of a text. */
const shareMin = 64;

/** Rule 13 for a result that is more than text: its words share the cap, so that the longest give way; media stay. `cap`: shortens a text that is above its share. */
export function capWords(
  block: ObjectValue,
  tokensMax: number,
  count: CountText,
  cap: (text: string, tokensMax: number) => string,
): ObjectValue {
  const mapWords = (map: (text: string) => string): ObjectValue =>
    mapTexts(
      block,
      (text) => (text.length < wordsMin || text.startsWith("data:") ? text : map(text)),
      (name) => wordless.test(name),
    ) as ObjectValue;
  const tokens: number[] = [];
  mapWords((text) => {
    tokens.push(count(text));
    return text;
  });
  const share = fairShare(tokens, tokensMax);
  return share === Number.POSITIVE_INFINITY ? block : mapWords((text) => cap(text, Math.max(share, shareMin)));
}

/** What each may have so that together they keep within a maximum: those that need less leave the rest to the others. */
function fairShare(tokens: readonly number[], tokensMax: number): number {
  let left = tokensMax;
  for (const [index, own] of tokens.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (tokens.length - index));
    if (own > share) return share;
    left -= own;
  }
  return Number.POSITIVE_INFINITY;
}
