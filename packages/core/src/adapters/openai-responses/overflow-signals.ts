import { type OverflowFigures, overflowIn, saidInError } from "../../wire/said-in-error.ts";

/** How a server says that the input was too long. Named groups are the figures; the samples are in the test beside this file. */
type OverflowSignal = { readonly id: string; readonly says: RegExp };

/** One row a wording, the more telling ones first. A limit on tokens a minute is no overflow. */
export const overflowSignals: readonly OverflowSignal[] = [
  // Azure and gateways in front of Chat servers go on like this.
  { id: "resulted-in", says: /maximum context length is (?<limit>[\d,]+) tokens.*?resulted in (?<tokens>[\d,]+)/is },
  // The form that names a limit configured for the account.
  {
    id: "configured-limit",
    says: /input tokens exceed the configured limit(?: of (?<limit>[\d,]+) tokens)?(?:.*?resulted in (?<tokens>[\d,]+))?/is,
  },
  // OR-18: facts 2.9; the event `response.failed` of a stream says the same.
  { id: "context-window", says: /exceeds the context window of this model/i },
  { id: "xai", says: /maximum prompt length is (?<limit>[\d,]+) but the request contains (?<tokens>[\d,]+)/i },
  // An upstream behind OpenRouter.
  { id: "anthropic", says: /prompt is too long(?:: (?<tokens>[\d,]+) tokens > (?<limit>[\d,]+) maximum)?/i },
  { id: "maximum-context-length", says: /maximum context length/i },
];

const overflowCode = "context_length_exceeded";

/** Whether an error, or a failed response, says that the prompt was too long, with the figures that it names. */
export function readOverflow(error: unknown): OverflowFigures | undefined {
  const { texts, bodies } = saidInError(error);
  const said = overflowIn(texts, overflowSignals);
  if (said !== undefined) return said;
  return bodies.some(({ code, type }) => code === overflowCode || type === overflowCode) ? {} : undefined;
}
