import type { Prices, Profile } from "../../wire/profile.ts";
import { byResolution, inTiles } from "./image-formulas.ts";

/** Refuses a call of the current turn that has no signature (GE-08): Gemini 3 and later. */
const signedCalls = ["signed-calls"];

function price(input: number, cacheRead: number, output: number): Prices {
  return { input, output, cacheRead, cacheWrite: {} };
}

/** Levels of thinking, by the Gemini 3 guide and Google Cloud's page on thinking, 2026. Models up to 2.5 take budgets, and no level. */
const levels: readonly string[] = ["minimal", "low", "medium", "high"];
const byBudget: Partial<Profile> = { traits: [], thinking: [], imageTokens: inTiles };

/** Ids, smallest cached prefix, and what is particular. All take 1,048,576 tokens and put out 65,536, unless they say otherwise. */
type Row = readonly [ids: string, cacheTokensMin: number | undefined, more?: Partial<Profile>];

/** Cache minima: caching page of November 2026 (facts 3.5). Writing to the implicit cache costs what input costs. Prices of the pro models go by the prompt's length, and are left out. */
const rows: readonly Row[] = [
  // Model page and pricing page, November 2026; the price holds through December 31, 2026.
  ["gemini-3.8-flash", 4_096, { prices: price(0.75, 0.075, 3.75), thinking: levels.slice(1) }],
  ["gemini-3.7-flash", 4_096, { prices: price(0.75, 0.075, 3.75) }],
  ["gemini-3.6-flash", 4_096, { prices: price(1.5, 0.15, 7.5) }], // pricing page
  ["gemini-3.5-flash", 4_096, { prices: price(1.5, 0.15, 9), thinking: levels }], // model page: deprecated, routed to 3.6
  ["gemini-3.1-pro-preview", 4_096], // model page
  ["gemini-3.1-flash-lite gemini-3.1-flash-lite-preview", undefined, { thinking: levels }], // model page
  ["gemini-3-pro-preview", undefined, { thinking: ["low", "high"] }], // model page
  ["gemini-3-flash-preview", undefined, { prices: price(0.5, 0.05, 3), thinking: levels }], // model and pricing page
  ["gemini-3-pro-image-preview", undefined, { context: 65_536, outputMax: 32_768, traits: [] }], // model page; does not check signatures: facts 3.2
  ["gemini-2.5-pro", 2_048, { ...byBudget }], // model page
  ["gemini-2.5-flash", 2_048, { prices: price(0.3, 0.03, 2.5), ...byBudget }], // model and pricing page
  ["gemini-2.5-flash-lite", 2_048, { prices: price(0.1, 0.01, 0.4), ...byBudget }], // model and pricing page
  ["gemini-2.5-flash-image", undefined, { context: 65_536, outputMax: 32_768, ...byBudget }], // model page
  // Model page; its reads cost a quarter (facts 3.5), of explicit caches only.
  ["gemini-2.0-flash gemini-2.0-flash-001", undefined, { outputMax: 8_192, prices: price(0.1, 0.025, 0.4), ...byBudget }],
];

const models: ReadonlyMap<string, Row> = new Map(rows.flatMap((row) => row[0].split(" ").map((id) => [id, row])));

/**
 * The host's word for a model, else the table's, else a conservative one: it asks for signed calls, as every newer model does. A resource name stands for its id:
 * `models/gemini-3.8-flash`, `publishers/google/models/gemini-3.8-flash`.
 */
export function profileOf(id: string, own: Partial<Profile> = {}): Profile {
  const [, cacheTokensMin, more] = models.get(id.replace(/^(?:.*\/)?models\//, "")) ?? ["", 4_096];
  return {
    context: 1_048_576,
    outputMax: 65_536,
    bindsReasoning: "no",
    readsReasoningOf: [],
    positionalSystem: false,
    // A history that ends on the model's turn is refused: crewAI's pull request 6973.
    prefill: false,
    prices: undefined,
    imageTokens: byResolution,
    traits: signedCalls,
    cacheTokensMin,
    ...more,
    ...own,
    id,
  };
}
