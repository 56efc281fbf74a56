import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import { isBlankText, mayBearMark } from "./blocks.ts";
import type { AnthropicRequest } from "./request.ts";

export const cacheMarksMax = 4;
/** How many earlier positions the provider looks at for something already written. Blocks are counted singly, as all platforms but one do. */
const lookBackMax = 20;

type Part = "tools" | "system" | "messages";
/** A place for a mark, in the order in which the provider serialises: tools, system, messages. */
type Place = { readonly part: Part; readonly at: number; readonly block: number };
type Placed = Place & { readonly mark: Value };

type Outgoing = {
  readonly tools: readonly ObjectValue[];
  readonly system: readonly ObjectValue[];
  readonly messages: readonly ObjectValue[];
  /** The host's own request for automatic caching. */
  readonly automatic: Value | undefined;
};

/** Marks an outgoing request. What is marked is copied, frozen like the rest; what is not marked stays the same object. */
export function mark<R extends AnthropicRequest>(request: R, plan: MarkPlan): R {
  const out = outgoing(request);
  const host = hostMarks(out, plan.hostMarks);
  const room = cacheMarksMax - host.length - (out.automatic === undefined ? 0 : 1);
  if (plan.mode === "automatic" && host.length === 0 && out.automatic === undefined && mayBeAutomatic(request, out)) {
    return { ...request, cache_control: markOf(plan.ttl) };
  }
  const own = plan.mode === "planned" && room > 0 ? ownMarks(out, plan, host).slice(0, room) : [];
  return written(request, [...host, ...own]);
}

function outgoing(request: AnthropicRequest): Outgoing {
  const list = (value: unknown): readonly ObjectValue[] => (Array.isArray(value) ? value : []);
  const automatic = (request.cache_control ?? undefined) as Value | undefined;
  return { tools: list(request.tools), system: list(request.system), messages: list(request.messages), automatic };
}

function markOf(ttl: string | undefined): ObjectValue {
  return Object.freeze(ttl === undefined ? { type: "ephemeral" } : { type: "ephemeral", ttl });
}

/** Automatic caching puts the mark on the last block that may bear one, so there must be such a block; message threads refuse it. */
function mayBeAutomatic(request: AnthropicRequest, out: Outgoing): boolean {
  const { thread } = request as { readonly thread?: unknown };
  return (thread === undefined || thread === null) && (lastPlace(out, out.messages.length - 1) ?? headPlace(out)) !== undefined;
}

/** The host's marks where they may be: one on a block that bears none moves to the nearest before it, else to its message's last block that may. */
function hostMarks(out: Outgoing, marks: readonly HostMark[]): readonly Placed[] {
  if (marks.length === 0) return [];
  const placed = new Map<string, Placed>();
  const nearest = new Map<number, readonly number[]>();
  for (const hostMark of marks) {
    const place = hostPlace(out, hostMark, nearest);
    if (place === undefined) continue;
    const name = `${place.part} ${place.at} ${place.block}`;
    if (!placed.has(name)) placed.set(name, { ...place, mark: hostMark.mark });
  }
  return [...placed.values()];
}

/** `nearest` is filled once a message: a message of many marks is gone through once. */
function hostPlace(out: Outgoing, hostMark: HostMark, nearest: Map<number, readonly number[]>): Place | undefined {
  if (hostMark.part !== "messages") {
    return out[hostMark.part][hostMark.index] === undefined ? undefined : { part: hostMark.part, at: hostMark.index, block: 0 };
  }
  const at = hostMark.message;
  const bearing = nearest.get(at) ?? nearestBearing(bearers(out.messages[at]));
  nearest.set(at, bearing);
  const before = bearing[Math.min(hostMark.block, bearing.length - 1)];
  const block = before === undefined || before < 0 ? bearing.at(-1) : before;
  return block === undefined || block < 0 ? undefined : { part: "messages", at, block };
}

/** For each block the nearest at or before it that may bear a mark; -1 where there is none. */
function nearestBearing(blocks: readonly ObjectValue[]): readonly number[] {
  let last = -1;
  return blocks.map((block, index) => {
    if (mayBearMark(block) !== false) last = index;
    return last;
  });
}

/** A message's blocks that could bear a mark: none of a turn-scoped system message. */
function bearers(message: ObjectValue | undefined): readonly ObjectValue[] {
  if (!isObject(message) || message.clear_at === "next_user_message" || !Array.isArray(message.content)) return [];
  return message.content;
}

/** Our own marks, the most useful first: the end of what the next request repeats, the head apart, and the last request's end where look-back fails. */
function ownMarks(out: Outgoing, plan: MarkPlan, host: readonly Placed[]): readonly Placed[] {
  const tail = out.automatic === undefined ? lastPlace(out, plan.repeatsTo) : undefined;
  const lagging = plan.lagging === undefined ? undefined : lastPlace(out, plan.lagging);
  const needsLagging = lagging !== undefined && tail !== undefined && distance(out, lagging, tail) > lookBackMax;
  const wanted = [tail, headPlace(out), needsLagging ? lagging : undefined];
  const own: Placed[] = [];
  for (const place of wanted) {
    if (place === undefined || [...host, ...own].some((other) => samePlace(other, place))) continue;
    const fitting = fittingMark(place, plan.ttl, host, out.automatic);
    if (fitting !== undefined) own.push({ ...place, mark: fitting });
  }
  return own;
}

