import { freezeValue } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import { type OwnProfiles, ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { accumulator } from "./accumulator.ts";
import { asksForCache, cacheMarksMax, mark } from "./cache.ts";
import { eventMessages } from "./event-messages.ts";
import { joinNeighbours } from "./join.ts";
import { profileOf } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { readReply } from "./reply.ts";
import { type BedrockRequest, closeRequest, openRequest, recognises, systemText, toolName } from "./request.ts";
import { rules } from "./rules.ts";
import { callFor, composeMessage, readMessage, resultFor, say, textOf, withId, withText } from "./view.ts";

export type BedrockOptions = {
  /** What the host knows better about a model than the table, by its exact id: of inference profiles and imported models, which have ids of their own. */
  readonly profiles?: OwnProfiles | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: true,
  callIdsUnique: true,
  refusesPendingCalls: true,
  userFirst: true,
  cacheMarksMax,
  emptyText: false,
  systemPlace: "behind-user",
  reportsDroppedReasoning: false,
  // Claude refuses thinking without its signature; the other families do not ask for theirs: facts 4.
  sendsUnsignedReasoning: false,
  places: { model: ["modelId"], tools: ["toolConfig", "tools"], outputCap: [["inferenceConfig", "maxTokens"]] },
};

/** Amazon Bedrock's Converse and ConverseStream. */
export function bedrock(options: BedrockOptions = {}): Wire<BedrockRequest> {
  const { profiles } = checked(options, wireOptions());
  const own = ownProfiles(profiles);
  const profile = (model: string): Profile => profileOf(model, own(model));
  return {
    name: "bedrock",
    abilities,
    http: {
      path: /\/model\/(?<model>[^/]+)\/converse(?:-stream)?$/,
      heldBy: [],
      framing: { contentType: "application/vnd.amazon.eventstream", reader: eventMessages },
    },
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
    textOf,
    systemText,
    systemPart: (text) => freezeValue({ text }),
    toolName,
    declareTool: ({ name, description, parameters }) => freezeValue({ toolSpec: { name, description, inputSchema: { json: parameters } } }),
    rules,
    profile,
    readReply,
    accumulator,
    mark: (request, plan) => mark(request, plan, profile(request.modelId ?? "")),
    join: joinNeighbours,
    asksForCache,
    readOverflow,
  };
}
