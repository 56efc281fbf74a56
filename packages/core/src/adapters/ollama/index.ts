export type { OllamaRequest } from "./request.ts";
export { type OllamaOptions, ollama } from "./wire.ts";
