import { type OwnProfiles, ownProfiles } from "../../wire/own-profiles.ts";
import type { Prices, Profile } from "../../wire/profile.ts";
import { imageFormula, textScale } from "./token-figures.ts";

/** What rules and rendering of this wire ask of a model beyond the common profile. An unknown model has none but `unknown`: nothing is held against it. */
export type Trait =
  | "unknown"
  /** Thinks when a request does not say how. */
  | "thinks-unasked"
  | "refuses-adaptive"
  | "refuses-enabled"
  | "refuses-disabled"
  | "refuses-between_tools"
  /** Takes `disabled` up to effort `high` only. */
  | "disabled-to-high"
  | "refuses-forced-tools"
  /** Takes no sampling parameter but its default. */
  | "refuses-sampling"
  /** Answers a positional system message as one that has never heard of them. */
  | "unexpected-system"
  /** Effort is `medium` unless asked for; elsewhere `high`. */
  | "effort-medium";

export function hasTrait(profile: Profile, trait: Trait): boolean {
  return profile.traits.includes(trait);
}

export function effortByDefault(profile: Profile): string {
  return hasTrait(profile, "effort-medium") ? "medium" : "high";
}

const million = 1_000_000;
const outputMax = 128_000;

// Anthropic's pricing page: writing costs 1.25 times the input for 5 minutes and twice for an hour; reading a tenth, less on newer models.
function price(input: number, output: number, cacheRead: number): Prices {
  return { input, output, cacheRead, cacheWrite: { "5m": input * 1.25, "1h": input * 2 } };
}

const opusPrice = price(5, 25, 0.5);
const sonnetPrice = price(3, 15, 0.3);

// Thinking parameter table and migration guides of 2026: which forms a generation refuses.
const before46: readonly Trait[] = ["refuses-adaptive", "refuses-between_tools", "unexpected-system"];
const of46: readonly Trait[] = ["refuses-between_tools", "unexpected-system"];
const of47: readonly Trait[] = ["refuses-between_tools", "refuses-enabled", "refuses-sampling"];
const opus5: readonly Trait[] = [...of47, "thinks-unasked", "disabled-to-high"];
const always: readonly Trait[] = [...of47, "thinks-unasked", "refuses-disabled"];
const always51: readonly Trait[] = [...always, "refuses-forced-tools"];

// Preserved-thinking page of 2026-09-26: a newer model reads the older ones of its line. What is not sure to be read is not listed.
const opusLine = [
  "claude-opus-5",
  "claude-opus-4-8",
  "claude-opus-4-7",
  "claude-opus-4-6",
  "claude-opus-4-5",
  "claude-opus-4-1",
  "claude-opus-4",
];
const sonnetLine = ["claude-sonnet-5", "claude-sonnet-4-6", "claude-sonnet-4-5", "claude-sonnet-4"];
const fable5 = ["claude-fable-5", "claude-mythos-5", "claude-mythos-preview"];
const fable51 = ["claude-fable-5-1", "claude-mythos-5-1", ...fable5];

type Row = Partial<Profile> & { readonly traits: readonly Trait[] };

/** Messages of role `system` that change tools and effort or hold for one turn: mid-conversation pages of July and August 2026, with a beta header each. */
const inBand: Profile["inBand"] = ["turn-system", "tools", "effort"];

/** Every model has this unless its row says otherwise. */
const usual: Omit<Profile, "id" | "traits"> = {
  context: million,
  outputMax,
  bindsReasoning: "no",
  readsReasoningOf: [],
  positionalSystem: false,
  prefill: false,
  cacheTokensMin: 1024,
  // Prompt caching page: five minutes from the last use, where no ttl is asked for.
  cacheLifetime: 300_000,
  prices: undefined,
  // On-demand compaction page, September 2026: 4.6 and later.
  compacts: true,
};

/** 5.1 and later: preserved thinking page, `supportedModels`, November 2026. AWS names fewer models; the larger set is the safe one. */
const bound = { bindsReasoning: "yes", positionalSystem: true, inBand, cacheTokensMin: 512 } as const;
const positional = { positionalSystem: true, inBand, cacheTokensMin: 512 } as const;
/** 4.5 and older: window and output of the models overview page; prefill was dropped with 4.6. */
const older = { context: 200_000, outputMax: 64_000, prefill: true, compacts: false } as const;

