export type { DialectName } from "./dialects.ts";
export { type ChatClient, openaiChatSummarizer } from "./summarizer.ts";
export type { ChatRequest } from "./types.ts";
export { type OpenAIChatOptions, openaiChat } from "./wire.ts";
