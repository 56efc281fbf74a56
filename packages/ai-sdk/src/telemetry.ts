import type { JSONObject, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Settled, Turn } from "@tidemark/core";

/** What a result says under `providerMetadata.tidemark`: what became of its prompt, in figures and paths. No word of the conversation is among it. */
export type TidemarkMetadata = {
  /** Messages that the prompt repeats of the one before, and those behind them. */
  readonly kept: number;
  readonly appended: number;
  /** Where the prompt stops repeating the one before; `voids`: reasoning parts that are no longer sent. */
  readonly checkpoints: readonly {
    readonly reason: string;
    readonly class: string;
    readonly path: string;
    readonly tokens: number;
    readonly voids: number;
    readonly hint?: string;
  }[];
  /** How often what was put right; what was not is absent. */
  readonly repairs: Readonly<Record<string, number>>;
  /** The call's tokens, in the same words for every provider; what it does not report is absent. */
  readonly usage: Readonly<Record<string, number>>;
};

/** The result's metadata with Tidemark's own: the AI SDK hands them to `onStepEnd` and to what listens to its telemetry. */
export function withMetadata(given: SharedV4ProviderMetadata | undefined, turn: Turn, settled: Settled): SharedV4ProviderMetadata {
  return { ...given, tidemark: metadataOf(turn, settled) as unknown as JSONObject };
}

function metadataOf({ continuity, repairs }: Turn, { usage }: Settled): TidemarkMetadata {
  const { kept, appended, checkpoints } = continuity;
  return {
    kept,
    appended,
    checkpoints: checkpoints.map(({ reason, class: kind, path, tokens, voids, hint }) => {
      return { reason, class: kind, path, tokens, voids: voids.length, ...(hint !== undefined && { hint }) };
    }),
    repairs: figuresOf(Object.entries(repairs).map(([name, of]) => [name, typeof of === "number" ? of : of.length])),
    usage: figuresOf(Object.entries(usage)),
  };
}

function figuresOf(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0));
}
