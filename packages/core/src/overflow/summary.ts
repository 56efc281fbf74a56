import { wellFormed } from "../json/unicode.ts";
import type { Summarizer, Summary, SummaryInput } from "../wire/summarizer.ts";
import { sentEnds } from "./cut.ts";
import { OverflowError } from "./errors.ts";
import type { Group } from "./groups.ts";
import type { OverflowInput } from "./strategy.ts";
import { messageText } from "./transcript.ts";

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
  const prefix = once(() => {
    const end = riddenEnd(input, to, instructions);
    return input.renderPrefix(end, end === to ? instructions : `${instructions}\n${keptLine(input, to, end)}`);
  });
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

/**
 * Where the ridden prefix ends. What a request wrote is what the cache has, and of requests the last: a prefix that ends before it is read by nobody who reads at marks or breakpoints only,
 * and elsewhere as long as it lives. So what was sent last is ridden whole, where it and the question fit.
 */
function riddenEnd({ groups, measure, count }: OverflowInput, to: number, words: string): number {
  const end = sentEnds(groups).at(-1) ?? 0;
  const tokens = groups.slice(0, end).reduce((sum, group) => sum + group.tokens, measure.floor + count(words));
  return end > to && tokens <= measure.limit ? end : to;
}

const startCharacters = 80;

/** Of what was sent, what stays behind the summary. */
function keptLine({ wire, groups }: OverflowInput, to: number, end: number): string {
  const kept = groups.slice(to, end).flatMap(({ members }) => members);
  const [start = ""] = kept.slice(0, 1).map(({ reading }) => messageText(wire, reading).trim().split("\n", 1)[0] as string);
  const from = start === "" ? "" : `, from the one that begins with ${JSON.stringify(wellFormed(start.slice(0, startCharacters)))} on,`;
  return `Of the messages before this one the last ${kept.length}${from} will stay as they are: leave them out of the record.`;
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
