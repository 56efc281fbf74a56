import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import type { Dialect } from "./dialects.ts";
import { markMember } from "./marks.ts";
import type { ChatRequest } from "./types.ts";
import { readMessage } from "./view.ts";

/** One request may bear four marks; the top-level one counts: facts 1.11. */
const marksMax = 4;
const markable: readonly Value[] = ["text", "image_url", "input_audio", "file"];

/**
 * Puts the host's marks back where their parts are now. Caching itself is automatic on these servers; only where a mark is needed (the profile's
 * `cache-control`) one is added at the top of the request, which the provider moves along with the last block.
 */
export function markRequest<R extends ChatRequest>(request: R, plan: MarkPlan, dialect: Dialect, profile: Profile): R {
  const marked: Record<string, unknown> = {};
  const onMessages = plan.hostMarks.filter((mark) => mark.part !== "tools");
  const onTools = plan.hostMarks.filter((mark) => mark.part === "tools");
  if (onMessages.length > 0) marked.messages = markMessages(request.messages as readonly ObjectValue[], onMessages, dialect);
  const tools = (request as { readonly tools?: unknown }).tools;
  if (onTools.length > 0 && isArray(tools)) marked.tools = markTools(tools, onTools);
  if (dialect.marks && takesTopMark(request, plan, profile)) {
    marked.cache_control = { type: "ephemeral", ...(plan.ttl === undefined ? {} : { ttl: plan.ttl }) };
  }
  return Object.keys(marked).length === 0 ? request : ({ ...request, ...marked } as R);
}

/** Not beside four marks, and not beside one of another lifetime: both are refused upstream. */
function takesTopMark(request: object, { mode, ttl, hostMarks }: MarkPlan, profile: Profile): boolean {
  if (mode === "off" || !profile.traits.includes("cache-control") || "cache_control" in request) return false;
  return hostMarks.length < marksMax && hostMarks.every(({ mark }) => isObject(mark) && mark.ttl === ttl);
}

type Place = { readonly message: number; readonly part: number };

function markMessages(messages: readonly ObjectValue[], marks: readonly HostMark[], dialect: Dialect): readonly ObjectValue[] {
  const copies = [...messages];
  for (const mark of marks) {
    const place = mark.part === "messages" ? placeOf(messages, mark.message, mark.block, dialect) : systemPlaceOf(messages, mark.index);
    if (place === undefined) continue;
    const message = copies[place.message] as ObjectValue;
    const parts = partsOf(message).map((part, index) => (index === place.part ? { ...part, ...markMember(mark.mark) } : part));
    copies[place.message] = { ...message, content: parts };
  }
  return copies;
}

function markTools(tools: readonly Value[], marks: readonly HostMark[]): readonly Value[] {
  return tools.map((tool, index) => {
    const found = marks.find((mark) => mark.part === "tools" && mark.index === index);
    return found === undefined || !isObject(tool) ? tool : { ...tool, ...markMember(found.mark) };
  });
}

/** The unit's part where it may be marked, else the nearest before it in its message, else that message's last one, else the nearest earlier one. */
function placeOf(messages: readonly ObjectValue[], at: number, unit: number, dialect: Dialect): Place | undefined {
  const message = messages[at];
  if (message === undefined) return undefined;
  const parts = partsOf(message);
  const { units } = readMessage(message, dialect);
  const before = units.slice(0, unit + 1).toReversed();
  const nearest = before.find(
    ({ kind, block }) => kind !== "fields" && kind !== "call" && parts.some((part) => part === block && isMarkable(part)),
  );
  if (nearest !== undefined) return { message: at, part: parts.indexOf(nearest.block) };
  for (let earlier = at; earlier >= 0; earlier--) {
    const last = partsOf(messages[earlier] as ObjectValue).findLastIndex(isMarkable);
    if (last >= 0) return { message: earlier, part: last };
  }
  return undefined;
}

/** Marks of the head count the parts of all leading messages. */
function systemPlaceOf(messages: readonly ObjectValue[], index: number): Place | undefined {
  let part = index;
  for (const [message, native] of messages.entries()) {
    if (native.role !== "system" && native.role !== "developer") return undefined;
    const count = partsOf(native).length;
    if (part < count) return { message, part };
    part -= count;
  }
  return undefined;
}

function partsOf({ content }: ObjectValue): readonly ObjectValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isArray(content) ? content.filter(isObject) : [];
}

function isMarkable(part: ObjectValue): boolean {
  return markable.includes(part.type ?? null) && part.text !== "";
}
