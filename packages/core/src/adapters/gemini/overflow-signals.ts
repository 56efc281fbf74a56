type Signal = {
  readonly pattern: RegExp;
  /** A text that was seen, fed back by the test. */
  readonly sample: string;
};

/** Texts by which Google says that a prompt was too long. Groups: `tokens` of the prompt, `limit` of the window. A quota for tokens a minute is no overflow. */
export const overflowSignals: readonly Signal[] = [
  // Gemini API and Vertex AI, 400: facts 3.7, GE-13.
  {
    pattern: /input token count \((?<tokens>\d+)\) exceeds the maximum number of tokens allowed \((?<limit>\d+)\)/i,
    sample: "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).",
  },
  // Vertex AI, 400.
  {
    pattern: /input token count is (?<tokens>\d+) but (?:the )?model only supports up to (?<limit>\d+)/i,
    sample: "Unable to submit request because the input token count is 1205480 but model only supports up to 1048576.",
  },
  // The same without figures: recorded by gateways.
  {
    pattern: /input token count exceeds the maximum number of tokens allowed/i,
    sample: "The input token count exceeds the maximum number of tokens allowed 1048576.",
  },
];

/**
 * Whether an error is a refusal for length, with the figures that it names. Takes an SDK's error (whose message is the body as text), a raw error body,
 * or text that holds one.
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

/** The messages of an error and of what it wraps, outermost first. An error body may stand in a list, as the first part of a stream has it. */
function textsOf(error: unknown, depth = 0): string[] {
  if (typeof error === "string") return [error.slice(0, charactersMax)];
  if (typeof error !== "object" || error === null || depth > depthMax) return [];
  if (Array.isArray(error)) return textsOf(error[0], depth + 1);
  const { message, error: inner, cause, body, data, responseBody } = error as Readonly<Record<string, unknown>>;
  return [message, inner, cause, body, data, responseBody].flatMap((part) => textsOf(part, depth + 1));
}
