import { freezeValue, isArray, isObject, type Value } from "../json/value.ts";
import type { Archive, ArchiveRecord } from "./archive.ts";
import { mistake, type OwnTool, type ToolContext, type ToolOutcome } from "./own-tool.ts";

/** The name by which markers call the tool. */
const recallName = "recall";
/** Tokens of the line that says what is left, and of a result where there is no cap. */
const trailerTokens = 32;
const tokensMaxDefault = 16_384;

/** The tool by which the model reads what was archived: lines, lines that match, or the whole, within its cap (rule 13). */
export function recallTool(archive: Archive): OwnTool {
  return {
    definition: {
      name: recallName,
      description:
        "Reads a text that is shown only in part, or no longer, in this conversation: markers in it name the reference. Ask for lines, for lines that hold some words, or for all of it; a long answer says how to go on.",
      parameters: freezeValue({
        type: "object",
        properties: {
          reference: { type: "string", description: "As the marker names it." },
          lines: {
            type: "array",
            items: { type: "integer" },
            description: "First and last line, as the marker counts them; -1 is the end.",
          },
          match: { type: "string", description: "Only lines that hold these words, upper and lower case alike." },
        },
        required: ["reference"],
      }),
    },
    call: async (input, context) => {
      const { reference, lines, match } = isObject(input) ? input : {};
      const record = typeof reference === "string" ? await archive.get(reference) : undefined;
      if (record === undefined)
        return mistake("Nothing is archived under this reference. Take it from a marker exactly as it stands there.");
      return read(record, lines, typeof match === "string" && match !== "" ? match : undefined, context);
    },
  };
}

type Line = { readonly number: number; readonly text: string };

function read(record: ArchiveRecord, range: Value | undefined, match: string | undefined, context: ToolContext): ToolOutcome {
  const all = linesOf(record);
  const [first, last] = [all[0]?.number ?? 1, all.at(-1)?.number ?? 1];
  const [from, to] = range === undefined || range === null ? [first, last] : isArray(range) ? range : [];
  if (typeof from !== "number" || typeof to !== "number" || from < first || from > last || (to !== -1 && to < from))
    return mistake(`The lines must be two numbers within ${first} and ${last}; -1 is the end.`);
  const end = to === -1 ? last : to;
  const words = match?.toLowerCase();
  const wanted = all.filter(
    ({ number, text }) => number >= from && number <= end && (words === undefined || text.toLowerCase().includes(words)),
  );
  if (wanted.length === 0) return { text: `No line of ${from}-${end} holds these words.`, isError: false };
  const whole = match === undefined && range == null;
  return { text: withinCap(wanted, end, last, { numbered: !whole, match }, context), isError: false };
}

/** As a reader showed it: from the line of its file on. */
function linesOf({ text, about }: ArchiveRecord): readonly Line[] {
  const from = typeof about["from"] === "number" ? about["from"] : 1;
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => ({ number: from + index, text: line }));
}

type Form = { readonly numbered: boolean; readonly match: string | undefined };

function withinCap(lines: readonly Line[], end: number, last: number, { numbered, match }: Form, context: ToolContext): string {
  const tokensMax = (context.tokensMax ?? tokensMaxDefault) - trailerTokens;
  const shown: string[] = [];
  let tokens = 0;
  for (const { number, text } of lines) {
    const line = numbered ? `${number}: ${text}` : text;
    const added = context.count(line) + 1;
    if (tokens + added > tokensMax) {
      const on = `go on with lines [${number}, ${end}]${match === undefined ? "" : ` and match ${JSON.stringify(match)}`}`;
      // One line longer than the cap is cut: it could not be read otherwise.
      if (shown.length === 0)
        return `${cutTo(line, tokensMax, context)}\n[line ${number} is cut; ${number < end ? `go on with lines [${number + 1}, ${end}]` : "it is the last one"}]`;
      return `${shown.join("\n")}\n[${on}; the text has ${last}]`;
    }
    shown.push(line);
    tokens += added;
  }
  return shown.join("\n");
}

function cutTo(line: string, tokensMax: number, { count, clean }: ToolContext): string {
  let end = line.length;
  while (end > 0 && count(line.slice(0, end)) > tokensMax) end = Math.floor(end * 0.8);
  return clean(line.slice(0, end));
}