// Sources: `Model` of @anthropic-ai/sdk 1.14.0 for the ids, model pages and pricing page (October 2026) for figures, prompt caching page for minima,
// mid-conversation system page (November 2026) for positional system messages.
const rows: Readonly<Record<string, Row>> = {
  // Fable 5.2: minimum inferred from 5.1; blocks of 5.2 are read by 5.2 alone.
  "claude-fable-5-2": { ...bound, prices: price(8, 40, 0.2), traits: always51, readsReasoningOf: ["claude-mythos-5-2", ...fable51] },
  "claude-mythos-5-2": { ...bound, traits: always51, readsReasoningOf: ["claude-fable-5-2", ...fable51] },
  "claude-fable-5-1": { ...bound, prices: price(10, 50, 0.25), traits: always51, readsReasoningOf: [...fable51, ...opusLine] },
  "claude-mythos-5-1": { ...bound, prices: price(10, 50, 0.25), traits: always51, readsReasoningOf: [...fable51, ...opusLine] },
  "claude-opus-5-5": { ...bound, prices: price(4, 20, 0.2), traits: [...always51, "effort-medium"], readsReasoningOf: opusLine },
  // Sonnet 5.5: `disabled` is refused and names between_tools (migration guide); reads are 0.10 since 2026-10-07.
  "claude-sonnet-5-5": {
    ...bound,
    prices: price(2, 10, 0.1),
    traits: ["refuses-enabled", "refuses-disabled", "refuses-sampling", "thinks-unasked", "refuses-forced-tools"],
    readsReasoningOf: sonnetLine,
  },
  // Haiku 5.5: prices are those of prompts up to 100,000 tokens; five times as much above. Drops all foreign thinking.
  "claude-haiku-5-5": {
    ...bound,
    prices: price(0.1, 0.5, 0.01),
    traits: ["refuses-enabled", "refuses-sampling", "thinks-unasked", "disabled-to-high", "effort-medium"],
  },
  "claude-fable-5": { ...positional, prices: price(10, 50, 1), traits: always, readsReasoningOf: fable5 },
  "claude-mythos-5": { ...positional, prices: price(10, 50, 1), traits: always, readsReasoningOf: fable5 },
  "claude-opus-5": { ...positional, prices: opusPrice, traits: opus5, readsReasoningOf: opusLine.slice(1) },
  // Sonnet 5: thinking on by default (migration guide); no positional system messages.
  "claude-sonnet-5": { prices: price(2, 10, 0.2), traits: [...of47, "thinks-unasked"], readsReasoningOf: sonnetLine.slice(1) },
  "claude-opus-4-8": { positionalSystem: true, inBand, prices: opusPrice, traits: of47, readsReasoningOf: opusLine.slice(2) },
  // Opus 4.7: Bedrock caches from 4,096 tokens.
  "claude-opus-4-7": { cacheTokensMin: 2048, prices: opusPrice, traits: of47, readsReasoningOf: opusLine.slice(3) },
  // Mythos Preview: thinks always; no price list.
  "claude-mythos-preview": { cacheTokensMin: 2048, traits: [...of46, "thinks-unasked", "refuses-disabled"] },
  "claude-opus-4-6": { cacheTokensMin: 4096, prices: opusPrice, traits: of46, readsReasoningOf: opusLine.slice(4) },
  "claude-sonnet-4-6": { prices: sonnetPrice, traits: of46, readsReasoningOf: sonnetLine.slice(2) },
  "claude-haiku-4-5": { ...older, cacheTokensMin: 4096, prices: price(1, 5, 0.1), traits: before46 },
  "claude-opus-4-5": { ...older, cacheTokensMin: 4096, prices: opusPrice, traits: before46, readsReasoningOf: opusLine.slice(5) },
  "claude-sonnet-4-5": { ...older, prices: sonnetPrice, traits: before46, readsReasoningOf: sonnetLine.slice(3) },
  // Retired on the Claude API, served by Bedrock and Google Cloud.
  "claude-opus-4-1": { ...older, outputMax: 32_000, prices: price(15, 75, 1.5), traits: before46, readsReasoningOf: ["claude-opus-4"] },
  "claude-opus-4": { ...older, outputMax: 32_000, prices: price(15, 75, 1.5), traits: before46 },
  "claude-sonnet-4": { ...older, prices: sonnetPrice, traits: before46 },
};

/** Documented second names (model ids and versions page): dated ids before 4.6; none of the later ids has one. */
const aliases: Readonly<Record<string, string>> = {
  "claude-haiku-4-5-20251001": "claude-haiku-4-5",
  "claude-opus-4-5-20251101": "claude-opus-4-5",
  "claude-sonnet-4-5-20250929": "claude-sonnet-4-5",
  "claude-opus-4-1-20250805": "claude-opus-4-1",
  "claude-opus-4-20250514": "claude-opus-4",
  "claude-opus-4-0": "claude-opus-4",
  "claude-sonnet-4-20250514": "claude-sonnet-4",
  "claude-sonnet-4-0": "claude-sonnet-4",
};

/** What is known of no model: the small window, no ability that could be refused, and thinking that may be bound. */
const unknown: Row = {
  context: 200_000,
  outputMax: undefined,
  bindsReasoning: "may",
  cacheTokensMin: undefined,
  compacts: false,
  traits: ["unknown"],
};

const table: ReadonlyMap<string, Row> = new Map(Object.entries(rows));
const names: ReadonlyMap<string, string> = new Map(Object.entries(aliases));

/** A lookup with the host's own figures on top. Of a model that only the host knows nothing is refused but what it says itself. */
export function profiles(own?: OwnProfiles): (model: string) => Profile {
  const look = ownProfiles(own);
  const made = new Map<string, { readonly profile: Profile; readonly set: Partial<Profile> | undefined }>();
  return (model) => {
    const set = look(model);
    const known = made.get(model);
    if (known !== undefined && known.set === set) return known.profile;
    const profile = profileOf(names.get(model) ?? model, set);
    if (table.has(profile.id) || set !== undefined) made.set(model, { profile, set });
    return profile;
  };
}

function profileOf(id: string, set: Partial<Profile> | undefined): Profile {
  const row = table.get(id);
  const { traits } = row ?? unknown;
  return Object.freeze({
    ...usual,
    id,
    imageTokens: imageFormula(id),
    textScale: textScale(id),
    ...(row !== undefined && { thinking: thinkingForms.filter((form) => !traits.includes(`refuses-${form}`)) }),
    ...(row ?? unknown),
    ...(set !== undefined && row === undefined && { traits: [] }),
    ...set,
  });
}

/** `thinking.type`, as far as this wire knows it. */
const thinkingForms = ["adaptive", "enabled", "disabled", "between_tools"] as const;

/** Whether the table has a row for a model. */
export function isKnownModel(model: string): boolean {
  return table.has(names.get(model) ?? model);
}
