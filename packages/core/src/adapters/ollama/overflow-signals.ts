import { isObject } from "../../json/value.ts";

/** How a server says that the prompt was too long. Most never say it: they drop the oldest messages (facts 7.4). */
export type OverflowSignal = { readonly id: string; readonly says: RegExp; readonly sample: string };

export const overflowSignals: readonly OverflowSignal[] = [
  // Hosted models and runners that do not shift.
  {
    id: "prompt-too-long",
    says: /prompt too long; exceeded (?:max )?context length/i,
    sample: "prompt too long; exceeded max context length by 4 tokens",
  },
  // A request with `truncate: false`, and the embedding endpoints.
  {
    id: "input-length",
    says: /input length exceeds (?:the |maximum )?context length/i,
    sample: "the input length exceeds the context length",
  },
  // Runners on llama.cpp's server.
  {
    id: "available-context",
    says: /request \((?<tokens>\d+) tokens\) exceeds the available context size \((?<limit>\d+) tokens\)/i,
    sample: "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
  },
];

/** Longer texts quote the request. */
const charactersMax = 4_000;
const levelsMax = 6;

/** Whether an error says that the prompt was too long, with the figures that it names. Reads the SDK's `ResponseError`, raw bodies and what wraps them. */
export function readOverflow(error: unknown): { readonly tokens?: number; readonly limit?: number } | undefined {
  for (const text of textsOf(error, levelsMax)) {
    for (const { says } of overflowSignals) {
      const groups = says.exec(text)?.groups;
      if (groups !== undefined) return { tokens: Number(groups.tokens), limit: Number(groups.limit) };
      if (says.test(text)) return {};
    }
  }
  return undefined;
}

function* textsOf(value: unknown, levels: number): Generator<string> {
  if (levels === 0) return;
  if (typeof value === "string") yield value.slice(0, charactersMax);
  else if (isObject(value) || value instanceof Error) {
    const { message, error, cause, body } = value as { readonly [name in "message" | "error" | "cause" | "body"]?: unknown };
    for (const inner of [message, error, cause, body]) yield* textsOf(inner, levels - 1);
  }
}
