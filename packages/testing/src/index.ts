export { type ActorOptions, seededActor } from "./simulator/actor.ts";
export { type AnthropicSimulatorOptions, anthropicSimulator } from "./simulator/anthropic/server.ts";
export { type Clock, type ManualClock, manualClock } from "./simulator/clock.ts";
export type { Listening } from "./simulator/listen.ts";
export { type OpenAIChatSimulatorOptions, openaiChatSimulator } from "./simulator/openai-chat/server.ts";
export type { ReplyPart, Script, ScriptedCall, ScriptedReply } from "./simulator/script.ts";
export type { CacheAccount, RefusalRecord, SimulatedRequest } from "./simulator/simulated-request.ts";
export type { HandleOptions, Simulator } from "./simulator/simulator.ts";
