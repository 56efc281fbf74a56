/** `generation`: in `generationConfig` of the REST body. The SDK has all of them in `config`. */
type Row = readonly [name: string, place: "top" | "generation"];

/**
 * Parameters that change what the model reads, or which cache is read, beside model, system text and tools. Google documents none of them; all are
 * [inferred], and the strict reading is taken. Safe to change: `toolConfig` (facts 8.3), sampling, token limits, `stopSequences`, `safetySettings`,
 * `labels`.
 */
export const prefixParams: readonly Row[] = [
  ["cachedContent", "top"], // another object is another prefix: facts 3.5
  ["thinkingConfig", "generation"], // facts 8.3: not known
  ["mediaResolution", "generation"], // tokens of every picture before: facts 3.6
  ["responseMimeType", "generation"],
  ["responseSchema", "generation"],
  ["responseJsonSchema", "generation"],
];
