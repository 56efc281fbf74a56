export type { AnthropicRequest } from "./request.ts";
export { anthropicSummarizer, type MessagesClient } from "./summarizer.ts";
export { type AnthropicOptions, anthropic } from "./wire.ts";
