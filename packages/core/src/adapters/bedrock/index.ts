export type { BedrockRequest } from "./request.ts";
export { type BedrockOptions, bedrock } from "./wire.ts";
