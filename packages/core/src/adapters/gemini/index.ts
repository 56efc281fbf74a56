export { geminiInteractions } from "./interactions.ts";
export type { InteractionsRequest } from "./interactions-types.ts";
export { type GeminiClient, geminiSummarizer } from "./summarizer.ts";
export type { GeminiRequest } from "./types.ts";
export { type GeminiOptions, gemini } from "./wire.ts";
