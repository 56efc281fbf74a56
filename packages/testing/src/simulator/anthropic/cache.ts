import type { ObjectValue, Profile, Value } from "@tidemark/core";
import { type CacheStore, cacheStore } from "../cache-store.ts";
import { type Clock, hourMs, minuteMs } from "../clock.ts";
import { digest } from "../digest.ts";
import { objectOf, sortedJson, stringOf } from "../json.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { type KeyOrder, type MessagesPart, type Part, type Position, positionReader } from "./positions.ts";

/** Positions that are looked at before each breakpoint (prompt caching page). */
const lookBackMax = 20;

export type CacheReading = {
  readonly account: CacheAccount;
  /** Makes the writes readable: called when the response begins. */
  begin(): void;
  /** What a later request's `diagnostics` is compared with. */
  readonly fingerprint: Fingerprint;
  /** Whether this request's messages start with those of another. */
  repeats(messages: string): boolean;
};

/** The prompt as the diagnostics see it: parameters apart from text. */
export type Fingerprint = {
  readonly model: string;
  readonly tools: string;
  readonly system: string;
  readonly params: string;
  readonly messages: string;
  /** Tokens up to the last breakpoint: what a next request could read. */
  readonly cachedTokens: number;
};

/** One place of the whole prompt, with the key of the prefix that ends there. */
type Place = Position & { readonly seed: string };

export interface PromptCache {
  read(request: ObjectValue, context: CacheContext): CacheReading;
}

type CacheContext = {
  readonly profile: Profile;
  readonly betas: readonly string[];
  readonly dropped: ReadonlyMap<number, ReadonlySet<number>>;
};

/**
 * The cache account of one workspace (prompt caching page). Read: the longest prefix that ends at a breakpoint or at one of the 20 places
 * before it and was written by a request whose response has begun, in its time to live, under the same parameters. Written: from there to
 * the last breakpoint. Prefixes below the model's minimum are neither.
 */
export function promptCache(clock: Clock, options: { readonly keyOrder: KeyOrder }): PromptCache {
  const store = cacheStore(clock);
  const reader = positionReader(options.keyOrder);
  return {
    read: (request, context) => {
      const parts = { tools: reader.tools(request), system: reader.system(request), messages: reader.messages(request, context.dropped) };
      const seeds = seedsOf(request, context, parts);
      const places = placesOf(parts, seeds);
      const breakpoints = breakpointsOf(places, request);
      const minimum = context.profile.cacheTokensMin ?? 0;
      const read = longestRead(places, breakpoints, store);
      const prompt = places.at(-1)?.tokens ?? 0;
      const writable = breakpoints.filter(({ place }) => place.tokens >= minimum);
      const account = accountOf(prompt, read, breakpoints, writable);
      return {
        account,
        begin: () => {
          for (const { place, ttl } of writable) store.put(keyOf(place), lifetimes[ttl] ?? lifetimes["5m"]);
        },
        repeats: (messages) => messages === "" || parts.messages.positions.some((position) => position.digest === messages),
        fingerprint: fingerprintOf(request, parts, seeds, writable.at(-1)?.place.tokens ?? 0),
      };
    },
  };
}

const lifetimes: { readonly "5m": number } & Readonly<Record<string, number>> = { "5m": 5 * minuteMs, "1h": hourMs };

type Parts = { readonly tools: Part; readonly system: Part; readonly messages: MessagesPart };
type Seeds = { readonly tools: string; readonly system: string; readonly messages: string; readonly params: string };
type Breakpoint = { readonly index: number; readonly place: Place; readonly ttl: string };

