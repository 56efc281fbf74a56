import { callable, objectOf } from "../json/check.ts";
import { clusterStart } from "../json/unicode.ts";
import { freezeValue, isArray, isObject, type Value } from "../json/value.ts";
import { checked } from "../wire/checked.ts";
import type { Archive, ArchiveRecord, ArchiveStore } from "./archive.ts";
import { mistake, type OwnTool, type ToolContext, type ToolOutcome } from "./own-tool.ts";

/** The name by which markers call the tool. */
const recallName = "recall";
/** Tokens of the line that says what is left, and of a result where there is no cap. */
const trailerTokens = 32;
const tokensMaxDefault = 16_384;
/** By how much that line is longer when it says where in a line to go on. */
const partTokens = 20;
/** Characters of a long line that are shown before the words that were looked for. */
const charactersBefore = 80;
/** A token has hardly ever more characters: how much of a long line is counted at all. */
const charactersMax = 8;

const storeShape = objectOf({ put: callable, get: callable });

/** A store of full texts that the model can read, as the session's `archive`. @throws {OptionError} for what is no store. */
export function recallable(store: ArchiveStore): Archive {
  checked(store, storeShape, "store");
  return { put: (record) => store.put(record), get: (reference) => store.get(reference), recall: recallTool(store) };
}

/** The tool by which the model reads what was archived: lines, lines that match, or the whole, within its cap (rule 13). */
function recallTool(archive: ArchiveStore): OwnTool {
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
          character: {
            type: "integer",
            description: "Where in the first of the lines to begin, if an answer says so; 0 is its beginning.",
          },
        },
        required: ["reference"],
      }),
    },
    call: async (input, context) => {
      const { reference, lines, match, character } = isObject(input) ? input : {};
      const record = typeof reference === "string" ? await archive.get(reference) : undefined;
      if (record === undefined)
        return mistake("Nothing is archived under this reference. Take it from a marker exactly as it stands there.");
      const asked = { range: lines, match: typeof match === "string" && match !== "" ? match : undefined, character: character ?? 0 };
      return read(record, asked, context);
    },
  };
}

type Line = { readonly number: number; readonly text: string };

type Wanted = { readonly range: Value | undefined; readonly match: string | undefined; readonly character: Value };

function read(record: ArchiveRecord, { range, match, character }: Wanted, context: ToolContext): ToolOutcome {
  const all = linesOf(record);
  const [first, last] = [all[0]?.number ?? 1, all.at(-1)?.number ?? 1];
  const [from, to] = range === undefined || range === null ? [first, last] : isArray(range) ? range : [];
  if (typeof from !== "number" || typeof to !== "number" || from < first || from > last || (to !== -1 && to < from))
    return mistake(`The lines must be two numbers within ${first} and ${last}; -1 is the end.`);
  const length = all.find(({ number }) => number === from)?.text.length ?? 0;
  if (typeof character !== "number" || !Number.isInteger(character) || character < 0 || (character > 0 && character >= length))
    return mistake(`\`character\` must be within 0 and ${Math.max(length - 1, 0)}: line ${from} has ${length}.`);
  const end = to === -1 ? last : to;
  const words = match?.toLowerCase();
  const wanted = all.filter(
    ({ number, text }) => number >= from && number <= end && (words === undefined || text.toLowerCase().includes(words)),
  );
  if (wanted.length === 0) return { text: `No line of ${from}-${end} holds these words.`, isError: false };
  const whole = match === undefined && range == null;
  // What stands before the character was seen, words that are looked for among them.
  const begins = wanted[0]?.number === from ? character : 0;
  return { text: withinCap(wanted, end, last, { numbered: !whole, match, character: begins }, context), isError: false };
}

/** As a reader showed it: from the line of its file on. */
function linesOf({ text, about }: ArchiveRecord): readonly Line[] {
  const from = typeof about["from"] === "number" ? about["from"] : 1;
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => ({ number: from + index, text: line }));
}

type Form = { readonly numbered: boolean; readonly match: string | undefined; readonly character: number };

function withinCap(lines: readonly Line[], end: number, last: number, { numbered, match, character }: Form, context: ToolContext): string {
  const also = match === undefined ? "" : ` and match ${JSON.stringify(match)}`;
  const tokensMax = (context.tokensMax ?? tokensMaxDefault) - trailerTokens - context.count(also);
  const shown: string[] = [];
  let tokens = 0;
  for (const [index, { number, text }] of lines.entries()) {
    const from = index === 0 ? character : 0;
    const line = numbered ? `${number}: ${text.slice(from)}` : text.slice(from);
    const added = context.count(line) + 1;
    if (tokens + added > tokensMax) {
      if (shown.length > 0) return `${shown.join("\n")}\n[go on with lines [${number}, ${end}]${also}; the text has ${last}]`;
      return part(text, { number, end, from, tokensMax, match, also }, context);
    }
    shown.push(line);
    tokens += added;
  }
  return shown.join("\n");
}

type Part = {
  readonly number: number;
  readonly end: number;
  readonly from: number;
  readonly tokensMax: number;
  readonly match: string | undefined;
  readonly also: string;
};

/** A part of a line that is longer than the cap: from a character on, or from a little before the words that are looked for. */
function part(text: string, { number, end, from, tokensMax, match, also }: Part, { count }: ToolContext): string {
  const found = match === undefined ? -1 : text.toLowerCase().indexOf(match.toLowerCase(), from);
  const start = found < 0 ? from : Math.max(from, clusterStart(text, found - charactersBefore));
  const head = `${number}: `;
  const room = tokensMax - partTokens;
  let to = Math.min(text.length, start + Math.max(room, 1) * charactersMax);
  while (to > start + 1 && count(head + text.slice(start, to)) > room) to = start + Math.floor((to - start) * 0.9);
  to = Math.max(clusterStart(text, to), start + 1);
  const rest =
    to < text.length
      ? `go on with lines [${number}, ${end}] and character ${to}${also}`
      : `go on with lines [${number + 1}, ${end}]${also}`;
  return `${head}${text.slice(start, to)}\n[characters ${start}-${to - 1} of ${text.length} in line ${number}; ${to === text.length && number >= end ? "that is all" : rest}]`;
}
