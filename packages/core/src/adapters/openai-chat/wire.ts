import { oneOf, optional } from "../../json/check.ts";
import { freezeValue } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import type { Head } from "../../wire/head.ts";
import { type OwnProfiles, ownProfiles, wireOptions } from "../../wire/own-profiles.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Unit } from "../../wire/unit.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { ChatAccumulator } from "./accumulator.ts";
import { markRequest } from "./cache.ts";
import { callFor, resultFor, withId } from "./calls.ts";
import { type DialectName, dialects } from "./dialects.ts";
import { profileOf } from "./models.ts";
import { offerTools } from "./offer-tools.ts";
import { readOverflow } from "./overflow-signals.ts";
import { prefixParams } from "./params.ts";
import { textUnit } from "./parts.ts";
import { readReply } from "./reply.ts";
import { closeRequest, openRequest, recognises, toolName } from "./request.ts";
import type { ChatRequest } from "./types.ts";
import { composeMessage, readMessage, textOf, withText } from "./view.ts";

export type OpenAIChatOptions = {
  /** Which server it is: they differ in the reasoning field, cache marks, rules. Never guessed from an address or a model's name. */
  readonly dialect?: DialectName | undefined;
  /** What the host knows better about a model than the table, by its exact id. */
  readonly profiles?: OwnProfiles | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: false,
  // A result belongs to the assistant message right before it, so ids may come again.
  callIdsUnique: false,
  refusesPendingCalls: true,
  userFirst: false,
  emptyText: false,
  systemPlace: "anywhere",
  reportsDroppedReasoning: false,
  sendsUnsignedReasoning: true,
};

/**
 * Chat Completions, OpenAI's and that of the servers that speak it.
 *
 * @throws {OptionError} for a dialect that is not known.
 */
export function openaiChat(options: OpenAIChatOptions = {}): Wire<ChatRequest> {
  const { dialect: name = "openai", profiles } = checked(options, wireOptions({ dialect: optional(oneOf(...Object.keys(dialects))) }));
  const dialect = dialects[name];
  const own = ownProfiles(profiles);
  const params = prefixParams(name);
  const profile = (model: string): Profile => profileOf(model, dialect, own(model));
  return {
    name: "openai-chat",
    dialect: name,
    abilities: {
      ...abilities,
      ...(dialect.plainResults === true ? { plainResults: true } : {}),
      textBehindResults: dialect.textBehindResults,
      places: { outputCap: dialect.outputCap },
    },
    http: { path: /\/chat\/completions$/, heldBy: [], lastEvent: /^ ?\[DONE\]/ },
    recognises,
    open: (request) => openRequest(request, dialect, params),
    close: (request, head, messages) => closeRequest(request, head, messages, params),
    read: (message) => readMessage(message, dialect),
    compose: (nativeRole, units) => composeMessage(nativeRole, units, dialect),
    say: (role, text) => composeMessage(role, [textUnit(text)], dialect),
    callFor: (call) => callFor(call, dialect),
    resultFor: (call, text) => resultFor(call, text, dialect),
    withId,
    withText: (unit, text) => withText(unit, text, dialect),
    textOf,
    systemPart: (text) => composeMessage("system", [textUnit(text)], dialect),
    systemText: (head) => systemText(head, (message) => readMessage(message, dialect).units),
    toolName,
    offer: (request, names) => offerTools(request, names, name),
    declareTool: ({ name, description, parameters }) => freezeValue({ type: "function", function: { name, description, parameters } }),
    rules: dialect.rules,
    profile,
    readReply: (reply) => readReply(reply, dialect),
    accumulator: () => new ChatAccumulator(),
    identity: dialect.identity,
    asksForCache: () => true,
    mark: (request, plan) => markRequest(request, plan, dialect, profile(request.model)),
    readOverflow,
  };
}

function systemText(head: Head, unitsOf: (message: Head["system"][number]) => readonly Unit[]): string {
  return head.system.map((message) => unitsOf(message).map(textOf).join("\n")).join("\n\n");
}
