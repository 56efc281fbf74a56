import { type OverflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

type Signal = {
  readonly says: RegExp;
  /** A text that was seen, fed back by the test. */
  readonly sample: string;
};

/** Texts by which Google says that a prompt was too long. Groups: `tokens` of the prompt, `limit` of the window. A quota for tokens a minute is no overflow. */
export const overflowSignals: readonly Signal[] = [
  // Gemini API and Vertex AI, 400: facts 3.7, GE-13.
  {
    says: /input token count \((?<tokens>\d+)\) exceeds the maximum number of tokens allowed \((?<limit>\d+)\)/i,
    sample: "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).",
  },
  // Vertex AI, 400.
  {
    says: /input token count is (?<tokens>\d+) but (?:the )?model only supports up to (?<limit>\d+)/i,
    sample: "Unable to submit request because the input token count is 1205480 but model only supports up to 1048576.",
  },
  // The same without figures: recorded by gateways.
  {
    says: /input token count exceeds the maximum number of tokens allowed/i,
    sample: "The input token count exceeds the maximum number of tokens allowed 1048576.",
  },
];

/**
 * Whether an error is a refusal for length, with the figures that it names. Takes an SDK's error (whose message is the body as text), a raw error body,
 * or text that holds one.
 */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  return overflowIn(saidInError(error).texts, overflowSignals);
}
