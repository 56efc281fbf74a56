export type { GeminiRequest } from "./types.ts";
export { type GeminiOptions, gemini } from "./wire.ts";
