import { defaultImageFormula, type ImageFormula } from "../../wire/image-tokens.ts";
import type { Profile } from "../../wire/profile.ts";

/** Ids without a geography, window, largest output, and what else is known. */
type Row = readonly [ids: string, context: number, output: number, more: Partial<Profile>];

const million = 1_000_000;

/** Facts 8.1: as Anthropic's own, where no ttl is asked for. */
const cacheLifetime = 300_000;

/** Claude takes cache points (facts 4), wants its thinking signed, and counts pictures by patches (facts 1.12). */
function claude(cacheTokensMin: number, more: Partial<Profile> = {}): Partial<Profile> {
  return { cacheTokensMin, cacheLifetime, traits: ["claude", "cache-points"], imageTokens: pictures, ...more };
}

const pictures: ImageFormula = { kind: "patches", side: 28, edgeMax: 2_576, patchesMax: 4_784 };
const older = { imageTokens: defaultImageFormula, prefill: true } as const;
/** 5.1 and later run the prefix check on Bedrock, too: facts 1.5. */
const binds = { bindsReasoning: "yes" } as const;

/** Cache points in system and messages, from 1,000 tokens on, for five minutes: user guide, prompt caching. */
const nova: Partial<Profile> = { cacheTokensMin: 1_000, cacheLifetime, traits: ["cache-points"] };

const opusLine = ["anthropic.claude-opus-5", "anthropic.claude-opus-4-8", "anthropic.claude-opus-4-7", "anthropic.claude-opus-4-6-v1"];
const sonnetLine = ["anthropic.claude-sonnet-5", "anthropic.claude-sonnet-4-6", "anthropic.claude-sonnet-4-5-20250929-v1:0"];

// Ids as recorded in 2026 (4.8 and older); the newest follow their form [inferred]. Figures of Claude: models overview, minima 1.11 and the Bedrock user guide on
// prompt caching; its readers: preserved-thinking page. Nova, Llama and the others: Bedrock user guide, model pages.
const rows: readonly Row[] = [
  ["anthropic.claude-opus-5-5", million, 128_000, claude(512, { ...binds, readsReasoningOf: opusLine })],
  ["anthropic.claude-sonnet-5-5", million, 128_000, claude(512, { ...binds, readsReasoningOf: sonnetLine })],
  ["anthropic.claude-haiku-5-5", million, 128_000, claude(512, binds)],
  ["anthropic.claude-fable-5-2 anthropic.claude-fable-5-1", million, 128_000, claude(512, binds)],
  ["anthropic.claude-opus-5 anthropic.claude-fable-5", million, 128_000, claude(512)],
  ["anthropic.claude-sonnet-5 anthropic.claude-sonnet-4-6 anthropic.claude-opus-4-8", million, 128_000, claude(1_024)],
  // 4,096 on Bedrock, 2,048 on Anthropic's own endpoint: facts 12, row 6.
  ["anthropic.claude-opus-4-7 anthropic.claude-opus-4-6-v1", million, 128_000, claude(4_096)],
  ["anthropic.claude-opus-4-5-20251101-v1:0 anthropic.claude-haiku-4-5-20251001-v1:0", 200_000, 64_000, claude(4_096, older)],
  ["anthropic.claude-sonnet-4-5-20250929-v1:0 anthropic.claude-sonnet-4-20250514-v1:0", 200_000, 64_000, claude(1_024, older)],
  ["anthropic.claude-opus-4-1-20250805-v1:0 anthropic.claude-opus-4-20250514-v1:0", 200_000, 32_000, claude(1_024, older)],
  ["anthropic.claude-3-7-sonnet-20250219-v1:0", 200_000, 64_000, claude(1_024, older)],
  ["amazon.nova-2-lite-v1:0", million, 65_536, nova],
  ["amazon.nova-pro-v1:0 amazon.nova-lite-v1:0", 300_000, 10_000, nova],
  ["amazon.nova-micro-v1:0", 128_000, 10_000, nova],
  ["deepseek.r1-v1:0", 128_000, 32_768, { traits: ["no-cache-points"] }],
  ["openai.gpt-oss-120b-1:0 openai.gpt-oss-20b-1:0", 128_000, 32_768, { traits: ["no-cache-points"] }],
  ["meta.llama4-maverick-17b-instruct-v1:0 meta.llama4-scout-17b-instruct-v1:0", 128_000, 8_192, { traits: ["no-cache-points"] }],
  ["qwen.qwen3-32b-v1:0", 32_768, 16_384, { traits: ["no-cache-points"] }],
];

/** Cross-region inference profiles: the model's id behind its geography (user guide, "Supported inference profiles"). */
const geographies = ["us", "us-gov", "eu", "apac", "jp", "au", "global"] as const;

/** By every id under which a model is asked for, with its id without geography. */
const models: ReadonlyMap<string, { readonly id: string; readonly row: Row }> = new Map(
  rows.flatMap((row) =>
    row[0]
      .split(" ")
      .flatMap((id) => [id, ...geographies.map((geography) => `${geography}.${id}`)].map((name) => [name, { id, row }] as const)),
  ),
);

/** The host's word for a model, else the table's. Against an unknown id, such as an inference profile's ARN, nothing is held, and nothing is marked. */
export function profileOf(name: string, own: Partial<Profile> = {}): Profile {
  const known = models.get(name);
  const [, context, outputMax, more] = known?.row ?? ["", 200_000, undefined, { prefill: true }];
  const id = known?.id ?? name;
  return {
    context,
    outputMax,
    bindsReasoning: "no",
    positionalSystem: false,
    prefill: false,
    cacheTokensMin: undefined,
    prices: undefined,
    traits: [],
    ...more,
    readsReasoningOf: known === undefined ? [] : [id, ...(more.readsReasoningOf ?? [])],
    ...own,
    id,
  };
}
