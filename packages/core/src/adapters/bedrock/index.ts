export type { BedrockRequest } from "./request.ts";
export { bedrockSummarizer, type Converse } from "./summarizer.ts";
export { type BedrockOptions, bedrock } from "./wire.ts";
