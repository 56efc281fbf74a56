import type { ObjectValue } from "@tidemark/core";
import { isObjectValue, objectOf, objectsOf, shallowSortedJson, stringOf, without } from "../json.ts";
import { rememberSettled } from "../settled.ts";
import { mediumPiece, type Piece, piece } from "./pieces.ts";
import type { Signed } from "./signatures.ts";

/** What stands in an interaction in the order in which it is rendered: system text and tools, then the steps. */
export function interactionPieces(request: ObjectValue): readonly Piece[] {
  const system = stringOf(request.system_instruction);
  const tools = objectsOf(request.tools).map((tool) => piece(JSON.stringify(tool)));
  return [...(system === "" ? [] : [piece(system)]), ...tools, ...stepsIn(request).flatMap(stepPieces)];
}

/** Settings of `generation_config` that are no part of the prompt; anything else is: the strict reading. */
const apart: readonly string[] = ["temperature", "top_p", "seed", "max_output_tokens", "stop_sequences", "tool_choice"];

export function interactionSettings(request: ObjectValue, model: string): string {
  const { response_format = null, response_mime_type = null } = request;
  return `${model}\n${shallowSortedJson({ ...without(objectOf(request.generation_config), ...apart), response_format, response_mime_type })}`;
}

/** The steps of a request; a text or contents in their place are a step of the user. */
export function stepsIn({ input }: ObjectValue): readonly ObjectValue[] {
  if (typeof input === "string") return [{ type: "user_input", content: [{ type: "text", text: input }] }];
  const list = isObjectValue(input) ? [input] : objectsOf(input);
  return list.some(({ type }) => contentTypes.includes(stringOf(type))) ? [{ type: "user_input", content: list }] : list;
}

const contentTypes: readonly string[] = ["text", "image", "audio", "document", "video"];

/** A step by what it is: a call by its name. */
export function kindOfStep({ type, name }: ObjectValue): string {
  return type === "function_call" ? `call ${stringOf(name)}` : stringOf(type);
}

export function signedSteps(steps: readonly ObjectValue[]): readonly Signed[] {
  return steps.flatMap((step, index) => {
    const signature = stringOf(step.signature);
    return signature === "" ? [] : [{ signature, kind: kindOfStep(step), path: `input[${index}]` }];
  });
}

const stepPieces: (step: ObjectValue) => readonly Piece[] = rememberSettled((step) => [
  piece(shallowSortedJson(without(step, "content"))),
  ...objectsOf(step.content).map((part) => (typeof part.data === "string" ? mediumPiece(part.data) : piece(shallowSortedJson(part)))),
]);
