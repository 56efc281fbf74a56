import type { Value } from "../json/value.ts";

const counted = new WeakMap<object, number>();
/** What a message, block or member costs beside its texts. */
const structureTokens = 2;

/** Tokens of a frozen value: its texts by the counter, and a little for structure. Counted once a message. */
export function countMessage(value: Value, countText: (text: string) => number): number {
  if (typeof value === "string") return countText(value);
  if (typeof value !== "object" || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  let tokens = structureTokens;
  if (!(value instanceof Uint8Array)) for (const member of Object.values(value)) tokens += countMessage(member as Value, countText);
  if (Object.isFrozen(value)) counted.set(value, tokens);
  return tokens;
}
