import { checked } from "../../wire/checked.ts";
import { ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Role } from "../../wire/unit.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { closeInteraction, heldBy, openInteraction, recognisesInteraction } from "./interactions-request.ts";
import { interactionRules } from "./interactions-rules.ts";
import type { InteractionsRequest } from "./interactions-types.ts";
import { profileOf } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { InteractionAccumulator } from "./step-accumulator.ts";
import { callStepFor, resultStepFor, withOutput, withStepId } from "./step-calls.ts";
import { textContent } from "./step-contents.ts";
import { readInteraction } from "./step-reply.ts";
import { composeSteps, readStep, spreadSteps, textOfUnit } from "./steps.ts";
import type { GeminiOptions } from "./wire.ts";

const abilities: WireAbilities = {
  resultsJoinUserTurn: false,
  callIdsUnique: true,
  resultsByName: true,
  refusesPendingCalls: true,
  userFirst: true,
  cacheMarksMax: 0,
  emptyText: false,
  systemPlace: "anywhere",
  reportsDroppedReasoning: false,
  sendsUnsignedReasoning: true,
  mergesTurns: false,
  repliesInRows: true,
  repliesMayVanish: true,
  places: {
    messages: ["input"],
    system: ["system_instruction"],
    order: ["system", "tools"],
    outputCap: [["generation_config", "max_output_tokens"]],
  },
};

/**
 * Gemini's Interactions in stateless use: the request has all steps, and `store: false` where nothing shall stay with Google. A conversation that the server holds
 * (`previous_interaction_id`) is not this wire's to keep.
 */
export function geminiInteractions(options: GeminiOptions = {}): Wire<InteractionsRequest> {
  const { profiles } = checked(options, wireOptions());
  const own = ownProfiles(profiles);
  const profile = (model: string): Profile => profileOf(model, own(model));
  return {
    name: "gemini-interactions",
    http: { path: /\/interactions$/, heldBy },
    abilities,
    recognises: recognisesInteraction,
    open: openInteraction,
    close: closeInteraction,
    read: readStep,
    compose: composeSteps,
    spread: spreadSteps,
    say: (role: Role, text) => composeSteps(role === "assistant" ? "assistant" : "user", [textContent(text)]),
    callFor: callStepFor,
    resultFor: resultStepFor,
    withId: withStepId,
    withText: (unit, text) =>
      unit.kind === "result" ? withOutput(unit, text) : { ...unit, text, block: Object.freeze({ ...unit.block, text }) },
    textOf: textOfUnit,
    systemText: ({ system }) => String(system[0]?.text ?? ""),
    toolName: ({ name, type }) => (typeof name === "string" ? name : String(type)),
    rules: interactionRules,
    profile,
    readReply: readInteraction,
    accumulator: () => new InteractionAccumulator(),
    asksForCache: () => true,
    mark: (request) => request,
    readOverflow,
  };
}
