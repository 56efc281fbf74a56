import { isArray, isObject, type ObjectValue, type Profile, recentReadings, type Wire, type WireAbilities } from "@tidemark/core/adapter";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { accumulator } from "./accumulator.ts";
import { asksForCache, cacheMarksMax, mark } from "./cache.ts";
import { compaction } from "./compaction.ts";
import { profiles } from "./families.ts";
import { inBand, systemStays } from "./in-band.ts";
import { offer } from "./offer.ts";
import { readReply } from "./reply.ts";
import { close, open, type PromptRequest, systemText, toolName } from "./request.ts";
import { rules } from "./rules.ts";
import { callFor, compose, read, resultFor, say, textOf, withId, withText } from "./view.ts";

export type AiSdkWireOptions = {
  /** What the host knows better about a model, by provider and id: `anthropic.messages/claude-opus-5-5`. */
  readonly profiles?: Readonly<Record<string, Partial<Profile>>> | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: false,
  resultsTogether: true,
  callsRewritten: true,
  callIdsUnique: true,
  refusesPendingCalls: true,
  userFirst: false,
  cacheMarksMax,
  emptyText: false,
  systemPlace: "anywhere",
  reportsDroppedReasoning: false,
  sendsUnsignedReasoning: true,
  places: { messages: ["prompt"], outputCap: [["maxOutputTokens"]] },
};

const claude = anthropic();
const chat = openaiChat();

/** The prompt of the AI SDK (provider spec V4), whichever provider stands behind it. */
export function aiSdkWire(options: AiSdkWireOptions = {}): Wire<PromptRequest> {
  return {
    name: "ai-sdk",
    abilities,
    recognises,
    open,
    close,
    read: recentReadings(read),
    compose,
    say,
    callFor,
    resultFor,
    withId,
    withText,
    textOf,
    systemText,
    systemPart: (text) => say("system", text),
    toolName,
    offer,
    systemStays,
    inBand,
    declareTool: ({ name, description, parameters }) => Object.freeze({ type: "function", name, description, inputSchema: parameters }),
    rules,
    profile: profiles(options.profiles ?? {}),
    readReply,
    accumulator,
    mark,
    asksForCache,
    compaction,
    // An `APICallError` holds what the provider said: one table or the other knows it.
    readOverflow: (error) => claude.readOverflow(error) ?? chat.readOverflow(error),
  };
}

function recognises({ prompt }: ObjectValue): boolean {
  return isArray(prompt) && prompt.every((message) => isObject(message) && typeof message.role === "string");
}
