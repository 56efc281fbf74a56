import { laidOut } from "../../json/laid-out.ts";
import { type Path, pathText } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Unit } from "../../wire/unit.ts";
import { markNames, markOn } from "./marks.ts";

/** Parts that are a picture, a sound or a document. */
const mediaTypes: readonly Value[] = ["input_image", "input_file", "input_audio"];
const textTypes: readonly Value[] = ["input_text", "output_text", "text"];
/** Members of a text part that are read alike when they are empty, null or absent. */
const emptyAlike: readonly string[] = ["annotations", "logprobs"];

export type ReadPart = { readonly unit: Unit; readonly mark: Value | undefined };

/** The parts of a content that bear anything. A string is one part of the type that its role writes. */
export function readParts(content: Value | undefined, role: string): readonly ReadPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return content.trim() === "" ? [] : [{ unit: textUnit(content, role), mark: undefined }];
  return partsOf(content, ["content"]).flatMap((part) => {
    const unit = readPart(part);
    return unit.kind === "text" && unit.text.trim() === "" && Object.keys(unit.block).length === 2 ? [] : [{ unit, mark: markOn(part) }];
  });
}

/** Text as a reply has it, or as everyone else writes it. */
export function textUnit(text: string, role: string): Unit & { readonly kind: "text" } {
  return { kind: "text", block: Object.freeze({ type: role === "assistant" ? "output_text" : "input_text", text }), text };
}

/** A part as it goes out, with what was left out of the comparison. */
export function partOf({ block, loose }: Unit): ObjectValue {
  return isObject(loose?.part) ? Object.freeze({ ...block, ...loose.part }) : block;
}

/** The parts of a tool's output, without marks, and its whole text where it is nothing else. */
export function readOutput(output: Value | undefined): {
  readonly parts: readonly ObjectValue[];
  readonly text: string | undefined;
  readonly mark: Value | undefined;
} {
  if (output === undefined || output === null || output === "") return { parts: [], text: "", mark: undefined };
  if (typeof output === "string") return { parts: textParts(output), text: output, mark: undefined };
  const received = partsOf(output, ["output"]);
  const parts = received.map((part) => laidOut(part, ["type", "text"], markNames));
  const isText = parts.every(isPlainText);
  return {
    parts: Object.freeze(parts),
    text: isText ? parts.map(({ text }) => text).join("") : undefined,
    mark: received.map(markOn).findLast((mark) => mark !== undefined),
  };
}

/** A text as the parts of an output. */
export function textParts(text: string): readonly ObjectValue[] {
  return Object.freeze(text === "" ? [] : [textUnit(text, "user").block]);
}

function isPlainText(part: ObjectValue): boolean {
  return part.type === "input_text" && typeof part.text === "string" && Object.keys(part).length === 2;
}

function readPart(part: ObjectValue): Unit {
  const empty = emptyAlike.filter((name) => isEmpty(part[name]));
  const nulls = Object.keys(part).filter((name) => part[name] === null);
  const block = laidOut(part, ["type", "text"], [...markNames, ...empty, ...nulls]);
  if (!textTypes.includes(block.type ?? null) || typeof block.text !== "string")
    return { kind: mediaTypes.includes(block.type ?? null) ? "media" : "other", block };
  const kept = empty.filter((name) => isArray(part[name]));
  if (kept.length === 0) return { kind: "text", block, text: block.text };
  const loose = Object.freeze({ part: Object.freeze(Object.fromEntries(kept.map((name) => [name, part[name] as Value]))) });
  return { kind: "text", block, text: block.text, loose };
}

function isEmpty(value: Value | undefined): boolean {
  return value === null || (isArray(value) && value.length === 0);
}

function partsOf(content: Value, path: Path): readonly ObjectValue[] {
  if (!isArray(content)) throw new InvalidMessageError(pathText(path), `${path.join(".")} must be a string or a list of parts`);
  for (const [index, part] of content.entries())
    if (!isObject(part)) throw new InvalidMessageError(pathText([...path, index]), "a part must be an object");
  return content as readonly ObjectValue[];
}
