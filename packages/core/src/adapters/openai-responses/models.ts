import { defaultImageFormula, type ImageFormula } from "../../wire/image-tokens.ts";
import type { Prices, Profile } from "../../wire/profile.ts";

/**
 * What only this wire's own rules and rendering look at. `reasons`: replies have reasoning items. `current-turn`: earlier turns' reasoning is not
 * rendered unless asked for. `breakpoints`: the cache is read exactly where it was written, and parts may be marked. `no-sampling`: it refuses sampling parameters.
 */
export type Trait = "reasons" | "current-turn" | "breakpoints" | "no-sampling";

/** Ids, window, largest output. An id stands for itself alone; `@` names its dated forms: `gpt-5@2025-08-07` is `gpt-5` and `gpt-5-2025-08-07`. */
type Row = readonly [ids: string, context: number, output: number, images: ImageFormula, traits: readonly Trait[], more?: Partial<Profile>];

function patches(multiplier: number, limits: { readonly edgeMax?: number; readonly patchesMax: number }): ImageFormula {
  return { kind: "patches", side: 32, multiplier, ...limits };
}

function tiles(base: number, tile: number): ImageFormula {
  return { kind: "tiles", side: 512, edgeMax: 2_048, shortSide: 768, base, tile };
}

// How pictures are counted: facts 2.8. More than 30,000 patches are refused (OR-20); nothing is scaled down before.
const unscaled = patches(1, { patchesMax: 30_000 });
const small = { edgeMax: 2_048, patchesMax: 1_536 } as const;

function prices(input: number, cacheRead: number, output: number, write?: number, writeLong?: number): Partial<Profile> {
  const cacheWrite = { ...(write === undefined ? {} : { "30m": write }), ...(writeLong === undefined ? {} : { "12h": writeLong }) };
  return { prices: { input, output, cacheRead, cacheWrite } satisfies Prices };
}

// Breakpoints and reasoning of all turns from GPT-5.6 on (facts 2.4, 2.6); no sampling from 6 on, no effort `none` on some (2.1); instructions, the prefix check and the guide on keeping the prefix from 6.2 on (0.1, 2.3, 2.4).
const v5: readonly Trait[] = ["reasons", "current-turn"];
const v56: readonly Trait[] = ["reasons", "breakpoints"];
const v6: readonly Trait[] = [...v56, "no-sampling"];
/** Every value of `ReasoningEffort` (openai 7.59.0) that is not refused: facts 2.1. */
const efforts: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const thinks: Partial<Profile> = { thinking: efforts.slice(1) };
/** Models that do not reason take no effort. */
const unthinking: Partial<Profile> = { thinking: [] };
/** GPT-6.2: the prefix check, instructions behind the input, changes in band. */
const sealed = { ...thinks, bindsReasoning: "yes", instructions: "behind", inBand: ["effort", "format"] } as const;

