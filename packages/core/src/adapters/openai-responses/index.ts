export type { RouteName } from "./routes.ts";
export type { ResponsesRequest } from "./types.ts";
export { type OpenAIResponsesOptions, openaiResponses } from "./wire.ts";
