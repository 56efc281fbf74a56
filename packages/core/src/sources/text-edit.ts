import { isArray, type Value } from "../json/value.ts";

type Edited = { readonly text: string } | { readonly problem: string };

/** A text's lines with their numbers, all or a range of them; -1 is the last one. */
export function numberedLines(text: string, range: Value | undefined): Edited {
  const lines = text.split("\n");
  const [first, last] = range === undefined || range === null ? [1, lines.length] : isArray(range) ? range : [];
  if (typeof first !== "number" || typeof last !== "number" || first < 1 || first > lines.length || (last !== -1 && last < first))
    return { problem: `The range must be two line numbers within 1 and ${lines.length}; -1 is the end.` };
  const to = last === -1 ? lines.length : Math.min(last, lines.length);
  const width = String(to).length;
  return {
    text: lines
      .slice(first - 1, to)
      .map((line, index) => `${String(first + index).padStart(width)}  ${line}`)
      .join("\n"),
  };
}

/** The text with words replaced that stand in it exactly once. */
export function replaceOnce(text: string, words: Value | undefined, by: Value | undefined): Edited {
  if (typeof words !== "string" || words === "") return { problem: "`old_str` is needed." };
  if (by !== undefined && by !== null && typeof by !== "string") return { problem: "`new_str` must be a text." };
  const at = text.indexOf(words);
  if (at < 0) return { problem: "`old_str` does not stand there. View it and take its words exactly." };
  if (text.indexOf(words, at + 1) >= 0) return { problem: "`old_str` stands there more than once. Take more of the words around it." };
  return { text: `${text.slice(0, at)}${by ?? ""}${text.slice(at + words.length)}` };
}

/** The text with lines inserted behind a line; 0 is the beginning. */
export function insertAt(text: string, line: Value | undefined, words: Value | undefined): Edited {
  const lines = text === "" ? [] : text.split("\n");
  if (typeof words !== "string") return { problem: "`insert_text` is needed." };
  if (!Number.isInteger(line) || (line as number) < 0 || (line as number) > lines.length)
    return { problem: `\`insert_line\` must be within 0 and ${lines.length}.` };
  return { text: lines.toSpliced(line as number, 0, ...words.replace(/\n$/, "").split("\n")).join("\n") };
}