/** The invalidation matrix of the prompt caching page: what a parameter's change kills is mixed in at that tier and reaches all behind it. */
function seedsOf(request: ObjectValue, { profile, betas }: CacheContext, { tools, system, messages }: Parts): Seeds {
  const { format = null, effort = null, ...output } = objectOf(request.output_config);
  const all = sortedJson([[...betas].sort(), request.context_management ?? null, format]);
  const atSystem = sortedJson([request.speed ?? null, request.mcp_servers ?? null, messages.end.hasCitations]);
  const chosen = [beyond(request.tool_choice, "auto"), beyond(request.thinking, defaultThinking(profile))];
  const atMessages = sortedJson([...chosen, effort === defaultEffort(profile) ? null : effort, output, messages.end.hasPicture]);
  const toolsSeed = digest(`tools\n${profile.id}\n${all}`);
  const systemSeed = digest(`system\n${toolsSeed}\n${tools.end.digest}\n${atSystem}`);
  const messagesSeed = digest(`messages\n${systemSeed}\n${system.end.digest}\n${atMessages}`);
  return { tools: toolsSeed, system: systemSeed, messages: messagesSeed, params: all + atSystem + atMessages };
}

/** Writing the default out is the same as leaving it away. */
function beyond(value: Value | undefined, type: string): Value {
  const members = Object.entries(objectOf(value)).filter(([name, member]) => member !== null && !(name === "type" && member === type));
  return Object.fromEntries(members);
}

function defaultThinking(profile: Profile): string {
  return profile.traits.includes("thinks-unasked") ? "adaptive" : "disabled";
}

function defaultEffort(profile: Profile): string {
  return profile.traits.includes("effort-medium") ? "medium" : "high";
}

function placesOf(parts: Parts, seeds: Seeds): readonly Place[] {
  const places: Place[] = [];
  let tokens = 0;
  let ordinal = 0;
  for (const name of ["tools", "system", "messages"] as const) {
    for (const position of parts[name].positions) {
      places.push({ ...position, tokens: tokens + position.tokens, ordinal: ordinal + position.ordinal, seed: seeds[name] });
    }
    tokens += parts[name].end.tokens;
    ordinal += parts[name].end.ordinal;
  }
  return places;
}

function breakpointsOf(places: readonly Place[], request: ObjectValue): readonly Breakpoint[] {
  const automatic = request.cache_control;
  const asked = automatic !== undefined && automatic !== null;
  const last = asked ? places.findLastIndex((place) => place.markable) : -1;
  const list: Breakpoint[] = [];
  for (const [index, place] of places.entries()) {
    const ttl = place.mark ?? (index === last ? stringOf(objectOf(automatic).ttl) || "5m" : undefined);
    if (ttl !== undefined) list.push({ index, place, ttl });
  }
  return list;
}

/** Using an entry keeps it for another lifetime, without a fee. */
function longestRead(places: readonly Place[], breakpoints: readonly Breakpoint[], store: CacheStore): number {
  for (const { index, place } of breakpoints.toReversed()) {
    for (let at = index; at >= 0; at--) {
      const candidate = places[at];
      if (candidate === undefined || place.ordinal - candidate.ordinal > lookBackMax) break;
      if (store.use(keyOf(candidate))) return candidate.tokens;
    }
  }
  return 0;
}

function accountOf(prompt: number, read: number, breakpoints: readonly Breakpoint[], writable: readonly Breakpoint[]): CacheAccount {
  const writtenByLifetime: Record<string, number> = {};
  let reached = read;
  for (const { place, ttl } of writable) {
    if (place.tokens <= reached) continue;
    writtenByLifetime[ttl] = (writtenByLifetime[ttl] ?? 0) + place.tokens - reached;
    reached = place.tokens;
  }
  return {
    prompt,
    read,
    written: reached - read,
    writtenByLifetime,
    uncached: prompt - reached,
    breakpoints: breakpoints.map(({ place, ttl }) => ({
      tokens: place.tokens,
      ttl,
      writable: writable.some((other) => other.place === place),
    })),
  };
}

function keyOf(place: Place): string {
  return place.seed + place.digest;
}

function fingerprintOf(request: ObjectValue, parts: Parts, seeds: Seeds, cachedTokens: number): Fingerprint {
  return {
    model: `${stringOf(request.model)} ${stringOf(request.speed)}`,
    tools: parts.tools.end.digest,
    system: parts.system.end.digest,
    params: seeds.params,
    messages: parts.messages.lasting,
    cachedTokens,
  };
}
