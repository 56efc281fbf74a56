import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import { innerOf, isBlankText, isCachePoint, kindOf, listOf } from "./blocks.ts";
import type { BedrockRequest } from "./request.ts";

export const cacheMarksMax = 4;
/** How many earlier blocks the provider looks at for something already written: facts 4. */
const lookBackMax = 20;

type Part = "tools" | "system" | "messages";
/** Behind which block a cache point stands; of system and tools `at` alone counts. */
type Place = { readonly part: Part; readonly at: number; readonly block: number };
type Placed = Place & { readonly mark: Value };
type Outgoing = { readonly [part in Part]: readonly ObjectValue[] };

/**
 * Sets cache points, blocks of their own behind what they mark. There is no automatic caching for a whole request (facts 4), so `automatic` is planned, too: behind the end of what the next
 * request repeats, behind the head, and behind the last request's end where the look-back does not reach it. Models of which it is not known that they take points get the host's only.
 */
export function mark<R extends BedrockRequest>(request: R, plan: MarkPlan, profile: Profile): R {
  const out = outgoing(request);
  const host = plan.hostMarks.flatMap((hostMark) => hostPlace(out, hostMark) ?? []);
  const own = plan.mode === "off" || !profile.traits.includes("cache-points") ? [] : ownMarks(out, plan, host);
  const marks = apart([...host, ...own]).slice(0, cacheMarksMax);
  return marks.length === 0 ? request : withPoints(request, out, marks);
}

function outgoing(request: BedrockRequest): Outgoing {
  const { system, messages, toolConfig } = request as unknown as ObjectValue;
  const objects = (list: Value | undefined): readonly ObjectValue[] => listOf(list).filter(isObject);
  return { tools: objects(isObject(toolConfig) ? toolConfig.tools : undefined), system: objects(system), messages: objects(messages) };
}

/** One on a block that bears none moves to the nearest before it, else to its message's last block that may. */
function hostPlace(out: Outgoing, hostMark: HostMark): Placed | undefined {
  const { mark: given } = hostMark;
  if (hostMark.part !== "messages") {
    return out[hostMark.part][hostMark.index] === undefined
      ? undefined
      : { part: hostMark.part, at: hostMark.index, block: 0, mark: given };
  }
  const blocks = contentOf(out.messages[hostMark.message]);
  const before = blocks.slice(0, hostMark.block + 1).findLastIndex(isMarkable);
  const block = before < 0 ? blocks.findLastIndex(isMarkable) : before;
  return block < 0 ? undefined : { part: "messages", at: hostMark.message, block, mark: given };
}

/** One hour never stands behind five minutes (AN-10): beside marks of another lifetime there are none of ours. */
function ownMarks(out: Outgoing, plan: MarkPlan, host: readonly Placed[]): readonly Placed[] {
  if (host.some(({ mark: given }) => lifetimeOf(given) !== (plan.ttl ?? "5m"))) return [];
  const point = Object.freeze({ cachePoint: Object.freeze({ type: "default", ...(plan.ttl === undefined ? {} : { ttl: plan.ttl }) }) });
  const tail = lastPlace(out, plan.repeatsTo);
  const lagging = plan.lagging === undefined ? undefined : lastPlace(out, plan.lagging);
  const needsLagging = lagging !== undefined && tail !== undefined && distance(out, lagging, tail) > lookBackMax;
  return [tail, headPlace(out), needsLagging ? lagging : undefined].flatMap((place) =>
    place === undefined ? [] : { ...place, mark: point },
  );
}

function lifetimeOf(given: Value): Value {
  const point = isObject(given) ? innerOf(given, "cachePoint") : undefined;
  return point?.ttl ?? "5m";
}

function lastPlace(out: Outgoing, to: number): Place | undefined {
  for (let at = Math.min(to, out.messages.length - 1); at >= 0; at--) {
    const block = contentOf(out.messages[at]).findLastIndex(isMarkable);
    if (block >= 0) return { part: "messages", at, block };
  }
  return undefined;
}

/** The end of the head: the last system block, else the last tool. */
function headPlace({ system, tools }: Outgoing): Place | undefined {
  if (system.length > 0) return { part: "system", at: system.length - 1, block: 0 };
  return tools.length > 0 ? { part: "tools", at: tools.length - 1, block: 0 } : undefined;
}

/** Never behind reasoning: the block before may not be reasoning alone (facts 1.11). */
function isMarkable(block: ObjectValue): boolean {
  return kindOf(block) !== "reasoningContent" && !isBlankText(block);
}

function contentOf(message: ObjectValue | undefined): readonly ObjectValue[] {
  return listOf(message?.content).filter(isObject);
}

function distance(out: Outgoing, from: Place, to: Place): number {
  let blocks = to.block - from.block;
  for (let at = from.at; at < to.at && blocks <= lookBackMax; at++) blocks += contentOf(out.messages[at]).length;
  return blocks;
}

/** The first mark of each place. */
function apart(marks: readonly Placed[]): readonly Placed[] {
  return marks.filter((mark, index) => marks.findIndex((other) => samePlace(mark, other)) === index);
}

function samePlace(a: Place, b: Place): boolean {
  return a.part === b.part && a.at === b.at && a.block === b.block;
}

function withPoints<R extends BedrockRequest>(request: R, out: Outgoing, marks: readonly Placed[]): R {
  const marked: Record<string, unknown> = {};
  const of = (part: Part): readonly Placed[] => marks.filter((placed) => placed.part === part);
  if (of("system").length > 0) marked.system = behind(out.system, of("system"), "at");
  if (of("tools").length > 0) {
    const { toolConfig } = request as unknown as { readonly toolConfig: object };
    marked.toolConfig = { ...toolConfig, tools: behind(out.tools, of("tools"), "at") };
  }
  if (of("messages").length > 0) {
    const byMessage = Map.groupBy(of("messages"), ({ at }) => at);
    marked.messages = out.messages.map((message, at) => {
      const own = byMessage.get(at);
      return own === undefined ? message : Object.freeze({ ...message, content: behind(contentOf(message), own, "block") });
    });
  }
  return { ...request, ...marked };
}

function behind(blocks: readonly ObjectValue[], marks: readonly Placed[], place: "at" | "block"): readonly Value[] {
  const points = new Map(marks.map((placed) => [placed[place], placed.mark]));
  return Object.freeze(
    blocks.flatMap((block, index) => {
      const point = points.get(index);
      return point === undefined ? [block] : [block, point];
    }),
  );
}

/** Whether a request has a cache point. They stand near the end, so it is looked for from there. */
export function asksForCache(request: BedrockRequest): boolean {
  const { system, messages, toolConfig } = request as unknown as ObjectValue;
  const contents = listOf(messages).map((message) => (isObject(message) ? message.content : undefined));
  const tools = isObject(toolConfig) ? toolConfig.tools : undefined;
  return [system, tools, ...contents].toReversed().some((list) => isArray(list) && list.some(isCachePoint));
}
