import type { Prices, Profile } from "../../wire/profile.ts";
import type { Dialect } from "./dialects.ts";
import { imageFormula } from "./image-formulas.ts";

type Row = {
  readonly ids: string;
  readonly context: number;
  readonly output: number;
  readonly prices?: Prices;
  /** See {@link Profile.traits}: `max-completion-tokens` (OC-08), `tools-in-responses-only` (OC-09), `cache-control`, `effort-none-or-high` (MI-08). */
  readonly traits?: readonly string[];
  readonly bindsReasoning?: "yes";
  readonly cacheTokensMin?: number;
};

const reasons = ["max-completion-tokens"];
const reasonsWithoutTools = ["max-completion-tokens", "tools-in-responses-only"];

/** Writes cost 1.25 times the input for 30 minutes, the only lifetime on this surface: facts 2.6. */
function prices(input: number, cacheRead: number, output: number, cacheWrite?: number): Prices {
  return { input, output, cacheRead, cacheWrite: cacheWrite === undefined ? {} : { "30m": cacheWrite } };
}

/** Ids stand for themselves: a dated one is listed, never derived. */
const openaiModels: readonly Row[] = [
  { ids: "gpt-6.2-sol", context: 1_050_000, output: 128_000, prices: prices(2, 0.1, 10, 2.5), traits: reasonsWithoutTools }, // facts 2.1, 2.6
  { ids: "gpt-6.2-astra", context: 1_050_000, output: 128_000, traits: reasonsWithoutTools }, // facts 2.6; cached price not verified
  { ids: "gpt-6.1-sol", context: 1_050_000, output: 128_000, prices: prices(2, 0.1, 10, 2.5), traits: reasonsWithoutTools }, // facts 2.1, 2.6
  { ids: "gpt-6-astra", context: 1_050_000, output: 128_000, prices: prices(10, 1, 50, 12.5), traits: reasonsWithoutTools }, // facts 2.1, 2.6
  { ids: "gpt-6.1-terra gpt-6-sol gpt-6-luna", context: 1_050_000, output: 128_000, traits: reasons }, // facts 2.6
  { ids: "gpt-5.6-sol", context: 1_050_000, output: 128_000, prices: prices(4, 0.4, 20, 5), traits: reasons }, // facts 2.6
  { ids: "gpt-5.6-terra", context: 1_050_000, output: 128_000, traits: reasons }, // gateway model pages, 2026-07
  { ids: "gpt-5.6-luna", context: 1_050_000, output: 128_000, prices: prices(0.2, 0.02, 1.2, 0.25), traits: reasons }, // model page
  { ids: "gpt-5.5 gpt-5.5-2026-04-23", context: 1_050_000, output: 128_000, prices: prices(5, 0.5, 30), traits: reasons }, // facts 2.6
  { ids: "gpt-5.4", context: 1_050_000, output: 128_000, prices: prices(2.5, 0.25, 15), traits: reasons }, // model page
  { ids: "gpt-5.4-mini gpt-5.4-mini-2026-03-17", context: 400_000, output: 128_000, traits: reasons }, // announcement, 2026-03-17
  {
    ids: "gpt-5.4-nano gpt-5.4-nano-2026-03-17",
    context: 400_000,
    output: 128_000,
    prices: prices(0.2, 0.02, 1.25),
    traits: reasons,
  }, // announcement, 2026-03-17
  { ids: "gpt-5.2 gpt-5.2-2025-12-11 gpt-5.1 gpt-5.1-2025-11-13", context: 400_000, output: 128_000, traits: reasons }, // model pages
  {
    ids: "gpt-5 gpt-5-2025-08-07 gpt-5-mini gpt-5-mini-2025-08-07 gpt-5-nano gpt-5-nano-2025-08-07",
    context: 400_000,
    output: 128_000,
    traits: reasons,
  }, // model pages
  {
    ids: "gpt-4.1 gpt-4.1-2025-04-14 gpt-4.1-mini gpt-4.1-mini-2025-04-14 gpt-4.1-nano gpt-4.1-nano-2025-04-14",
    context: 1_047_576,
    output: 32_768,
  }, // model pages
  {
    ids: "o4-mini o4-mini-2025-04-16 o3 o3-2025-04-16 o3-mini o3-mini-2025-01-31 o1 o1-2024-12-17",
    context: 200_000,
    output: 100_000,
    traits: reasons,
  }, // model pages
  { ids: "gpt-4o gpt-4o-2024-11-20 gpt-4o-2024-08-06 gpt-4o-mini gpt-4o-mini-2024-07-18", context: 128_000, output: 16_384 }, // model pages
  { ids: "gpt-4-turbo gpt-4-turbo-2024-04-09", context: 128_000, output: 4_096 }, // model page
  { ids: "gpt-4 gpt-4-0613", context: 8_192, output: 8_192 }, // model page
  { ids: "gpt-3.5-turbo gpt-3.5-turbo-0125", context: 16_385, output: 4_096 }, // model page
];

