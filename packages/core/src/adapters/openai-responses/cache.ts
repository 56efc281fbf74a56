import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import { markMember, markNames } from "./marks.ts";
import { hasTrait } from "./models.ts";
import type { Route } from "./routes.ts";
import type { ResponsesRequest } from "./types.ts";
import { readItem } from "./view.ts";

/** So many breakpoints of a request are written; the one at the newest message, which the provider sets by itself, is among them: facts 2.6. */
export const breakpointsMax = 4;
/** Parts that may bear a breakpoint: facts 2.6. */
const markable: readonly Value[] = ["input_text", "input_image", "input_file"];
const lifetimes: readonly (string | undefined)[] = ["30m", "12h"];

type Place = { readonly item: number; readonly part: number };

/**
 * Puts the host's breakpoints back where their parts are now. Caching is automatic: from GPT-5.6 on the provider sets a breakpoint at the end of the
 * newest message, before that it caches whatever repeats. `planned` adds breakpoints where later requests read: the end of the head and of what
 * the next one is sure to repeat. A lifetime is asked for once, for the whole request.
 */
export function markRequest<R extends ResponsesRequest>(request: R, plan: MarkPlan, route: Route, profile: Profile): R {
  const input = request.input as readonly ObjectValue[];
  const isMarkable = route.breakpoints && (hasTrait(profile, "breakpoints") || plan.hostMarks.length > 0);
  const host = isMarkable ? hostPlaces(input, plan.hostMarks) : [];
  const options = lifetimeOptions(request, plan, route, profile);
  const own = plan.mode === "planned" && route.breakpoints && hasTrait(profile, "breakpoints") ? ownPlaces(input, plan, host) : [];
  if (host.length === 0 && own.length === 0) return options === undefined ? request : { ...request, prompt_cache_options: options };
  const marked = { ...request, input: withMarks(input, [...host, ...own]) };
  return options === undefined ? marked : { ...marked, prompt_cache_options: options };
}

/** The provider caches by itself, unless the request says that only breakpoints count and has none. */
export function asksForCache(request: ResponsesRequest): boolean {
  const { prompt_cache_options: options, input } = request as unknown as ObjectValue;
  if (!isObject(options) || options.mode !== "explicit") return true;
  return (
    isArray(input) && input.some((item) => isObject(item) && partsOf(item).some((part) => markNames.some((name) => isObject(part[name]))))
  );
}

/** Options with the lifetime of the session, where model and route know one and the host named none. */
function lifetimeOptions(request: object, { mode, ttl }: MarkPlan, route: Route, profile: Profile): ObjectValue | undefined {
  const { prompt_cache_options: options } = request as { readonly prompt_cache_options?: Value };
  const own = isObject(options) ? options : {};
  if (!route.lifetimes && own.ttl !== undefined) return Object.fromEntries(Object.entries(own).filter(([name]) => name !== "ttl"));
  if (mode === "off" || !route.lifetimes || !lifetimes.includes(ttl) || own.ttl !== undefined || !hasTrait(profile, "breakpoints"))
    return undefined;
  return { ...own, ttl: ttl as string };
}

type Marked = { readonly place: Place; readonly mark: Value };

/** A mark on what bears none (a call, an output that is a string) moves to the nearest part before it that may. */
function hostPlaces(input: readonly ObjectValue[], marks: readonly HostMark[]): readonly Marked[] {
  const head = marks.some(({ part }) => part === "system") ? headPlaces(input) : [];
  const nearest = marks.some(({ part }) => part === "messages") ? lastPlaces(input) : [];
  return marks.flatMap((mark) => {
    const place =
      mark.part === "messages"
        ? (unitPlace(input, mark.message, mark.block) ?? nearest[mark.message])
        : mark.part === "system"
          ? head[mark.index]
          : undefined;
    return place === undefined ? [] : [{ place, mark: mark.mark }];
  });
}

function ownPlaces(input: readonly ObjectValue[], { repeatsTo, ttl }: MarkPlan, host: readonly Marked[]): readonly Marked[] {
  const mark: Value = Object.freeze(lifetimes.includes(ttl) ? { mode: "explicit", ttl: ttl as string } : { mode: "explicit" });
  const wanted = [lastPlaces(input)[Math.min(repeatsTo, input.length - 1)], headPlaces(input).at(-1)];
  const room = Math.max(breakpointsMax - 1 - host.length, 0);
  return wanted
    .flatMap((place) => (place === undefined || host.some((other) => samePlace(other.place, place)) ? [] : [{ place, mark }]))
    .slice(0, room);
}

/** The part of a unit, where that may be marked; else the nearest before it in the same item. */
function unitPlace(input: readonly ObjectValue[], item: number, unit: number): Place | undefined {
  const native = input[item];
  if (native === undefined) return undefined;
  const { units } = readItem(native);
  const fields = units.filter(({ kind }) => kind === "fields").length;
  const parts = partsOf(native);
  const last = units.length === 1 && units[0]?.kind === "result" ? parts.length - 1 : unit - fields;
  for (let part = Math.min(last, parts.length - 1); part >= 0; part--) if (isMarkable(parts[part])) return { item, part };
  return undefined;
}

/** For each item its last part that may be marked, else that of the nearest item before. */
function lastPlaces(input: readonly ObjectValue[]): readonly (Place | undefined)[] {
  let nearest: Place | undefined;
  return input.map((native, item) => {
    const part = partsOf(native).findLastIndex(isMarkable);
    if (part >= 0) nearest = { item, part };
    return nearest;
  });
}

/** The parts of the leading system and developer messages, in order. */
function headPlaces(input: readonly ObjectValue[]): readonly Place[] {
  const end = input.findIndex(({ role, content }) => (role !== "system" && role !== "developer") || !isArray(content));
  const leading = end < 0 ? input : input.slice(0, end);
  return leading.flatMap((native, item) => partsOf(native).map((_, part) => ({ item, part })));
}

function partsOf({ content, output }: ObjectValue): readonly ObjectValue[] {
  const parts = content ?? output;
  return isArray(parts) ? parts.filter(isObject) : [];
}

function isMarkable(part: ObjectValue | undefined): boolean {
  return part !== undefined && markable.includes(part.type ?? null) && part.text !== "";
}

function samePlace(a: Place, b: Place): boolean {
  return a.item === b.item && a.part === b.part;
}

function withMarks(input: readonly ObjectValue[], marks: readonly Marked[]): readonly ObjectValue[] {
  const copies = [...input];
  for (const [at, own] of Map.groupBy(marks, ({ place }) => place.item)) {
    const native = input[at] as ObjectValue;
    const name = isArray(native.content) ? "content" : "output";
    const parts = [...partsOf(native)];
    for (const { place, mark } of own) parts[place.part] = Object.freeze({ ...(parts[place.part] as ObjectValue), ...markMember(mark) });
    copies[at] = Object.freeze({ ...native, [name]: Object.freeze(parts) });
  }
  return copies;
}

/** Asks for the cache's diagnostics: facts 2.6. The options came with GPT-5.6. */
export function comparedWith<R extends ResponsesRequest>(request: R, replyId: string, profile: Profile): R {
  const { prompt_cache_options: options } = request as { readonly prompt_cache_options?: Value };
  const asks = isObject(options) && options.comparison_response_id !== undefined;
  if (asks || !hasTrait(profile, "breakpoints")) return request;
  return { ...request, prompt_cache_options: { ...(isObject(options) ? options : {}), comparison_response_id: replyId } };
}
