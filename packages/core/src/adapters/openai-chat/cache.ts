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
type MessageMark = HostMark & { readonly part: "messages" };
type HeadMark = Exclude<HostMark, MessageMark>;

function markMessages(messages: readonly ObjectValue[], marks: readonly HostMark[], dialect: Dialect): readonly ObjectValue[] {
  const places = placesOf(messages, marks, dialect);
  const copies = [...messages];
  for (const [at, own] of Map.groupBy(places, ({ place }) => place.message)) {
    const message = messages[at] as ObjectValue;
    const parts = [...partsOf(message)];
    for (const { place, mark } of own) parts[place.part] = { ...(parts[place.part] as ObjectValue), ...markMember(mark) };
    copies[at] = { ...message, content: parts };
  }
  return copies;
}

function placesOf(
  messages: readonly ObjectValue[],
  marks: readonly HostMark[],
  dialect: Dialect,
): readonly { readonly place: Place; readonly mark: Value }[] {
  const inMessages = Map.groupBy(marks.filter(isMessageMark), ({ message }) => message);
  const inHead = marks.filter((mark): mark is HeadMark => !isMessageMark(mark));
  const head = inHead.length === 0 ? [] : headPlaces(messages);
  const last = inMessages.size === 0 ? [] : lastPlaces(messages);
  return [
    ...inHead.map(({ index, mark }) => ({ place: head[index], mark })),
    ...[...inMessages].flatMap(([at, own]) => {
      const places = unitPlaces(messages, at, dialect);
      return own.map(({ block, mark }) => ({ place: places[Math.min(block, places.length - 1)] ?? last[at], mark }));
    }),
  ].filter((found): found is { readonly place: Place; readonly mark: Value } => found.place !== undefined);
}

function isMessageMark(mark: HostMark): mark is MessageMark {
  return mark.part === "messages";
}

function markTools(tools: readonly Value[], marks: readonly HostMark[]): readonly Value[] {
  const byTool = new Map(marks.toReversed().flatMap((mark) => (mark.part === "tools" ? [[mark.index, mark.mark] as const] : [])));
  return tools.map((tool, index) => {
    const mark = byTool.get(index);
    return mark === undefined || !isObject(tool) ? tool : { ...tool, ...markMember(mark) };
  });
}

/** For each unit of a message its own part where that may be marked, else the nearest before it; undefined where there is none. */
function unitPlaces(messages: readonly ObjectValue[], at: number, dialect: Dialect): readonly (Place | undefined)[] {
  const message = messages[at];
  if (message === undefined) return [];
  const parts = new Map(partsOf(message).map((part, index) => [part, index]));
  let nearest: Place | undefined;
  return readMessage(message, dialect).units.map(({ kind, block }) => {
    const part = kind === "fields" || kind === "call" || !isMarkable(block) ? undefined : parts.get(block);
    if (part !== undefined) nearest = { message: at, part };
    return nearest;
  });
}

/** For each message its last part that may be marked, else that of the nearest message before. */
function lastPlaces(messages: readonly ObjectValue[]): readonly (Place | undefined)[] {
  let nearest: Place | undefined;
  return messages.map((native, message) => {
    const part = partsOf(native).findLastIndex(isMarkable);
    if (part >= 0) nearest = { message, part };
    return nearest;
  });
}

/** Marks of the head count the parts of all leading messages. */
function headPlaces(messages: readonly ObjectValue[]): readonly Place[] {
  const end = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const leading = end < 0 ? messages : messages.slice(0, end);
  return leading.flatMap((native, message) => partsOf(native).map((_, part) => ({ message, part })));
}

function partsOf({ content }: ObjectValue): readonly ObjectValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isArray(content) ? content.filter(isObject) : [];
}

function isMarkable(part: ObjectValue): boolean {
  return markable.includes(part.type ?? null) && part.text !== "";
}
