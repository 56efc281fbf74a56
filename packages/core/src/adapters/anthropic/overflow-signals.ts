type Signal = {
  readonly pattern: RegExp;
  /** A text that was seen, fed back by the test. */
  readonly sample: string;
};

/** Texts by which Anthropic, and those who serve its models, say that a prompt was too long. Groups: `tokens` of the prompt, `limit` of the window. */
export const overflowSignals: readonly Signal[] = [
  // Claude API, 400 and 413; Vertex AI without the figures.
  {
    pattern: /prompt is too long(?::\s*(?<tokens>\d+) tokens > (?<limit>\d+) maximum)?/i,
    sample: "prompt is too long: 250000 tokens > 200000 maximum",
  },
  // Claude API, 400: the prompt fits, the output that was asked for does not.
  {
    pattern: /input length and `?max_tokens`? exceed context limit(?::\s*(?<tokens>\d+) \+ \d+ > (?<limit>\d+))?/i,
    sample:
      "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
  },
  // Claude API, 413, before the request reaches the model: more than 32 MB.
  {
    pattern: /request_too_large|request exceeds the maximum (?:size|allowed number of bytes)/i,
    sample: "Request exceeds the maximum size",
  },
  // Amazon Bedrock, 400.
  { pattern: /input is too long for requested model/i, sample: "Input is too long for requested model." },
];

/**
 * Whether an error is a refusal for length, with the figures that it names. Takes an SDK's error, a raw error body, a stream's error event, or text
 * that holds one.
 */
export function readOverflow(error: unknown): { readonly tokens?: number; readonly limit?: number } | undefined {
  for (const text of textsOf(error)) {
    for (const { pattern } of overflowSignals) {
      const match = pattern.exec(text);
      if (match !== null) return { ...figure("tokens", match), ...figure("limit", match) };
    }
  }
  return undefined;
}

function figure(name: "tokens" | "limit", { groups }: RegExpExecArray): { readonly [name: string]: number } {
  const digits = groups?.[name];
  return digits === undefined ? {} : { [name]: Number(digits) };
}

/** Errors are wrapped a few times at most: an SDK's error in a host's, the body in the SDK's. */
const depthMax = 6;
/** An error text is short; a prompt that came back in one is not searched. */
const charactersMax = 4096;

/** The messages and types of an error and of what it wraps, outermost first. */
function textsOf(error: unknown, depth = 0): string[] {
  if (typeof error === "string") return [error.slice(0, charactersMax)];
  if (typeof error !== "object" || error === null || depth > depthMax) return [];
  const { message, type, error: inner, cause, body, data, responseBody } = error as Readonly<Record<string, unknown>>;
  return [message, type, inner, cause, body, data, responseBody].flatMap((part) => textsOf(part, depth + 1));
}
