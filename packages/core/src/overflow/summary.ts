import type { Summarizer, Summary, SummaryInput } from "../wire/summarizer.ts";
import { OverflowError } from "./errors.ts";
import type { Group } from "./groups.ts";
import type { OverflowInput } from "./strategy.ts";

/** What a strategy asks a summariser for: a text in place of groups `[0, to)`. */
export type SummaryQuestion = {
  /** The strategy's. */
  readonly name: string;
  readonly to: number;
  readonly tokensMax: number;
  /** The recap that the window starts with. */
  readonly previous: string | undefined;
  readonly instructions: string;
};

const summaryTokens = { share: 6, min: 256, max: 4_096 };

/** Tokens that a summary may have where the host does not say. */
export function summaryTokensFor({ measure }: OverflowInput): number {
  return Math.min(Math.max(Math.floor(measure.lowWater / summaryTokens.share), summaryTokens.min), summaryTokens.max);
}

/** The text of a recap that the window starts with. */
export function previousSummary([first]: readonly Group[]): string | undefined {
  if (first?.kind !== "recap") return undefined;
  return first.members.flatMap(({ reading }) => reading.units.flatMap((unit) => (unit.kind === "text" ? [unit.text] : []))).at(0);
}

/** What the summariser wrote, if it may land. @throws {OverflowError} for a summary that must not (rule 36). */
export async function writtenSummary(summarizer: Summarizer, input: OverflowInput, question: SummaryQuestion): Promise<string> {
  input.signal.throwIfAborted();
  const summary = await asked(summarizer, input, question);
  input.signal.throwIfAborted();
  return accepted(summary, question.name);
}

/** Nothing lands that is no shorter than what it replaces. @throws {OverflowError} */
export function assertShorter(name: string, input: OverflowInput, to: number, text: string): void {
  const tokens = input.count(text);
  const gone = input.groups.slice(0, to).reduce((sum, group) => sum + group.tokens, 0);
  if (tokens >= gone) throw new OverflowError(name, "too-long", `${tokens} tokens for ${gone}`);
}

async function asked(summarizer: Summarizer, input: OverflowInput, question: SummaryQuestion): Promise<Summary> {
  const { name } = question;
  try {
    return await summarizer(summaryInput(input, question), { signal: input.signal });
  } catch (error) {
    input.signal.throwIfAborted();
    if (error instanceof OverflowError) throw error;
    throw new OverflowError(name, isAbort(error) ? "aborted" : "overloaded", messageOf(error), error);
  }
}

function summaryInput(input: OverflowInput, { to, instructions, previous, tokensMax }: SummaryQuestion): SummaryInput {
  const prefix = once(() => input.renderPrefix(to, instructions));
  return {
    ...{ instructions, previous, tokensMax },
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

/** Nothing lands that is empty, cut off, refused, or an error text. */
function accepted(summary: Summary, name: string): string {
  if (typeof summary?.text !== "string") throw new OverflowError(name, "invalid", "it has no text");
  if (summary.refused) throw new OverflowError(name, "refused");
  if (!summary.complete) throw new OverflowError(name, "truncated");
  const text = summary.text.trim();
  if (text === "") throw new OverflowError(name, "empty");
  if (errorText.test(text)) throw new OverflowError(name, "invalid", `"${text.slice(0, 80)}" is an error`);
  return text;
}

/** What gateways and SDKs put in the place of an answer. */
const errorText = /^(?:\{\s*"(?:error|type)"\s*:\s*(?:"error"|\{)|(?:error|exception|traceback)\b\s*[:(\d]|<!doctype html|<html)/i;

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
