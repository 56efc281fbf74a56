import type { ObjectValue } from "@tidemark/core";
import { digest } from "../digest.ts";
import { isObjectValue, objectOf, objectsOf, shallowSortedJson, stringOf, without } from "../json.ts";
import { rememberSettled } from "../settled.ts";
import { pictureTokens, tokensOf, unitsPerToken } from "../tokens.ts";

/** A piece of the rendered prompt, whole tokens long. */
export type Piece = { readonly text: string; readonly tokens: number };

/** What stands in a request in the order in which it is rendered: system text and tools, then contents (facts 8.1, inferred). */
export function promptPieces(request: ObjectValue): readonly Piece[] {
  const system = objectOf(request.systemInstruction);
  const tools = objectsOf(request.tools);
  return [...objectsOf(system.parts).map(partPiece), ...tools.map(toolPiece), ...objectsOf(request.contents).flatMap(contentPieces)];
}

export function tokensIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}

/** Settings of `generationConfig` that are no part of the prompt; anything else is, known here or not: the strict reading. */
const apart: readonly string[] = `temperature topP topK seed maxOutputTokens candidateCount stopSequences presencePenalty frequencyPenalty
  responseLogprobs logprobs responseModalities`.split(/\s+/);

/** The settings of a request; a change is a miss from the start. */
export function settingsOf(request: ObjectValue, model: string): string {
  return `${model}\n${shallowSortedJson(without(objectOf(request.generationConfig), ...apart))}`;
}

/** How a content is cut is kept: another cut is another prompt (facts 8.3). Ids and signatures count as they are. */
const contentPieces: (content: ObjectValue) => readonly Piece[] = rememberSettled((content) => [
  piece(`<${stringOf(content.role)}>`),
  ...objectsOf(content.parts).map(partPiece),
]);

const toolPiece: (tool: ObjectValue) => Piece = rememberSettled((tool) => piece(JSON.stringify(tool)));

function partPiece(part: ObjectValue): Piece {
  return isObjectValue(part.inlineData) ? mediumPiece(stringOf(part.inlineData.data)) : piece(shallowSortedJson(part));
}

/** A picture is its digest, drawn out to what a picture counts. */
export function mediumPiece(data: string): Piece {
  return piece(digest(data).padEnd(pictureTokens * unitsPerToken, "."));
}

export function piece(text: string): Piece {
  const tokens = tokensOf(text);
  return { text: text.padEnd(tokens * unitsPerToken), tokens };
}
