import type { ObjectValue, Profile } from "@tidemark/core";
import { cacheStore } from "../cache-store.ts";
import { type Clock, hourMs, minuteMs } from "../clock.ts";
import { digest, link } from "../digest.ts";
import { objectOf, stringOf } from "../json.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { unitsPerToken } from "../tokens.ts";
import { headPieces, itemPieces, type Piece, settingsOf, tailPieces } from "./pieces.ts";

/** What of a request is rendered: its items without reasoning that does not count here. */
type Rendered = {
  readonly request: ObjectValue;
  readonly items: readonly ObjectValue[];
  readonly profile: Profile;
  readonly scope: string;
};

/** The provider's prompt cache: asked when a request arrives, written when its response begins. */
export interface ResponsesCache {
  read(rendered: Rendered): { readonly account: CacheAccount; begin(): void };
}

const tokensMin = 1_024;
const writesMax = 4;
const lookUpMax = 80;
const lifetimes: Readonly<Record<string, number>> = { "30m": 30 * minuteMs, "12h": 12 * hourMs };

/** A place where a prefix may have been written. `ttl`: of an explicit breakpoint that names one. */
type Boundary = {
  readonly digest: string;
  readonly tokens: number;
  readonly explicit: boolean;
  readonly end: boolean;
  readonly ttl: string;
};

/**
 * GPT-5.6 and later (guide of 2026-09-20): a prefix is read exactly where an earlier request wrote one, and nowhere shorter. Ends of user messages, of a
 * batch's last output and of the first developer messages are boundaries, and so are explicit breakpoints; the newest end and the latest
 * three explicit ones are written, four explicit ones in `explicit` mode.
 */
export function breakpointCache(clock: Clock): ResponsesCache {
  const store = cacheStore(clock);
  return {
    read: (rendered) => {
      const { boundaries, prompt } = boundariesOf(rendered);
      const isExplicit = objectOf(rendered.request.prompt_cache_options).mode === "explicit";
      const candidates = boundaries.filter(({ explicit, end }) => explicit || (end && !isExplicit)).slice(-lookUpMax);
      const newest = isExplicit ? undefined : boundaries.findLast(({ end }) => end);
      const marked = boundaries
        .filter((boundary) => boundary.explicit && boundary !== newest)
        .slice(-(writesMax - (newest === undefined ? 0 : 1)));
      const writes = [...marked, ...(newest === undefined ? [] : [newest])]
        .filter(({ tokens }) => tokens >= tokensMin)
        .sort((a, b) => a.tokens - b.tokens);
      const read = candidates.findLast((boundary) => store.use(boundary.digest))?.tokens ?? 0;
      const writtenByLifetime = writtenBehind(read, writes);
      const written = Object.values(writtenByLifetime).reduce((sum, tokens) => sum + tokens, 0);
      return {
        account: {
          prompt,
          read,
          written,
          writtenByLifetime,
          uncached: prompt - read - written,
          breakpoints: candidates
            .filter((boundary) => boundary.explicit || boundary === newest)
            .map((boundary) => ({ tokens: boundary.tokens, ttl: boundary.ttl, writable: writes.includes(boundary) })),
        },
        begin: () => {
          for (const boundary of writes) store.put(boundary.digest, lifetimes[boundary.ttl] ?? 30 * minuteMs);
        },
      };
    },
  };
}

/** Earlier models: whatever prefix repeats, in whole steps, without marks and without a fee for writing. */
export function blockCache(clock: Clock): ResponsesCache {
  const store = cacheStore(clock);
  return {
    read: (rendered) => {
      const pieces = allPieces(rendered);
      const prompt = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
      const step = stepTokens(rendered.profile.id);
      const blocks = blockDigests(seedOf(rendered), pieces, step);
      const missing = blocks.findIndex((block) => !store.use(block));
      const common = (missing < 0 ? blocks.length : missing) * step;
      const read = common >= tokensMin ? common : 0;
      const isLong = rendered.request.prompt_cache_retention === "24h" || rendered.profile.id.startsWith("gpt-5.5");
      return {
        account: { prompt, read, written: 0, writtenByLifetime: {}, uncached: prompt - read, breakpoints: [] },
        begin: () => {
          for (const block of blocks) store.put(block, isLong ? 24 * hourMs : 5 * minuteMs);
        },
      };
    },
  };
}

/** `cached_tokens` is a multiple of this: facts 2.6. */
export function stepTokens(model: string): number {
  return model.startsWith("gpt-5.5") ? 2_048 : 128;
}

function seedOf({ request, profile, scope }: Rendered): string {
  return digest(`${scope}\n${settingsOf(request, profile.id)}`);
}

function allPieces({ request, items, profile }: Rendered): readonly Piece[] {
  return [...headPieces(request, profile), ...items.flatMap(itemPieces), ...tailPieces(request, profile)];
}

function boundariesOf(rendered: Rendered): { readonly boundaries: readonly Boundary[]; readonly prompt: number } {
  const { request, items, profile } = rendered;
  const usual = stringOf(objectOf(request.prompt_cache_options).ttl) || "30m";
  const boundaries: Boundary[] = [];
  let at = { digest: seedOf(rendered), tokens: 0 };
  const pass = (pieces: readonly Piece[], isEnd: boolean): void => {
    for (const [index, { text, tokens, mark }] of pieces.entries()) {
      at = { digest: link(at.digest, text), tokens: at.tokens + tokens };
      const end = isEnd && index === pieces.length - 1;
      if (end || mark !== undefined) boundaries.push({ ...at, explicit: mark !== undefined, end, ttl: stringOf(mark?.ttl) || usual });
    }
  };
  pass(headPieces(request, profile), false);
  for (const [index, item] of items.entries()) pass(itemPieces(item), isEnd(items, index));
  pass(tailPieces(request, profile), false);
  return { boundaries, prompt: at.tokens };
}

function isEnd(items: readonly ObjectValue[], index: number): boolean {
  const item = items[index];
  if (isOutput(item)) return !isOutput(items[index + 1]);
  if (item?.role === "user") return true;
  return isInstruction(item) && !isInstruction(items[index + 1]) && items.slice(0, index).every(isInstruction);
}

function isOutput(item: ObjectValue | undefined): boolean {
  return stringOf(item?.type).endsWith("_output");
}

function isInstruction(item: ObjectValue | undefined): boolean {
  return item?.role === "developer" || item?.role === "system";
}

/** What is written behind the place that was read, each stretch with the lifetime of the boundary that it ends at. */
function writtenBehind(read: number, writes: readonly Boundary[]): Readonly<Record<string, number>> {
  const byLifetime: Record<string, number> = {};
  let from = read;
  for (const { tokens, ttl } of writes) {
    if (tokens <= from) continue;
    byLifetime[ttl] = (byLifetime[ttl] ?? 0) + tokens - from;
    from = tokens;
  }
  return byLifetime;
}

/** Chained digests of the prompt's whole blocks. */
function blockDigests(seed: string, pieces: readonly Piece[], step: number): readonly string[] {
  const text = pieces.map((piece) => piece.text).join("");
  const units = step * unitsPerToken;
  const digests: string[] = [];
  let last = seed;
  for (let at = units; at <= text.length; at += units) {
    last = link(last, text.slice(at - units, at));
    digests.push(last);
  }
  return digests;
}
