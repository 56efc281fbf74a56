import { type OverflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

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

/** Whether an error says that the prompt was too long, with the figures that it names. Reads the SDK's `ResponseError`, raw bodies and what wraps them. */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  return overflowIn(saidInError(error).texts, overflowSignals);
}
