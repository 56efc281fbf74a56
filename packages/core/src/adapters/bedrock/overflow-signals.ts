import { type OverflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

/** How the service and the models behind it say that the prompt was too long. */
export type OverflowSignal = { readonly id: string; readonly says: RegExp; readonly sample: string };

const behind = "The model returned the following errors: ";

export const overflowSignals: readonly OverflowSignal[] = [
  // Recorded, Nova 2 Lite.
  {
    id: "input-tokens-exceeded",
    says: /Input Tokens Exceeded|Number of input tokens exceeds maximum length/i,
    sample: `${behind}Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.`,
  },
  // Claude: facts 1.12.
  {
    id: "prompt-too-long",
    says: /prompt is too long(?:: (?<tokens>\d+) tokens > (?<limit>\d+) maximum)?/i,
    sample: `${behind}prompt is too long: 215000 tokens > 200000 maximum`,
  },
  // The service's own words for any model.
  { id: "too-long-for-model", says: /Input is too long for requested model/i, sample: "Input is too long for requested model." },
  // Llama, Mistral and imported models on vLLM.
  {
    id: "maximum-context-length",
    says: /maximum context length (?:is|of) (?<limit>\d+) tokens(?:.*?(?<tokens>\d+) (?:tokens|input tokens))?/is,
    sample: `${behind}This model's maximum context length is 8192 tokens. Please reduce the length of the prompt`,
  },
];

/** Whether an error says that the prompt was too long, with the figures that it names. Reads the SDK's exceptions, raw bodies and what wraps them. */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  return overflowIn(saidInError(error).texts, overflowSignals);
}
