import { capText } from "../ledger/result-cap.ts";
import type { Summarizer, Summary, SummaryInput } from "../wire/summarizer.ts";
import { cutFor } from "./cut.ts";
import { OverflowError } from "./errors.ts";
import type { Group } from "./groups.ts";
import { type OverflowInput, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";
import { summaryInstructions } from "./summary-text.ts";

export type SummarizeOptions = {
  readonly summarizer: Summarizer;
  /** User turns at the end that stay whole. Default: two, or fewer where the window would stay above low water. */
  readonly keepRecentTurns?: number;
  /** Tokens that a summary has at most, however often it is edited. Default: a sixth of low water, 256 to 4,096. */
  readonly summaryTokens?: number;
  /** What is asked of the model, in place of the default prompt. */
  readonly instructions?: (about: { readonly tokensMax: number; readonly edits: boolean }) => string;
};

/** Replaces the older part of the window by a summary (rule 38). An older summary is edited, not nested. */
export function summarize(options: SummarizeOptions): OverflowStrategy {
  return {
    name: "summarize",
    async run(input) {
      if (input.urgency === "early") return unchanged("there is room");
      const tokensMax = options.summaryTokens ?? summaryTokensFor(input);
      const to = cutFor(input, { keepRecentTurns: options.keepRecentTurns, recapTokens: tokensMax });
      if (to === 0) return unchanged("nothing is left to summarise");
      const text = await summaryOf("summarize", input, to, tokensMax, options);
      return replaced({ kind: "recap", as: "summary", from: 0, to, text });
    },
  };
}

const summaryTokens = { share: 6, min: 256, max: 4_096 };

function summaryTokensFor({ measure }: OverflowInput): number {
  return Math.min(Math.max(Math.floor(measure.lowWater / summaryTokens.share), summaryTokens.min), summaryTokens.max);
}

/** The accepted text for groups `[0, to)`. @throws {OverflowError} for a summary that must not land (rule 36). */
async function summaryOf(name: string, input: OverflowInput, to: number, tokensMax: number, options: SummarizeOptions): Promise<string> {
  const previous = previousSummary(input.groups);
  const write = options.instructions ?? ((about) => summaryInstructions(about.tokensMax, about.edits));
  const instructions = write({ tokensMax, edits: previous !== undefined });
  input.signal.throwIfAborted();
  const summary = await asked(name, options.summarizer, summaryInput(input, to, { instructions, previous, tokensMax }), input.signal);
  input.signal.throwIfAborted();
  return accepted(name, summary, input, to, tokensMax);
}

function summaryInput(
  input: OverflowInput,
  to: number,
  about: Pick<SummaryInput, "instructions" | "previous" | "tokensMax">,
): SummaryInput {
  const prefix = once(() => input.renderPrefix(to, about.instructions));
  return {
    ...about,
    get transcript() {
      return input.transcript(0, to);
    },
    get request() {
      return prefix().request;
    },
    get headers() {
      return prefix().headers;
    },
  };
}

async function asked(name: string, summarizer: Summarizer, question: SummaryInput, signal: AbortSignal): Promise<Summary> {
  try {
    return await summarizer(question, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OverflowError) throw error;
    throw new OverflowError(name, isAbort(error) ? "aborted" : "overloaded", messageOf(error), error);
  }
}

/** Nothing lands that is empty, cut off, refused, longer than what it replaces, or an error text. */
function accepted(name: string, summary: Summary, input: OverflowInput, to: number, tokensMax: number): string {
  if (typeof summary?.text !== "string") throw new OverflowError(name, "invalid", "it has no text");
  if (summary.refused) throw new OverflowError(name, "refused");
  if (!summary.complete) throw new OverflowError(name, "truncated");
  const text = summary.text.trim();
  if (text === "") throw new OverflowError(name, "empty");
  if (errorText.test(text)) throw new OverflowError(name, "invalid", `"${text.slice(0, 80)}" is an error`);
  const tokens = input.count(text);
  const gone = input.groups.slice(0, to).reduce((sum, group) => sum + group.tokens, 0);
  if (tokens >= gone) throw new OverflowError(name, "too-long", `${tokens} tokens for ${gone}`);
  return tokens <= tokensMax ? text : capText(text, tokensMax, (part) => input.count(part), input.wordings);
}

/** What gateways and SDKs put in the place of an answer. */
const errorText = /^(?:\{\s*"(?:error|type)"\s*:\s*(?:"error"|\{)|(?:error|exception|traceback)\b\s*[:(\d]|<!doctype html|<html)/i;

/** The text of a recap that the window starts with. */
function previousSummary([first]: readonly Group[]): string | undefined {
  if (first?.kind !== "recap") return undefined;
  return first.members.flatMap(({ reading }) => reading.units.flatMap((unit) => (unit.kind === "text" ? [unit.text] : []))).at(0);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