const otherModels: readonly Row[] = [
  // The context is what a refusal named in 2026, the output is the range of max_tokens: recorded reply, facts 6.1.
  {
    ids: "deepseek-v4-pro deepseek-v4-flash deepseek-v4.1-flash deepseek-flash deepseek-chat deepseek-reasoner",
    context: 1_048_565,
    output: 393_216,
  },
  // Effort values: facts 6.2. The context is the conservative one.
  { ids: "mistral-small-latest mistral-medium-latest", context: 128_000, output: 128_000, traits: ["effort-none-or-high"] },
  // Claude behind OpenRouter caches nothing without a mark: facts 5. Windows 1.12, prefix check 1.5, minima 1.11, which hold upstream.
  {
    ids: "anthropic/claude-fable-5.2 anthropic/claude-fable-5.1 anthropic/claude-opus-5.5 anthropic/claude-sonnet-5.5 anthropic/claude-haiku-5.5",
    context: 1_000_000,
    output: 128_000,
    traits: ["cache-control"],
    bindsReasoning: "yes",
    cacheTokensMin: 512,
  },
  {
    ids: "anthropic/claude-opus-5 anthropic/claude-fable-5",
    context: 1_000_000,
    output: 128_000,
    traits: ["cache-control"],
    cacheTokensMin: 512,
  },
  {
    ids: "anthropic/claude-sonnet-5 anthropic/claude-sonnet-4.6 anthropic/claude-opus-4.8",
    context: 1_000_000,
    output: 128_000,
    traits: ["cache-control"],
    cacheTokensMin: 1_024,
  },
  { ids: "anthropic/claude-opus-4.7", context: 1_000_000, output: 128_000, traits: ["cache-control"], cacheTokensMin: 2_048 },
  { ids: "anthropic/claude-opus-4.6", context: 1_000_000, output: 128_000, traits: ["cache-control"], cacheTokensMin: 4_096 },
  {
    ids: "anthropic/claude-sonnet-4.5 anthropic/claude-sonnet-4",
    context: 200_000,
    output: 64_000,
    traits: ["cache-control"],
    cacheTokensMin: 1_024,
  },
  {
    ids: "anthropic/claude-haiku-4.5 anthropic/claude-opus-4.5",
    context: 200_000,
    output: 64_000,
    traits: ["cache-control"],
    cacheTokensMin: 4_096,
  },
];

const rows: ReadonlyMap<string, Row> = new Map(
  [...openaiModels, ...otherModels].flatMap((row) => row.ids.split(" ").map((id) => [id, row])),
);

/** The window of a model of which nothing is known. */
const contextUnknown = 128_000;

/** The host's word for a model, else the table's, else the dialect's conservative profile. */
export function profileOf(id: string, dialect: Dialect, own: Partial<Profile> = {}): Profile {
  const row = rows.get(id);
  return {
    context: row?.context ?? contextUnknown,
    outputMax: row?.output,
    bindsReasoning: row?.bindsReasoning ?? "no",
    readsReasoningOf: [],
    positionalSystem: dialect.positionalSystem,
    prefill: dialect.prefill,
    cacheTokensMin: row?.cacheTokensMin ?? dialect.cacheTokensMin,
    prices: row?.prices,
    traits: row?.traits ?? [],
    imageTokens: imageFormula(id),
    ...own,
    id,
  };
}
