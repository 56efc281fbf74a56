import { isArray, isObject, type ObjectValue, setMember, type Value } from "../json/value.ts";
import type { CountText } from "./result-cap.ts";

/** Shorter strings are names, ids and figures. */
const wordsMin = 64;
/** Members that hold bytes, links or what only the provider reads. */
const wordless = /^(data|bytes|images|file_data|signature|encrypted_\w+|(\w+_)?ur[li]|\w+Ur[li])$/;
/** Under a smaller share nothing but the marker would be left of a text. */
const shareMin = 64;

/** Rule 13 for a result that is more than text: its words share the cap, so that the longest give way; media stay. `cap`: shortens one text to its share. */
export function capWords(
  block: ObjectValue,
  tokensMax: number,
  count: CountText,
  cap: (text: string, tokensMax: number) => string,
): ObjectValue {
  const tokens: number[] = [];
  mapWords(block, (text) => {
    tokens.push(count(text));
    return text;
  });
  const share = Math.max(fairShare(tokens, tokensMax), shareMin);
  return tokens.every((own) => own <= share)
    ? block
    : (mapWords(block, (text) => (count(text) > share ? cap(text, share) : text)) as ObjectValue);
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

function mapWords(value: Value, map: (text: string) => string): Value {
  if (typeof value === "string") return value.length < wordsMin || value.startsWith("data:") ? value : map(value);
  if (isArray(value)) {
    const items = value.map((item) => mapWords(item, map));
    return items.some((item, index) => item !== value[index]) ? Object.freeze(items) : value;
  }
  if (!isObject(value)) return value;
  const mapped: Record<string, Value> = {};
  let changed = false;
  for (const [name, member] of Object.entries(value)) {
    const next = wordless.test(name) ? member : mapWords(member, map);
    changed ||= next !== member;
    setMember(mapped, name, next);
  }
  return changed ? Object.freeze(mapped) : value;
}
