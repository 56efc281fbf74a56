import type { Value } from "@tidemark/core";
import { RecordingError } from "./recording-error.ts";

/** One JSON value of a file, with the line on which it starts, counted from 1. */
export type Document = { readonly value: Value; readonly line: number };

export const whatIsRead =
  "JSON or JSONL: requests (bodies, or wrapped in `request` or `body`), messages, or an object that holds a conversation's `messages`";

/** The elements of the array that a file is, or its one document, or the documents of its lines. @throws {RecordingError} */
export function readDocuments(file: string, text: string): readonly Document[] {
  if (text.trim() === "") throw new RecordingError({ file }, "the file is empty", whatIsRead);
  const whole = parse(text);
  if (whole.value !== undefined) return Array.isArray(whole.value) ? elementsOf(whole.value, text) : [{ value: whole.value, line: 1 }];
  const lines = text.split("\n").flatMap((content, index) => (content.trim() === "" ? [] : [{ content, line: index + 1 }]));
  const isLineByLine = lines.length > 1 && parse(lines[0]?.content ?? "").value !== undefined;
  if (!isLineByLine) throw new RecordingError({ file, line: failedLine(text) }, `this is no JSON (${whole.problem})`, whatIsRead);
  return lines.map(({ content, line }) => {
    const { value, problem } = parse(content);
    if (value === undefined) throw new RecordingError({ file, line }, `this line is no JSON (${problem})`, "one JSON object on each line");
    return { value, line };
  });
}

type Parsed = { readonly value: Value; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: string };

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Value };
  } catch (error) {
    // The parser quotes what it read, line breaks and all.
    return { problem: (error as Error).message.split(/, (?:\.\.\.)?"|\n/)[0] ?? "" };
  }
}

/** The first line up to which a text is wrong in itself and does not just end too early: the parser seldom names a place. */
function failedLine(text: string): number {
  const lines = text.trimEnd().split("\n");
  let [right, wrong] = [0, lines.length];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (endsEarly(lines.slice(0, middle).join("\n"))) right = middle;
    else wrong = middle;
  }
  return wrong;
}

function endsEarly(text: string): boolean {
  const { problem } = parse(text);
  const position = /position (\d+)/.exec(problem ?? "")?.[1];
  return (
    problem?.startsWith("Unexpected end") === true || problem?.startsWith("Unterminated string") === true || Number(position) >= text.length
  );
}

function elementsOf(values: readonly Value[], text: string): readonly Document[] {
  const lines = elementLines(text);
  return values.map((value, index) => ({ value, line: lines[index] ?? 1 }));
}

const tokens = /\n|"(?:\\.|[^"\\])*"|[[\]{},]|[^\s"[\]{},]+/g;

/** The lines on which the elements of a document's outermost array start. */
function elementLines(text: string): readonly number[] {
  const lines: number[] = [];
  let [line, depth, isAwaited] = [1, 0, false];
  for (const [token] of text.matchAll(tokens)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (isAwaited) lines.push(line);
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    isAwaited = depth === 1 && (token === "," || token === "[");
  }
  return lines;
}