/** One hour never stands behind five minutes: ours is shortened behind a shorter mark of the host, and left out before a longer one. */
function fittingMark(place: Place, ttl: string | undefined, host: readonly Placed[], automatic: Value | undefined): Value | undefined {
  const shortBefore = host.some((other) => before(other, place) && !isLong(other.mark));
  if (ttl === "1h" && !shortBefore) return markOf(ttl);
  const longBehind = host.some((other) => before(place, other) && isLong(other.mark)) || (automatic !== undefined && isLong(automatic));
  return longBehind ? undefined : markOf(ttl === "1h" ? undefined : ttl);
}

export function isLong(mark: Value): boolean {
  return isObject(mark) && mark.ttl === "1h";
}

/** The last block that may bear a mark in the messages up to and with `to`. */
function lastPlace(out: Outgoing, to: number): Place | undefined {
  for (let at = Math.min(to, out.messages.length - 1); at >= 0; at--) {
    const blocks = bearers(out.messages[at]);
    for (let block = blocks.length - 1; block >= 0; block--) {
      if (mayBearMark(blocks[block] as ObjectValue) === true && !isBlankText(blocks[block] as ObjectValue))
        return { part: "messages", at, block };
    }
  }
  return undefined;
}

/** The end of the head: the last system block, else the last tool that is not loaded later. */
function headPlace(out: Outgoing): Place | undefined {
  const system = out.system.findLastIndex((block) => !isBlankText(block));
  if (system >= 0) return { part: "system", at: system, block: 0 };
  const tool = out.tools.findLastIndex((definition) => definition.defer_loading !== true);
  return tool >= 0 ? { part: "tools", at: tool, block: 0 } : undefined;
}

/** Blocks from one place to a later one. */
function distance(out: Outgoing, from: Place, to: Place): number {
  let blocks = to.block - from.block;
  for (let at = from.at; at < to.at && blocks <= lookBackMax; at++) {
    const { content } = out.messages[at] as ObjectValue;
    blocks += Array.isArray(content) ? content.length : 1;
  }
  return blocks;
}

const order: readonly Part[] = ["tools", "system", "messages"];

function before(a: Place, b: Place): boolean {
  return order.indexOf(a.part) - order.indexOf(b.part) < 0 || (a.part === b.part && (a.at < b.at || (a.at === b.at && a.block < b.block)));
}

function samePlace(a: Place, b: Place): boolean {
  return a.part === b.part && a.at === b.at && a.block === b.block;
}

function written<R extends AnthropicRequest>(request: R, marks: readonly Placed[]): R {
  const parts: Record<string, readonly ObjectValue[]> = {};
  for (const part of order) {
    const own = marks.filter((placed) => placed.part === part);
    if (own.length > 0) parts[part] = withMarks(request[part] as readonly ObjectValue[], own);
  }
  return marks.length === 0 ? request : { ...request, ...parts };
}

function withMarks(list: readonly ObjectValue[], marks: readonly Placed[]): readonly ObjectValue[] {
  const copy = [...list];
  for (const [at, own] of Map.groupBy(marks, (placed) => placed.at)) {
    const holder = copy[at] as ObjectValue;
    copy[at] = own[0]?.part === "messages" ? withBlocks(holder, own) : Object.freeze({ ...holder, cache_control: own[0]?.mark as Value });
  }
  return copy;
}

function withBlocks(message: ObjectValue, marks: readonly Placed[]): ObjectValue {
  const content = [...(message.content as readonly ObjectValue[])];
  for (const { block, mark: cache_control } of marks) content[block] = Object.freeze({ ...content[block], cache_control });
  return Object.freeze({ ...message, content: Object.freeze(content) });
}

/** Whether a request has a mark: at the top level, or on a block. Marks stand near the end, so it is looked for from there. */
export function asksForCache(request: AnthropicRequest): boolean {
  const { cache_control, system, tools, messages } = request as unknown as ObjectValue;
  if (cache_control != null) return true;
  if (holdsMark(system) || holdsMark(tools)) return true;
  const list = messages as readonly ObjectValue[];
  for (let at = list.length - 1; at >= 0; at--) if (holdsMark(list[at]?.content)) return true;
  return false;
}

function holdsMark(list: Value | undefined): boolean {
  if (!Array.isArray(list)) return false;
  for (const block of list) if (isObject(block) && block.cache_control != null) return true;
  return false;
}

/** Asks for the cache's diagnostics, generally available: facts 1.11. What the host asks for stands. */
export function comparedWith<R extends object>(request: R, replyId: string): R {
  return "diagnostics" in request ? request : { ...request, diagnostics: { previous_message_id: replyId } };
}
