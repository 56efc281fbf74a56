export type { RouteName } from "./routes.ts";
export { openaiResponsesSummarizer, type ResponsesClient } from "./summarizer.ts";
export type { ResponsesRequest } from "./types.ts";
export { type OpenAIResponsesOptions, openaiResponses } from "./wire.ts";
