import type { ObjectValue, Value } from "@tidemark/core";
import { digest, link } from "../digest.ts";
import { isObjectValue, objectOf, objectsOf, shallowSortedJson, stringOf, without } from "../json.ts";
import { isSettled, rememberSettled } from "../settled.ts";
import { pictureTokens, tokensOf, unitsPerToken } from "../tokens.ts";

/** A piece of the rendered prompt, whole tokens long. A cache entry may end behind a marked one. */
export type Piece = { readonly text: string; readonly tokens: number; readonly isMarked: boolean };

/** The prompt read up to the end of a piece. */
export type Stop = { readonly digest: string; readonly tokens: number; readonly isMarked: boolean };

/**
 * A message as the provider renders it: its role, the parts of its content, and what else it has (calls, reasoning, ids). A string is one text part;
 * marks are no part of it, nor is what is null; what lies inside (arguments, schemas) is as received.
 */
const piecesOf: (message: ObjectValue) => readonly Piece[] = rememberSettled((message) => {
  const { role, content, ...rest } = without(message, "prompt_cache_breakpoint", "cache_control") as Readonly<Record<string, Value>>;
  const pieces = [piece(`<${stringOf(role)}>`)];
  for (const part of partsOf(content)) pieces.push(partPiece(part));
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  if (Object.keys(said).length > 0) pieces.push(piece(shallowSortedJson(said)));
  return pieces;
});

/** What stands ahead of the messages and costs tokens: tools and output format. Tool schemas count as received, key order included. */
export function headPieces(request: ObjectValue): readonly Piece[] {
  const format = request.response_format;
  return [...objectsOf(request.tools).map(toolPiece), ...(isObjectValue(format) ? [piece(JSON.stringify(format))] : [])];
}

export function promptPieces(request: ObjectValue): readonly Piece[] {
  return [...headPieces(request), ...objectsOf(request.messages).flatMap(piecesOf)];
}

/** What is not rendered into the prefix nor part of its key, by OpenAI's prompt caching guide. Anything else is, known here or not: the strict reading. */
const apart: ReadonlySet<string> = new Set(
  `messages tools tool_choice max_tokens max_completion_tokens temperature top_p frequency_penalty presence_penalty logit_bias logprobs top_logprobs
  n seed stop stream stream_options metadata store user safety_identifier prompt_cache_options prompt_cache_retention cache_control`.split(
    /\s+/,
  ),
);

/** The settings of a request; a change is a miss from the start. */
export function settingsOf(request: ObjectValue, model: string): string {
  return `${model}\n${shallowSortedJson(Object.fromEntries(Object.entries(request).filter(([name, value]) => value !== null && !apart.has(name))))}`;
}

/** Whether the request bears a cache mark anywhere. */
export function isMarked(request: ObjectValue): boolean {
  return (
    isObjectValue(request.cache_control) || objectsOf(request.messages).some((message) => piecesOf(message).some((piece) => piece.isMarked))
  );
}

export interface StopReader {
  /** The stops of a message that begins at `from`: one for each of its pieces. */
  after(from: Stop, message: ObjectValue): readonly Stop[];
}

/** Messages that are sent again at the same place are not read again. */
export function stopReader(): StopReader {
  const known = new WeakMap<object, { readonly from: string; readonly stops: readonly Stop[] }>();
  return {
    after: (from, message) => {
      const hit = known.get(message);
      if (hit !== undefined && hit.from === from.digest) return hit.stops;
      const stops = stopsOf(from, piecesOf(message));
      if (isSettled(message)) known.set(message, { from: from.digest, stops });
      return stops;
    },
  };
}

export function stopsOf(from: Stop, pieces: readonly Piece[]): readonly Stop[] {
  let last = from;
  return pieces.map(({ text, tokens, isMarked }) => {
    last = { digest: link(last.digest, text), tokens: last.tokens + tokens, isMarked };
    return last;
  });
}

const toolPiece: (tool: ObjectValue) => Piece = rememberSettled((tool) => piece(JSON.stringify(tool)));

function partsOf(content: Value | undefined): readonly ObjectValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return objectsOf(content);
}

function partPiece(part: ObjectValue): Piece {
  const isMarked = isObjectValue(part.prompt_cache_breakpoint) || isObjectValue(part.cache_control);
  const bare = without(part, "prompt_cache_breakpoint", "cache_control");
  if (bare.type !== "image_url") return { ...piece(shallowSortedJson(bare)), isMarked };
  // A picture is its digest, drawn out to what a picture counts.
  const name = digest(stringOf(objectOf(bare.image_url).url));
  return { ...piece(name.padEnd(pictureTokens * unitsPerToken, ".")), isMarked };
}

function piece(text: string): Piece {
  const tokens = tokensOf(text);
  return { text: text.padEnd(tokens * unitsPerToken), tokens, isMarked: false };
}
