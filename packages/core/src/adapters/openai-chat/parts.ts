import { laidOut } from "../../json/laid-out.ts";
import { type Path, pathText } from "../../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Unit } from "../../wire/unit.ts";
import type { Dialect } from "./dialects.ts";
import { markNames, markOn } from "./marks.ts";
import { isNothing } from "./nothing.ts";
import { readThinking } from "./reasoning.ts";

/** Parts that are a picture, a sound, a film or a document. */
const mediaTypes: readonly Value[] = ["image_url", "input_audio", "audio_url", "video_url", "input_video", "file", "document_url"];

export type ReadPart = { readonly unit: Unit; readonly mark: Value | undefined };

/** The parts of a content that bear anything. Null, absent, `""` and `[]` are alike; so are a string and one text part. */
export function readParts(content: Value | undefined, isReply: boolean): readonly ReadPart[] {
  if (isNothing(content)) return [];
  if (typeof content === "string") return content.trim() === "" ? [] : [{ unit: textUnit(content), mark: undefined }];
  const parts: ReadPart[] = [];
  for (const part of partsOf(content)) {
    const block = laidOut(part, ["type", "text"], markNames);
    if (!isPlainText(block) || (block.text as string).trim() !== "") parts.push({ unit: unitOf(block, isReply), mark: markOn(part) });
  }
  return parts;
}

export type ReadResult = { readonly content: Value; readonly text: string | undefined; readonly mark: Value | undefined };

/** A tool message's content in the form in which it is sent. */
export function readResultContent(content: Value | undefined, dialect: Dialect): ReadResult {
  if (isNothing(content)) return { content: "", text: "", mark: undefined };
  if (typeof content === "string") return { content: textContent(content, dialect), text: content, mark: undefined };
  const received = partsOf(content);
  const parts = received.map((part) => laidOut(part, ["type", "text"], markNames));
  const mark = received.map(markOn).findLast((found) => found !== undefined);
  if (!parts.every(isPlainText)) return { content: Object.freeze(parts), text: undefined, mark };
  const text = parts.map((part) => part.text).join("");
  return { content: parts.length === 1 ? textContent(text, dialect) : Object.freeze(parts), text, mark };
}

/** Text as a content: a string, or one part where a mark may come to sit on it. */
export function textContent(text: string, dialect: Dialect): Value {
  return dialect.marks && text !== "" ? Object.freeze([textUnit(text).block]) : text;
}

export function textUnit(text: string): Unit & { readonly kind: "text" } {
  return { kind: "text", block: Object.freeze({ type: "text", text }), text };
}

/** A text part that holds nothing but its text. */
export function isPlainText(part: ObjectValue): boolean {
  return part.type === "text" && typeof part.text === "string" && Object.keys(part).length === 2;
}

function unitOf(block: ObjectValue, isReply: boolean): Unit {
  if (block.type === "text" && typeof block.text === "string") return { kind: "text", block, text: block.text };
  if (block.type === "thinking" && isReply) return readThinking(block);
  return { kind: mediaTypes.includes(block.type ?? null) ? "media" : "other", block };
}

function partsOf(content: Value | undefined): readonly ObjectValue[] {
  const path: Path = ["content"];
  if (!isArray(content)) throw new InvalidMessageError(pathText(path), "content must be a string, a list of parts, or null");
  for (const [index, part] of content.entries()) {
    if (!isObject(part)) throw new InvalidMessageError(pathText([...path, index]), "a part must be an object");
    if (part["type"] === "tool_use" || part["type"] === "tool_result")
      throw new InvalidMessageError(
        pathText([...path, index]),
        `${part["type"]} is a block of Anthropic Messages: make the session with anthropic()`,
      );
  }
  return content as readonly ObjectValue[];
}
