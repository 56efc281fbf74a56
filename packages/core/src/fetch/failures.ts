import { TidemarkError } from "../json/error.ts";

const codesOfRequest: ReadonlySet<string> = new Set(["invalid-request", "invalid-message", "pending-calls", "shape"]);

/** What is wrong with a request is the provider's to say: it goes out as it came, and the session is as it was. */
export function isOfRequest(error: unknown): error is TidemarkError {
  return error instanceof TidemarkError && (codesOfRequest.has(error.code) || error.code.startsWith("value-"));
}

/** An error's body as the wires read it: a JSON value, or a text. */
export function errorIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
