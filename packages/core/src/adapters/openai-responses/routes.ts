import type { Wire } from "../../wire/wire.ts";
import type { CompactionForm } from "./compaction.ts";

export type RouteName = "openai" | "azure" | "chatgpt-plan" | "openrouter" | "xai";

/** What differs between the ways to a Responses server, as data. The host names its route; it is never guessed (rule 61). */
export type Route = {
  /** Top-level members that are refused there: they are left out. */
  readonly refuses: readonly string[];
  /** Members that a request must have there. */
  readonly sets: Readonly<Record<string, string | boolean>>;
  /** System messages are refused: they go out as the developer's. */
  readonly developer: boolean;
  /** Parts may be marked for the cache (GPT-5.6 and later). */
  readonly breakpoints: boolean;
  /** A lifetime of the cache may be asked for. */
  readonly lifetimes: boolean;
  /** How the conversation is compacted there on demand; undefined: it is not, as far as is known. */
  readonly compaction?: CompactionForm | undefined;
  /** Items that change tools and settings are known to be taken: those of OpenAI's own servers (facts 2.3). */
  readonly inBand: boolean;
  /** It says on request why its cache does not help, in comparison with an earlier response. */
  readonly diagnoses: boolean;
  /** Under which names a session is known there. */
  readonly identity: NonNullable<Wire["identity"]>;
};

// `prompt_cache_key` routes requests of one prefix to one cache: facts 2.6.
const plain: Route = {
  refuses: [],
  sets: {},
  developer: false,
  breakpoints: true,
  lifetimes: true,
  inBand: true,
  diagnoses: true,
  identity: { field: "prompt_cache_key" },
};

export const routes: Readonly<Record<RouteName, Route>> = {
  openai: { ...plain, compaction: "endpoint" },
  // Types of 2026-11: the same surface; `prompt_cache_key` is recommended there (facts 12, row 10).
  azure: plain,
  // Facts 2.7, OR-22.
  // Without these headers hardly anything is read from the cache there; they are for a plan's credential only.
  "chatgpt-plan": {
    identity: { field: "prompt_cache_key", headers: ["session-id", "thread-id", "x-client-request-id"] },
    refuses: ["max_output_tokens", "prompt_cache_retention"],
    sets: { store: false, stream: true },
    developer: true,
    breakpoints: true,
    lifetimes: false,
    // The backend removed the endpoint: facts 2.5.
    compaction: "trigger",
    inBand: true,
    diagnoses: false,
  },
  // Marks and options are converted for the upstream: facts 5.
  openrouter: { ...plain, inBand: false, diagnoses: false, identity: { field: "session_id", headers: ["x-session-id"] } },
  // "OR-* minus breakpoints": facts 6.3. Caching is automatic, by server.
  xai: {
    ...plain,
    inBand: false,
    diagnoses: false,
    breakpoints: false,
    lifetimes: false,
    refuses: ["prompt_cache_options", "prompt_cache_retention"],
  },
};
