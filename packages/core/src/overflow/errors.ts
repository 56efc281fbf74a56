import { TidemarkError } from "../json/error.ts";
import { type Held, heldText } from "./held.ts";

/** Why nothing landed (rule 36), each with its own remedy. */
export type OverflowFailure = "empty" | "truncated" | "refused" | "too-long" | "overloaded" | "aborted" | "invalid";

const remedies: Readonly<Record<OverflowFailure, string>> = {
  empty: "The summariser said nothing. Ask another model, or chain(…, reset()).",
  truncated: "The summary was cut off. Raise the summariser's output cap above `summaryTokens`.",
  refused: "The model declined to summarise. Ask another model, or chain(…, reset()).",
  "too-long": "What came back is no shorter than what it would replace. Lower `summaryTokens`.",
  overloaded: "The summariser could not be reached. It is tried again with a later request.",
  aborted: "The summariser was aborted from its own side. It is tried again with a later request.",
  invalid: "What came back is no summary. Look at the cause.",
};

/** A strategy failed; nothing landed. Code: `overflow-…` with the kind of failure. */
export class OverflowError extends TidemarkError {
  readonly failure: OverflowFailure;
  readonly strategy: string;

  constructor(strategy: string, failure: OverflowFailure, detail?: string, cause?: unknown) {
    super(`overflow-${failure}`, `${strategy}: ${detail === undefined ? "" : `${detail}. `}${remedies[failure]}`, { cause });
    this.failure = failure;
    this.strategy = strategy;
  }
}

/** System text and tools alone are above the limit: no strategy can help, and none was run. Code: `floor-above-limit`. */
export class FloorError extends TidemarkError {
  readonly floor: number;
  readonly limit: number;

  constructor(floor: { readonly tokens: number; readonly system: number; readonly tools: number }, limit: number) {
    const figure = (tokens: number): string => tokens.toLocaleString("en-US");
    super(
      "floor-above-limit",
      `The window's floor (${figure(floor.tokens)} tokens: system ${figure(floor.system)}, tools ${figure(floor.tools)}) is above its limit ${figure(limit)}. Raise \`budget.context\` or offer fewer tools.`,
    );
    this.floor = floor.tokens;
    this.limit = limit;
  }
}

/** The window does not fit, whatever was tried. Nothing was sent. Code: `over-limit`. */
export class OverLimitError extends TidemarkError {
  readonly tokens: number;
  readonly limit: number;
  /** What holds it. */
  readonly held: readonly Held[];

  constructor(tokens: number, limit: number, held: readonly Held[], cause?: unknown) {
    super(
      "over-limit",
      `The window has ${tokens.toLocaleString("en-US")} tokens, its limit is ${limit.toLocaleString("en-US")}; what holds it: ${heldText(held)}. Unpin messages, cap tool results, or end the strategy in reset().`,
      { cause },
    );
    this.tokens = tokens;
    this.limit = limit;
    this.held = held;
  }
}
