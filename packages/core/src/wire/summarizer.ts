import { callable, expecting, objectOf, optional, type Shape, text } from "../json/check.ts";
import { checked, stray } from "./checked.ts";
import type { Usage } from "./usage.ts";

/** What a summariser is asked. It may ride the prefix (`request`) or give a cheaper model the flattened text (`transcript`). Both are made when they are looked at. */
export interface SummaryInput {
  /** What to write and how. */
  readonly instructions: string;
  /** What is to be replaced, as one text; the summary before it, which is to be edited, stands first. */
  readonly transcript: string;
  /** The summary that stands in the window already, to be edited and not nested; undefined: there is none. */
  readonly previous: string | undefined;
  /** Tokens that the summary may have at most. */
  readonly tokensMax: number;
  /** The native request of the window so far, with the instructions as its last user message: its prefix is in the cache. With the headers that it needs. */
  readonly request: object;
  readonly headers: Readonly<Record<string, string>>;
}

export type Summary = {
  readonly text: string;
  /** False: it was cut off. */
  readonly complete: boolean;
  /** The model declined. */
  readonly refused: boolean;
  readonly usage?: Usage | undefined;
};

export const summarizerShape: Shape = expecting(
  "a summariser, such as anthropicSummarizer(client)",
  (value) => callable(value) === undefined,
);

const summarizerOptions = objectOf({ model: optional(text) }, stray);

/** What a summariser is made of: a client, by the call that it is asked by, and options. @throws {OptionError} */
export function checkSummarizer(client: unknown, call: readonly string[], such: string, options: object): void {
  let asked = client;
  for (const name of call) asked = (asked as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  if (callable(asked) !== undefined)
    checked(
      client,
      expecting(such, () => false),
      "client",
    );
  checked(options, summarizerOptions);
}

/** Writes a summary. It should pass the signal on. What it throws is a failure of the strategy, not of the request. */
export type Summarizer = (input: SummaryInput, options: { readonly signal: AbortSignal }) => Promise<Summary>;
