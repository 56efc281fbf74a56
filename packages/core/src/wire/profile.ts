import type { ImageFormula } from "./image-tokens.ts";

/**
 * What a model can do and what it costs, as data. A wire has one table; an id is looked up exactly (or by a documented alias), never by
 * prefix. An unknown id gets the wire's conservative profile.
 */
export type Profile = {
  readonly id: string;
  /** Total window in tokens. */
  readonly context: number;
  /** Largest output in tokens; undefined: not known. */
  readonly outputMax: number | undefined;
  /** Whether signed reasoning is valid only behind the exact prefix it was made over. `may` counts as yes (rule 27). */
  readonly bindsReasoning: "yes" | "may" | "no";
  /** Ids of other models whose reasoning this model reads. Its own is always read. */
  readonly readsReasoningOf: readonly string[];
  /** Whether a system or developer message may stand behind a user turn. */
  readonly positionalSystem: boolean;
  /** The first message must be the user's. Absent: as the wire's abilities say. */
  readonly userFirst?: boolean;
  /** Whether a request may end in an assistant message. */
  readonly prefill: boolean;
  /** Smallest prefix in tokens that is cached; undefined: not known. */
  readonly cacheTokensMin: number | undefined;
  /** Milliseconds for which a cached prefix is kept without use, where a request does not ask for a lifetime. Absent: not known, or until its room is needed. */
  readonly cacheLifetime?: number;
  /** US dollars a million tokens; undefined: not known. */
  readonly prices: Prices | undefined;
  /** How the provider counts a picture. Absent: `defaultImageFormula`. */
  readonly imageTokens?: ImageFormula;
  /** Tokens that this model makes of a text for one of o200k. Absent: 1. */
  readonly textScale?: number;
  /** Values of the wire's thinking parameter (type, effort, level) that the model takes. Absent: not known, and none is held against it. Empty: it takes none. */
  readonly thinking?: readonly string[];
  /** What may be changed behind the head in the provider's own form, without a change of what was sent (rules 24 and 25). Absent: nothing. */
  readonly inBand?: readonly InBandChange[];
  /** The provider compacts what it was sent when asked to, and signs it (rule 42). Absent: no. */
  readonly compacts?: boolean;
  /** Where the provider renders an `instructions` field: ahead of the input, as a part of the prefix, or behind it. Absent: ahead. */
  readonly instructions?: "ahead" | "behind";
  /** Beginnings of the media types that the model takes: `image/`, `application/pdf`; empty: none. Others go as a line that says so (rule 14). Absent: not known, and all go. */
  readonly media?: readonly string[];
  /** Names of further abilities that only the wire's own rules and rendering look at. */
  readonly traits: readonly string[];
};

/** `turn-system`: a system message for one turn (`clear_at`). `tools`: tools come and go. `effort`, `format`: effort or output schema from here on. */
type InBandChange = "turn-system" | "tools" | "effort" | "format";

/** US dollars a million tokens. */
export type Prices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** By lifetime: `{ "5m": 5, "1h": 8 }`. Empty: writing costs what input costs. */
  readonly cacheWrite: { readonly [ttl: string]: number };
};
