import { freezeValue } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import { type OwnProfiles, ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { accumulator } from "./accumulator.ts";
import { callFor } from "./calls.ts";
import { profileOf } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { readReply } from "./reply.ts";
import { askedFor, closeRequest, type OllamaRequest, openRequest, recognises, systemText, toolName } from "./request.ts";
import { rules } from "./rules.ts";
import { composeMessage, readMessage, resultFor, say, textOf, withId, withText } from "./view.ts";

export type OllamaOptions = {
  /** What the host knows better about a model than the table, by its exact id. */
  readonly profiles?: OwnProfiles | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: false,
  callIdsUnique: false,
  resultsByName: true,
  // The template renders whatever it gets: facts 7.4 and 7.5 name no check of pairs.
  refusesPendingCalls: false,
  userFirst: false,
  emptyText: false,
  systemPlace: "anywhere",
  reportsDroppedReasoning: false,
  sendsUnsignedReasoning: true,
  cacheMarksMax: 0,
  places: { outputCap: [["options", "num_predict"]] },
};

/** Ollama's own chat endpoint, `POST /api/chat`. Its OpenAI-like one is `openaiChat`'s. */
export function ollama(options: OllamaOptions = {}): Wire<OllamaRequest> {
  const { profiles } = checked(options, wireOptions());
  const own = ownProfiles(profiles);
  return {
    name: "ollama",
    abilities,
    http: { path: /\/api\/chat$/, heldBy: [], lastEvent: /"done": ?true/ },
    recognises,
    open: openRequest,
    close: closeRequest,
    read: readMessage,
    compose: composeMessage,
    say,
    callFor,
    resultFor,
    withId,
    withText,
    addWords: (unit, words) => withText(unit, [unit.block.content, words].filter((said) => said !== "").join("\n")),
    textOf,
    systemText,
    toolName,
    systemPart: (text) => say("system", text),
    declareTool: ({ name, description, parameters }) => freezeValue({ type: "function", function: { name, description, parameters } }),
    rules,
    profile: (model) => profileOf(model, own(model)),
    askedFor,
    readReply,
    accumulator,
    // The server keeps the last prompt of a loaded model by itself, and has no marks.
    mark: (request) => request,
    asksForCache: () => true,
    readOverflow,
  };
}
