/**
 * The simulators' own measure: one token for every four UTF-16 units of JSON text, rounded up for each piece. It is no
 * provider's tokenizer; it is the same in validation, usage and cache account, and cheap enough for a soak.
 */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / unitsPerToken);
}

export const unitsPerToken = 4;
/** What a picture counts, whatever its size; its bytes are not counted. */
export const pictureTokens = 1_500;
/** What a document carried as bytes counts. */
export const documentTokens = 3_000;
