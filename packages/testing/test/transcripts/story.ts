/**
 * A story is a text that people read: what a host does on the left, what comes of it on the right. Only the left is read; the right is written by playing it.
 *
 *     # Lines like this one say what the story is about.
 *     with headers, cap 128
 *     > user "read a.ts"                            request 1: …
 *     > reply thinks "which" call c1 read           settled
 */
export type Story = { readonly notes: readonly string[]; readonly options: readonly string[]; readonly steps: readonly Step[] };

/** What a host does: its first word, what follows it, and the line as it stands in the story. */
export type Step = { readonly verb: string; readonly words: readonly string[]; readonly line: string };

const leftWidth = 50;

export function readStory(text: string): Story {
  const lines = text.split("\n");
  return {
    notes: lines.filter((line) => line.startsWith("#")),
    options: lines.flatMap((line) => (line.startsWith("with ") ? line.slice("with ".length).split(", ") : [])),
    steps: lines.flatMap((line) => (line.startsWith("> ") ? [readStep(line)] : [])),
  };
}

/** The step ends at two spaces that stand outside of quotes. */
function readStep(whole: string): Step {
  const line = /^>(?: ?(?:"[^"]*"|[^"\s]))+/.exec(whole)?.[0] ?? whole;
  const words = [...line.slice(2).matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const [verb = "", ...rest] = words;
  return { verb, words: rest, line };
}

/** Each step with what came of it, as the story is stored. */
export function printStory(
  { notes, options }: Story,
  rows: readonly { readonly line: string; readonly came: readonly string[] }[],
): string {
  const head = [...notes, ...(options.length === 0 ? [] : [`with ${options.join(", ")}`]), ""];
  return `${[...head, ...rows.flatMap(({ line, came }) => printRow(line, came))].join("\n")}\n`;
}

function printRow(line: string, came: readonly string[]): readonly string[] {
  const [first, ...others] = came;
  const rest = others.map((text) => `${" ".repeat(leftWidth)}${text}`);
  if (first === undefined) return [line];
  if (line.length >= leftWidth) return [line, `${" ".repeat(leftWidth)}${first}`, ...rest];
  return [`${line.padEnd(leftWidth)}${first}`, ...rest];
}
