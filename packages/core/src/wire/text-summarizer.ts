import { callable } from "../json/check.ts";
import { checked } from "./checked.ts";
import type { Summarizer } from "./summarizer.ts";

/** What is to be written, and of which text. */
export type TextQuestion = { readonly instructions: string; readonly text: string; readonly tokensMax: number };

/** A summariser of any function that answers a text with a text. What it throws is a failure of the strategy; what it cuts off or declines it should throw. */
export function textSummarizer(write: (question: TextQuestion, options: { readonly signal: AbortSignal }) => Promise<string>): Summarizer {
  checked(write, callable, "write");
  return async ({ instructions, transcript, tokensMax }, options) => ({
    text: await write({ instructions, text: transcript, tokensMax }, options),
    complete: true,
    refused: false,
  });
}
