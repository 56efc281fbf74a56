import { type OverflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

type Signal = {
  readonly says: RegExp;
  /** A text that was seen, fed back by the test. */
  readonly sample: string;
};

/** Texts by which Anthropic, and those who serve its models, say that a prompt was too long. Groups: `tokens` of the prompt, `limit` of the window. */
export const overflowSignals: readonly Signal[] = [
  // Claude API, 400 and 413; Vertex AI without the figures.
  {
    says: /prompt is too long(?::\s*(?<tokens>\d+) tokens > (?<limit>\d+) maximum)?/i,
    sample: "prompt is too long: 250000 tokens > 200000 maximum",
  },
  // Claude API, 400: the prompt fits, the output that was asked for does not.
  {
    says: /input length and `?max_tokens`? exceed context limit(?::\s*(?<tokens>\d+) \+ \d+ > (?<limit>\d+))?/i,
    sample:
      "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
  },
  // Claude API, 413, before the request reaches the model: more than 32 MB.
  {
    says: /request_too_large|request exceeds the maximum (?:size|allowed number of bytes)/i,
    sample: "Request exceeds the maximum size",
  },
  // Amazon Bedrock, 400.
  { says: /input is too long for requested model/i, sample: "Input is too long for requested model." },
];

/**
 * Whether an error is a refusal for length, with the figures that it names. Takes an SDK's error, a raw error body, a stream's error event, or text
 * that holds one.
 */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  const { texts, bodies } = saidInError(error);
  const types = bodies.flatMap(({ type }) => (typeof type === "string" ? type : []));
  return overflowIn([...texts, ...types], overflowSignals);
}