const rows: readonly Row[] = [
  ["gpt-6.2-sol", 1_050_000, 128_000, unscaled, v6, { ...sealed, ...prices(2, 0.1, 10, 2.5, 5) }], // facts 2.6
  ["gpt-6.2-astra", 1_050_000, 128_000, unscaled, v6, sealed], // facts 2.6; its cached price is not verified
  ["gpt-6.1-sol", 1_050_000, 128_000, unscaled, v6, { thinking: efforts.slice(2), ...prices(2, 0.1, 10, 2.5) }], // facts 2.1, 2.6
  ["gpt-6-astra", 1_050_000, 128_000, unscaled, v6, { ...thinks, ...prices(10, 1, 50, 12.5) }], // facts 2.1, 2.6
  ["gpt-6.1-terra gpt-6-sol gpt-6-luna", 1_050_000, 128_000, unscaled, v6], // facts 2.6
  ["gpt-5.6-sol", 1_050_000, 128_000, unscaled, v56, prices(4, 0.4, 20, 5)], // facts 2.6
  ["gpt-5.6-terra", 1_050_000, 128_000, unscaled, v56], // facts 2.6
  ["gpt-5.6-luna", 1_050_000, 128_000, unscaled, v56, prices(0.2, 0.02, 1.2, 0.25)], // model page
  ["gpt-5.5@2026-04-23", 1_050_000, 128_000, patches(1, { edgeMax: 6_000, patchesMax: 10_000 }), v5, prices(5, 0.5, 30)], // facts 2.6
  ["gpt-5.4", 1_050_000, 128_000, patches(1, { edgeMax: 2_048, patchesMax: 2_500 }), v5, prices(2.5, 0.25, 15)], // model page
  ["gpt-5.4-mini@2026-03-17", 400_000, 128_000, patches(1.62, small), v5], // announcement, 2026-03-17
  ["gpt-5.4-nano@2026-03-17", 400_000, 128_000, patches(2.46, small), v5, prices(0.2, 0.02, 1.25)], // announcement, 2026-03-17
  ["gpt-5.2@2025-12-11", 400_000, 128_000, patches(1, small), v5], // model page
  ["gpt-5.3-codex", 400_000, 128_000, patches(1, small), v5], // model page; "Codex" in facts 2.8
  ["gpt-5.1@2025-11-13 gpt-5@2025-08-07", 400_000, 128_000, tiles(70, 140), v5], // model pages
  ["gpt-5-mini@2025-08-07", 400_000, 128_000, patches(1.62, small), v5], // model page
  ["gpt-5-nano@2025-08-07", 400_000, 128_000, patches(2.46, small), v5], // model page
  ["o4-mini@2025-04-16", 200_000, 100_000, patches(1.72, small), v5], // model page
  ["o3@2025-04-16 o1@2024-12-17", 200_000, 100_000, tiles(75, 150), v5], // model pages
  ["o3-mini@2025-01-31", 200_000, 100_000, defaultImageFormula, v5], // model page; takes no pictures
  ["gpt-4.1@2025-04-14", 1_047_576, 32_768, tiles(85, 170), [], unthinking], // model page
  ["gpt-4.1-mini@2025-04-14", 1_047_576, 32_768, patches(1.62, small), [], unthinking], // model page
  ["gpt-4.1-nano@2025-04-14", 1_047_576, 32_768, patches(2.46, small), [], unthinking], // model page
  ["gpt-4o@2024-11-20@2024-08-06", 128_000, 16_384, tiles(85, 170), [], unthinking], // model page
  ["gpt-4o-mini@2024-07-18", 128_000, 16_384, tiles(2_833, 5_667), [], unthinking], // model page
];

const models: ReadonlyMap<string, Row> = new Map(
  rows.flatMap((row) =>
    row[0]
      .split(" ")
      .flatMap(idsOf)
      .flatMap((id) => [
        [id, row],
        [`openai/${id}`, row],
      ]),
  ),
);

/** A model of which nothing is known: a small window, and reasoning that may be bound to its prefix. */
const unknown: Row = ["", 128_000, 0, defaultImageFormula, [], { bindsReasoning: "may", outputMax: undefined }];

/** The host's word for a model, else the table's, else the conservative one. Ids of OpenRouter bear the maker's name. */
export function profileOf(id: string, own: Partial<Profile> = {}): Profile {
  const [, context, outputMax, imageTokens, traits, more] = models.get(id) ?? unknown;
  return {
    context,
    outputMax,
    bindsReasoning: "no",
    readsReasoningOf: [],
    // A developer message may stand anywhere; it is how instructions are changed (facts 2.3).
    positionalSystem: true,
    prefill: false,
    cacheTokensMin: 1_024, // facts 2.6
    // Facts 2.6: at least half an hour from GPT-5.6 on; five to ten minutes before, an hour where there is room.
    cacheLifetime: traits.includes("breakpoints") ? 1_800_000 : 300_000,
    prices: undefined,
    traits,
    imageTokens,
    ...more,
    ...own,
    id,
  };
}

export function hasTrait(profile: Profile, trait: Trait): boolean {
  return profile.traits.includes(trait);
}

function idsOf(named: string): readonly string[] {
  const [id = "", ...dates] = named.split("@");
  return [id, ...dates.map((date) => `${id}-${date}`)];
}
