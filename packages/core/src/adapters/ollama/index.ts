export type { OllamaRequest } from "./request.ts";
export { type OllamaClient, ollamaSummarizer } from "./summarizer.ts";
export { type OllamaOptions, ollama } from "./wire.ts";
