export type { AnthropicRequest } from "./request.ts";
export { type AnthropicOptions, anthropic } from "./wire.ts";
