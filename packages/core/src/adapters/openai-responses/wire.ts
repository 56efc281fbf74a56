import { flag, oneOf, optional } from "../../json/check.ts";
import { freezeValue } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import type { Head } from "../../wire/head.ts";
import { type OwnProfiles, ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { ResponsesAccumulator } from "./accumulator.ts";
import { asksForCache, breakpointsMax, comparedWith, markRequest } from "./cache.ts";
import { callFor, resultFor, withId } from "./calls.ts";
import { type CompactionForm, compactionOf } from "./compaction.ts";
import { inBand, offerTools } from "./in-band.ts";
import { profileOf } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { textUnit } from "./parts.ts";
import { asReply } from "./reasoning.ts";
import { readReply } from "./reply.ts";
import { closeRequest, openRequest, recognises, toolName } from "./request.ts";
import { type RouteName, routes } from "./routes.ts";
import { rulesOf } from "./rules.ts";
import type { ResponsesRequest } from "./types.ts";
import { composeItems, readItem, spreadItems, textOf, withText } from "./view.ts";

export type OpenAIResponsesOptions = {
  /** How the server is reached: routes differ in what they refuse and need. Never guessed from an address. Default `openai`. */
  readonly route?: RouteName | undefined;
  /** What the host knows better about a model than the table, by its exact id. */
  readonly profiles?: OwnProfiles | undefined;
  /**
   * Whether requests of reasoning models ask for what replaying reasoning needs: `reasoning.context: "all_turns"` on models that render the current turn
   * only, and `include: ["reasoning.encrypted_content"]` where nothing is stored. Default true; a host's own values stand.
   */
  readonly asksForReasoning?: boolean | undefined;
  /**
   * How `onDemandCompaction` asks: `endpoint` by `POST /responses/compact` (`client.responses.compact`), `trigger` by an ordinary request that ends in a `compaction_trigger`.
   * Default: as the route has it; routes of which nothing is known have none.
   */
  readonly compaction?: CompactionForm | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: false,
  // Pairs are found by `call_id` anywhere in the input.
  callIdsUnique: true,
  refusesPendingCalls: true,
  userFirst: false,
  cacheMarksMax: breakpointsMax,
  emptyText: false,
  systemPlace: "anywhere",
  // `input_transformations`: from GPT-6.2 on the provider drops and says so, without being asked.
  reportsDroppedReasoning: true,
  sendsUnsignedReasoning: false,
  repliesInRows: true,
  repliesMayVanish: true,
  places: { messages: ["input"], system: ["instructions"], outputCap: [["max_output_tokens"]] },
};

/**
 * OpenAI's Responses, and that of the routes that lead there. Its messages are the items of `input`: a reply is a row of them.
 *
 * @throws {OptionError} for a route that is not known.
 */
export function openaiResponses(options: OpenAIResponsesOptions = {}): Wire<ResponsesRequest> {
  const shape = wireOptions({
    route: optional(oneOf(...Object.keys(routes))),
    asksForReasoning: optional(flag),
    compaction: optional(oneOf("endpoint", "trigger")),
  });
  const { route: name = "openai", profiles, asksForReasoning = true, compaction } = checked(options, shape);
  const route = routes[name];
  const own = ownProfiles(profiles);
  const compacting = compaction ?? route.compaction;
  const profile = (model: string): Profile => profileOf(model, own(model));
  return {
    name: "openai-responses",
    abilities,
    http: {
      path: /\/responses$/,
      heldBy: ["previous_response_id", "conversation"],
      lastEvent: /"type": ?"response\.(completed|incomplete|failed)"/,
    },
    recognises,
    open: (request) => openRequest(request, route, profile),
    close: (request, head, messages) => closeRequest(request, head, messages, { route, profile: profile(head.model), asksForReasoning }),
    read: readItem,
    compose: (nativeRole, units) => composeItems(nativeRole, units, route),
    asReply,
    spread: spreadItems,
    say: (role, text) => composeItems(role === "system" ? "developer" : role, [textUnit(text, role)], route),
    callFor,
    resultFor,
    withId,
    withText,
    textOf,
    systemText,
    systemPart: (text) => composeItems("developer", [textUnit(text, "system")], route),
    toolName,
    ...(route.inBand ? { inBand } : {}),
    offer: offerTools,
    declareTool: ({ name, description, parameters }) => freezeValue({ type: "function", name, description, parameters, strict: false }),
    rules: rulesOf(name),
    profile,
    readReply,
    accumulator: () => new ResponsesAccumulator(),
    mark: (request, plan) => markRequest(request, plan, route, profile(request.model ?? "")),
    ...(route.diagnoses ? { diagnose: (request, id) => comparedWith(request, id, profile(request.model ?? "")) } : {}),
    identity: route.identity,
    asksForCache,
    readOverflow,
    ...(compacting === undefined ? {} : { compaction: compactionOf(compacting) }),
  };
}

function systemText({ system }: Head): string {
  return system.map((part) => (typeof part.text === "string" ? part.text : readItem(part).units.map(textOf).join("\n"))).join("\n\n");
}
