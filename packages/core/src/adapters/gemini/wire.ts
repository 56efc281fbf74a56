import { freezeValue } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import { type OwnProfiles, ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { GeminiAccumulator } from "./accumulator.ts";
import { addResultWords, callFor, resultFor, withId } from "./calls.ts";
import { profileOf } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { readReply } from "./reply.ts";
import { closeRequest, openRequest, recognises, systemText } from "./request.ts";
import { rules } from "./rules.ts";
import { toolName } from "./tools.ts";
import type { GeminiRequest } from "./types.ts";
import { composeContent, readContent, say, textOf, withText } from "./view.ts";

export type GeminiOptions = {
  /** What the host knows better about a model than the table, by its exact id. */
  readonly profiles?: OwnProfiles | undefined;
};

const outputCap = [
  ["generationConfig", "maxOutputTokens"],
  ["config", "maxOutputTokens"],
] as const;

const abilities: WireAbilities = {
  // As many responses in one turn as calls in the one before: facts 3.3.
  resultsJoinUserTurn: true,
  callIdsUnique: false,
  resultsByName: true,
  refusesPendingCalls: true,
  userFirst: true,
  cacheMarksMax: 0,
  emptyText: true,
  systemPlace: "anywhere",
  reportsDroppedReasoning: false,
  sendsUnsignedReasoning: true,
  // Facts 8.3: how contents are cut is a change.
  mergesTurns: false,
  // Contents of one role that stand side by side are one turn: recorded.
  repliesInRows: true,
  repliesMayVanish: true,
  places: { messages: ["contents"], system: ["systemInstruction"], tools: ["tools"], order: ["system", "tools"], outputCap },
};

/** Gemini's generateContent, on the Gemini API and on Vertex AI: the REST body with `model` beside it, or the parameters of `@google/genai`. */
export function gemini(options: GeminiOptions = {}): Wire<GeminiRequest> {
  const { profiles } = checked(options, wireOptions());
  const own = ownProfiles(profiles);
  const profile = (model: string): Profile => profileOf(model, own(model));
  return {
    name: "gemini",
    // A cached content holds a part of the conversation, or its head.
    http: { path: /\/models\/(?<model>[^/:]+):(?:g|streamG)enerateContent$/, heldBy: ["cachedContent", "cached_content"] },
    abilities,
    recognises,
    open: openRequest,
    close: (request, head, messages) => closeRequest(request, head, messages, profile(head.model)),
    read: readContent,
    compose: composeContent,
    say,
    callFor,
    resultFor,
    withId,
    withText,
    addWords: addResultWords,
    textOf,
    systemText,
    systemPart: (text) => Object.freeze({ text }),
    toolName,
    declareTool: ({ name, description, parameters }) => freezeValue({ name, description, parametersJsonSchema: parameters }),
    rules,
    profile,
    readReply,
    accumulator: () => new GeminiAccumulator(),
    // Caching is implicit: there is nothing to mark, and every request asks for it.
    asksForCache: () => true,
    mark: (request) => request,
    readOverflow,
  };
}
