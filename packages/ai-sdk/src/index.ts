export { type ClipOptions, clip } from "./clip.ts";
export { compactModelMessages, type PromptLanding } from "./landing.ts";
export { tidemarkMiddleware, withTidemark } from "./middleware.ts";
export type { TidemarkOptions, TidemarkProviderOptions } from "./options.ts";
export { type StepOptions, tidemarkStep } from "./step.ts";
export { summarizer } from "./summarizer.ts";
export type { PromptRequest } from "./wire/request.ts";
export { type AiSdkWireOptions, aiSdkWire } from "./wire/wire.ts";
