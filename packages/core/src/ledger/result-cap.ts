import { clusterStart } from "../json/unicode.ts";
import { fill, type Wordings } from "./wordings.ts";

/** Counts tokens of a text; the session hands in its counter. */
export type CountText = (text: string) => number;

export type CapOptions = {
  /** Number of the text's first line, where it is a part of a file. */
  readonly firstLine?: number;
  /** Under which the whole text can be recalled. */
  readonly reference?: string | undefined;
};

/** Tokens of a marker line, kept free within the cap; of one that also says where the rest is. */
const markerTokens = 24;
const keptMarkerTokens = 56;
/** Share of the room that the head gets; errors and summaries tend to stand at the end of an output. */
const headShare = 0.6;

/** No tokenizer makes more tokens of a text than it has bytes, three a UTF-16 unit; an estimate is rounded up, and a little above that for rare scripts. */
const tokensOfUnitMax = 4;

/** What a text counts that is above the cap; undefined: it is within. Most texts are so short that they need no counting. */
export function tokensAbove(text: string, tokensMax: number, count: CountText): number | undefined {
  if (text.length * tokensOfUnitMax <= tokensMax) return undefined;
  const tokens = count(text);
  return tokens > tokensMax ? tokens : undefined;
}

/**
 * Rule 13: a text above the cap is shown head and tail, cut at line ends (without one, between grapheme clusters), with a marker between that
 * names what was left out. The result counts at most `tokensMax`. A text within the cap comes back as it is.
 */
export function capText(
  text: string,
  tokensMax: number,
  count: CountText,
  wordings: Wordings,
  { firstLine = 1, reference }: CapOptions = {},
): string {
  const total = tokensAbove(text, tokensMax, count);
  if (total === undefined) return text;
  const room = Math.max(tokensMax - (reference === undefined ? markerTokens : keptMarkerTokens), Math.floor(tokensMax / 3));
  const kept = reference === undefined ? "" : fill(wordings.cappedKept, { reference });
  let units = Math.floor((room * text.length) / total);
  for (;;) {
    const capped = cutTo(text, units, wordings, { firstLine, kept });
    const counted = count(capped);
    if (counted <= tokensMax || units === 0) return capped;
    units = Math.floor(units * Math.min(0.95, room / counted));
  }
}

function cutTo(
  text: string,
  units: number,
  wordings: Wordings,
  { firstLine, kept }: { readonly firstLine: number; readonly kept: string },
): string {
  const headUnits = Math.floor(units * headShare);
  const headEnd = lineEndBefore(text, headUnits);
  const tailStart = lineStartAfter(text, text.length - (units - headUnits));
  if (headEnd !== undefined && tailStart !== undefined) {
    const before = countLines(text, 0, headEnd);
    const left = countLines(text, headEnd, tailStart);
    const lines = countLines(text, 0, text.length) + (text.endsWith("\n") ? 0 : 1);
    const marker = fill(wordings.cappedLines, {
      from: firstLine + before,
      to: firstLine + before + left - 1,
      lines: firstLine + lines - 1,
      kept,
    });
    return `${text.slice(0, headEnd)}${marker}\n${text.slice(tailStart)}`;
  }
  const head = clusterStart(text, headUnits);
  const tail = clusterStart(text, text.length - (units - headUnits));
  return `${text.slice(0, head)}\n${fill(wordings.cappedCharacters, { characters: tail - head, kept })}\n${text.slice(tail)}`;
}

/** Position behind the last line end at or before `at`; undefined when the line is so long that cutting there would lose most of the room. */
function lineEndBefore(text: string, at: number): number | undefined {
  const end = text.lastIndexOf("\n", at - 1) + 1;
  return end > at / 2 ? end : undefined;
}

/** Position of the first line start at or after `at`. */
function lineStartAfter(text: string, at: number): number | undefined {
  const start = text.indexOf("\n", at - 1) + 1;
  return start > 0 && start < (text.length + at) / 2 ? start : undefined;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
