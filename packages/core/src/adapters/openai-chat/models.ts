import type { Prices, Profile } from "../../wire/profile.ts";
import type { Dialect } from "./dialects.ts";
import { imageFormula } from "./image-formulas.ts";

/** Ids, window, largest output. An id stands for itself alone; `@` names its dated forms: `gpt-5@2025-08-07` is `gpt-5` and `gpt-5-2025-08-07`. */
type Row = readonly [ids: string, context: number, output: number, more?: Partial<Profile>];

/** Reasoning models take `max_completion_tokens` (OC-08), some take tools on the Responses surface only (OC-09). */
const reasons = ["max-completion-tokens"];
/** From GPT-5.6 on at least half an hour: facts 2.6. */
const halfHour = 1_800_000;
const toolsElsewhere = [...reasons, "tools-in-responses-only"];

/** The only lifetime on this surface is 30 minutes: facts 2.6. */
function prices(input: number, cacheRead: number, output: number, cacheWrite?: number): Prices {
  return { input, output, cacheRead, cacheWrite: cacheWrite === undefined ? {} : { "30m": cacheWrite } };
}

/** Claude behind OpenRouter caches nothing without a mark (facts 5); windows 1.12 and minima 1.11 are the upstream's. */
function claude(cacheTokensMin: number, textScale: number, bindsReasoning: Profile["bindsReasoning"] = "no"): Partial<Profile> {
  return { traits: ["cache-control"], cacheTokensMin, cacheLifetime: 300_000, textScale, bindsReasoning };
}

/** Tokens of Claude for one of o200k: see the Anthropic wire's `token-figures.ts`. */
const [before47, from47] = [1.2, 1.55];

const rows: readonly Row[] = [
  ["gpt-6.2-sol gpt-6.1-sol", 1_050_000, 128_000, { cacheLifetime: halfHour, prices: prices(2, 0.1, 10, 2.5), traits: toolsElsewhere }], // facts 2.1, 2.6
  ["gpt-6-astra", 1_050_000, 128_000, { cacheLifetime: halfHour, prices: prices(10, 1, 50, 12.5), traits: toolsElsewhere }], // facts 2.1, 2.6
  ["gpt-6.2-astra", 1_050_000, 128_000, { cacheLifetime: halfHour, traits: toolsElsewhere }], // facts 2.6; its cached price is not verified
  ["gpt-6.1-terra gpt-6-sol gpt-6-luna gpt-5.6-terra", 1_050_000, 128_000, { cacheLifetime: halfHour, traits: reasons }], // facts 2.6; gateway model pages, 2026-07
  ["gpt-5.6-sol", 1_050_000, 128_000, { cacheLifetime: halfHour, prices: prices(4, 0.4, 20, 5), traits: reasons }], // facts 2.6
  ["gpt-5.6-luna", 1_050_000, 128_000, { cacheLifetime: halfHour, prices: prices(0.2, 0.02, 1.2, 0.25), traits: reasons }], // model page
  ["gpt-5.5@2026-04-23", 1_050_000, 128_000, { prices: prices(5, 0.5, 30), traits: reasons }], // facts 2.6
  ["gpt-5.4", 1_050_000, 128_000, { prices: prices(2.5, 0.25, 15), traits: reasons }], // model page
  ["gpt-5.4-mini@2026-03-17", 400_000, 128_000, { traits: reasons }], // announcement, 2026-03-17
  ["gpt-5.4-nano@2026-03-17", 400_000, 128_000, { prices: prices(0.2, 0.02, 1.25), traits: reasons }], // announcement, 2026-03-17
  ["gpt-5.2@2025-12-11 gpt-5.1@2025-11-13", 400_000, 128_000, { traits: reasons }], // model pages
  ["gpt-5@2025-08-07 gpt-5-mini@2025-08-07 gpt-5-nano@2025-08-07", 400_000, 128_000, { traits: reasons }], // model pages
  ["o4-mini@2025-04-16 o3@2025-04-16 o3-mini@2025-01-31 o1@2024-12-17", 200_000, 100_000, { traits: reasons }], // model pages
  ["gpt-4.1@2025-04-14 gpt-4.1-mini@2025-04-14 gpt-4.1-nano@2025-04-14", 1_047_576, 32_768], // model pages
  ["gpt-4o@2024-11-20@2024-08-06 gpt-4o-mini@2024-07-18", 128_000, 16_384], // model pages
  ["gpt-4-turbo@2024-04-09", 128_000, 4_096], // model page
  ["gpt-4@0613", 8_192, 8_192], // model page
  ["gpt-3.5-turbo@0125", 16_385, 4_096], // model page
  // The window that a refusal named in 2026 (recorded), the range of max_tokens: facts 6.1.
  ["deepseek-v4-pro deepseek-v4-flash deepseek-v4.1-flash deepseek-flash deepseek-chat deepseek-reasoner", 1_048_565, 393_216],
  // Effort values (MI-08): facts 6.2. The window is the conservative one.
  ["mistral-small-latest mistral-medium-latest", 128_000, 128_000, { thinking: ["none", "high"] }],
  // The upstream runs the prefix check: facts 1.5.
  [gateway("fable-5.2 fable-5.1 opus-5.5 sonnet-5.5 haiku-5.5"), 1_000_000, 128_000, claude(512, from47, "yes")],
  [gateway("opus-5 fable-5"), 1_000_000, 128_000, claude(512, from47)], // facts 1.11
  [gateway("sonnet-5 opus-4.8"), 1_000_000, 128_000, claude(1_024, from47)], // facts 1.11
  [gateway("sonnet-4.6"), 1_000_000, 128_000, claude(1_024, before47)], // facts 1.11
  [gateway("opus-4.7"), 1_000_000, 128_000, claude(2_048, from47)], // facts 1.11
  [gateway("opus-4.6"), 1_000_000, 128_000, claude(4_096, before47)], // facts 1.11
  [gateway("sonnet-4.5 sonnet-4"), 200_000, 64_000, claude(1_024, before47)], // facts 1.11
  [gateway("haiku-4.5 opus-4.5"), 200_000, 64_000, claude(4_096, before47)], // facts 1.11
];

const models: ReadonlyMap<string, Row> = new Map(
  rows.flatMap((row) =>
    row[0]
      .split(" ")
      .flatMap(idsOf)
      .map((id) => [id, row]),
  ),
);

/** The host's word for a model, else the table's, else the dialect's, which is conservative. */
export function profileOf(id: string, dialect: Dialect, own: Partial<Profile> = {}): Profile {
  const [, context, outputMax, more] = models.get(id) ?? ["", 128_000, undefined];
  const { positionalSystem, prefill, cacheTokensMin, cacheLifetime } = dialect;
  const unknown = { bindsReasoning: "no", readsReasoningOf: [], prices: undefined, traits: [] } as const;
  const ofDialect = { positionalSystem, prefill, cacheTokensMin, ...(cacheLifetime === undefined ? {} : { cacheLifetime }) };
  return { ...unknown, context, outputMax, ...ofDialect, ...more, imageTokens: imageFormula(id), ...own, id };
}

function idsOf(named: string): readonly string[] {
  const [id = "", ...dates] = named.split("@");
  return [id, ...dates.map((date) => `${id}-${date}`)];
}

function gateway(models: string): string {
  return models.replace(/\S+/g, "anthropic/claude-$&");
}
