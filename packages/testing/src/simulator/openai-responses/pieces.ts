import type { ObjectValue, Profile, Value } from "@tidemark/core";
import { digest } from "../digest.ts";
import { isObjectValue, objectOf, objectsOf, shallowSortedJson, stringOf, without } from "../json.ts";
import { rememberSettled } from "../settled.ts";
import { pictureTokens, tokensOf, unitsPerToken } from "../tokens.ts";

/** A piece of the rendered prompt, whole tokens long. `mark`: an explicit breakpoint behind it. */
export type Piece = { readonly text: string; readonly tokens: number; readonly mark: ObjectValue | undefined };

/**
 * An item as the provider renders it. Ids and status are not shown to the model; marks are no part of it; an output that is a string is one text
 * part; of reasoning its ciphertext stands for what is in it. What lies inside (arguments, schemas) is as received.
 */
export const itemPieces: (item: ObjectValue) => readonly Piece[] = rememberSettled((item) => {
  if (item.type === "reasoning") return [piece(stringOf(item.encrypted_content))];
  const { type = "message", role, content, output, ...rest } = without(item, "id", "status") as Readonly<Record<string, Value>>;
  const others = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const parts = partsOf(content, role).concat(partsOf(output, "user"));
  return [
    piece(`<${stringOf(type)} ${stringOf(role)}>`),
    ...(Object.keys(others).length > 0 ? [piece(shallowSortedJson(others))] : []),
    ...parts.map(partPiece),
  ];
});

/** What stands ahead of the input: tools as received, the output format, and `instructions` on models that render them there. */
export function headPieces(request: ObjectValue, profile: Profile): readonly Piece[] {
  const format = objectOf(request.text).format;
  return [
    ...objectsOf(request.tools).map(toolPiece),
    ...(isObjectValue(format) ? [piece(JSON.stringify(format))] : []),
    ...(profile.instructions === "behind" ? [] : instructionPieces(request)),
  ];
}

/** What stands behind the input: a free tail that no prefix covers. */
export function tailPieces(request: ObjectValue, profile: Profile): readonly Piece[] {
  return profile.instructions === "behind" ? instructionPieces(request) : [];
}

/** What is neither rendered into the prefix nor part of its key (guide of 2026-11-04). Anything else is, known here or not: the strict reading. */
const apart: ReadonlySet<string> = new Set(
  `input instructions tools tool_choice max_output_tokens max_tool_calls metadata stream stream_options store include background background_options
  prompt_cache_options prompt_cache_retention safety_identifier user truncation temperature top_p top_logprobs moderation previous_response_id
  conversation reasoning text`.split(/\s+/),
);

/** The settings of a request; a change is a miss from the start. */
export function settingsOf(request: ObjectValue, model: string): string {
  const others = Object.entries(request).filter(([name, value]) => value !== null && !apart.has(name));
  const { effort = null, mode = null } = objectOf(request.reasoning);
  const { verbosity = null } = objectOf(request.text);
  return `${model}\n${shallowSortedJson({ ...Object.fromEntries(others), effort, mode, verbosity })}`;
}

function piece(text: string): Piece {
  const tokens = tokensOf(text);
  return { text: text.padEnd(tokens * unitsPerToken), tokens, mark: undefined };
}

const toolPiece: (tool: ObjectValue) => Piece = rememberSettled((tool) => piece(JSON.stringify(tool)));

function instructionPieces({ instructions }: ObjectValue): readonly Piece[] {
  return typeof instructions === "string" && instructions !== "" ? [piece(instructions)] : [];
}

function partsOf(content: Value | undefined, role: Value | undefined): readonly ObjectValue[] {
  if (typeof content === "string")
    return content === "" ? [] : [{ type: role === "assistant" ? "output_text" : "input_text", text: content }];
  return objectsOf(content);
}

function partPiece(part: ObjectValue): Piece {
  const mark = [part.prompt_cache_breakpoint, part.cache_control].find(isObjectValue);
  const bare = without(part, "prompt_cache_breakpoint", "cache_control", "annotations", "logprobs");
  if (bare.type !== "input_image") return { ...piece(shallowSortedJson(bare)), mark };
  // A picture is its digest, drawn out to what a picture counts.
  const name = digest(stringOf(bare.image_url) || stringOf(bare.file_id));
  return { ...piece(name.padEnd(pictureTokens * unitsPerToken, ".")), mark };
}
