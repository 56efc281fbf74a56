import { freezeValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { checked } from "../../wire/checked.ts";
import { type OwnProfiles, wireOptions } from "../../wire/own-profiles.ts";
import { recentReadings } from "../../wire/recent-readings.ts";
import type { Wire, WireAbilities } from "../../wire/wire.ts";
import { accumulator } from "./accumulator.ts";
import { asksForCache, cacheMarksMax, comparedWith, mark } from "./cache.ts";
import { compaction } from "./compaction.ts";
import { control } from "./control.ts";
import { inBand } from "./in-band.ts";
import { isKnownModel, profiles } from "./models.ts";
import { readOverflow } from "./overflow-signals.ts";
import { readReply } from "./reply.ts";
import { type AnthropicRequest, close, open, systemText, toolName } from "./request.ts";
import { rules } from "./rules.ts";
import { callFor, compose, read, resultFor, say, textOf, withId, withText } from "./view.ts";

export type AnthropicOptions = {
  /** Figures and abilities of models, by id: of those that the table does not know, or other than it says. */
  readonly profiles?: OwnProfiles | undefined;
};

const abilities: WireAbilities = {
  resultsJoinUserTurn: true,
  callIdsUnique: true,
  refusesPendingCalls: true,
  userFirst: true,
  emptyText: false,
  cacheMarksMax,
  systemPlace: "behind-user",
  reportsDroppedReasoning: true,
  sendsUnsignedReasoning: false,
  // `media_type` of image and document sources: @anthropic-ai/sdk 1.14.0; another one is refused.
  media: ["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf", "text/plain"],
  places: { outputCap: [["max_tokens"]] },
};

/** Anthropic's Messages API, versions 2023-06-01 and 2026-10-21. */
export function anthropic(options: AnthropicOptions = {}): Wire<AnthropicRequest> {
  const profile = profiles(checked(options, wireOptions()).profiles);
  return {
    name: "anthropic",
    abilities,
    http: { path: /\/v1\/messages$/, heldBy: ["thread"], lastEvent: /"type": ?"message_stop"/ },
    recognises,
    open: (request) => open(request, profile),
    close: (request, head, messages) => close(request, head, messages, profile),
    read: recentReadings(read),
    compose,
    say,
    callFor,
    resultFor,
    withId,
    withText,
    textOf,
    systemText,
    systemPart: (text) => Object.freeze({ type: "text", text }),
    inBand,
    toolName,
    declareTool: ({ name, description, parameters }) => freezeValue({ name, description, input_schema: parameters }),
    rules,
    profile,
    readReply,
    accumulator,
    mark,
    diagnose: comparedWith,
    asksForCache,
    readOverflow,
    compaction,
    control: (request, mismatch) => control(request, mismatch, profile(request.model)),
  };
}

const ownFields = ["system", "thinking", "stop_sequences", "context_management", "mcp_servers", "cache_control", "anthropic_version"];
const ownBlocks: ReadonlySet<Value | undefined> = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "document",
  "search_result",
  "server_tool_use",
]);

/** Told by fields, tools and blocks that only this wire has. A request of plain text has none; then the model's id decides. */
function recognises(request: ObjectValue): boolean {
  const { messages, tools } = request;
  if (!isArray(messages) || typeof request.model !== "string") return false;
  if (ownFields.some((name) => request[name] !== undefined)) return true;
  if (isArray(tools) && tools.some((tool) => isObject(tool) && (tool.input_schema !== undefined || datedType.test(String(tool.type)))))
    return true;
  const blocks = messages.flatMap((message) => (isObject(message) && isArray(message.content) ? message.content : []));
  if (blocks.some((block) => isObject(block) && (ownBlocks.has(block.type) || isObject(block.source)))) return true;
  return isKnownModel(request.model) && !messages.some(isForeign) && !(isArray(tools) && tools.length > 0);
}

/** `web_search_20250305`: the type of a tool that the provider defines. */
const datedType = /_\d{8}$/;

/** A message as only Chat Completions has it. */
function isForeign(message: Value): boolean {
  return isObject(message) && (message.tool_calls !== undefined || message.role === "tool" || message.role === "developer");
}
