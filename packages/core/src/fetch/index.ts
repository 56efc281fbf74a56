export { type AnthropicMiddleware, type AnthropicMiddlewareOptions, anthropicMiddleware } from "./anthropic-middleware.ts";
export { type ContextFetchOptions, contextFetch } from "./context-fetch.ts";
export { type Asked, Conversations, type Prepared } from "./conversations.ts";
export type { Fetch } from "./http-call.ts";
export type { ContextOptions, ContextWarning, HttpRequest, SentRequest, SessionDefaults } from "./options.ts";
