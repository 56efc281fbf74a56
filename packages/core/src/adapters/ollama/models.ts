import type { Profile } from "../../wire/profile.ts";

/** Ids with their tags, and the largest window that the model was trained for. */
type Row = readonly [ids: string, context: number, more?: Partial<Profile>];

/** Abilities that a library page lists for none of its tags. */
const unthinking: Partial<Profile> = { thinking: [] };

/** Library pages of 2026: the context column of each tag. What a request really gets is its `num_ctx` (`askedFor` of the wire). */
const rows: readonly Row[] = [
  ["gpt-oss gpt-oss:latest gpt-oss:20b gpt-oss:120b", 131_072, { thinking: ["low", "medium", "high"] }],
  ["qwen3:0.6b qwen3:1.7b qwen3:8b qwen3:14b qwen3:32b", 40_960],
  ["qwen3:latest qwen3 qwen3:4b qwen3:30b qwen3:235b qwen3-coder qwen3-coder:latest qwen3-coder:30b qwen3-coder:480b", 262_144],
  [
    "deepseek-r1 deepseek-r1:latest deepseek-r1:1.5b deepseek-r1:7b deepseek-r1:8b deepseek-r1:14b deepseek-r1:32b deepseek-r1:70b",
    131_072,
  ],
  ["llama3.1 llama3.1:latest llama3.1:8b llama3.1:70b llama3.2 llama3.2:latest llama3.2:1b llama3.2:3b", 131_072, unthinking],
  ["llama3.3 llama3.3:latest llama3.3:70b mistral-nemo mistral-nemo:latest mistral-nemo:12b", 131_072, unthinking],
  [
    "qwen2.5-coder qwen2.5-coder:latest qwen2.5-coder:7b qwen2.5-coder:14b qwen2.5-coder:32b mistral mistral:latest mistral:7b",
    32_768,
    unthinking,
  ],
  ["gemma3 gemma3:latest gemma3:4b gemma3:12b gemma3:27b", 131_072, { ...unthinking, traits: ["no-tools"] }],
];

const models: ReadonlyMap<string, Row> = new Map(rows.flatMap((row) => row[0].split(" ").map((id) => [id, row] as const)));

/** Bytes of a model on this machine are anybody's: an unknown one is held to no figure of its own but the window that its requests ask for. */
const unknown: Row = ["", 1_048_576];

/** The host's word for a model, else the table's. Pictures: the server itself takes 768 tokens for each (`server/prompt.go`). */
export function profileOf(id: string, own: Partial<Profile> = {}): Profile {
  const [, context, more] = models.get(id) ?? unknown;
  return {
    context,
    outputMax: undefined,
    bindsReasoning: "no",
    readsReasoningOf: [],
    positionalSystem: false,
    // A last assistant message is continued.
    prefill: true,
    cacheTokensMin: 1,
    // A model leaves memory, and its cache with it, after five idle minutes (`keep_alive`): facts 8.1.
    cacheLifetime: 300_000,
    prices: undefined,
    imageTokens: { kind: "fixed", tokens: 768 },
    traits: [],
    ...more,
    ...own,
    id,
  };
}
