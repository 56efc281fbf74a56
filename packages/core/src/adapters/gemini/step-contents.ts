import { laidOut } from "../../json/laid-out.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Unit } from "../../wire/unit.ts";

const mediaTypes: readonly Value[] = ["image", "audio", "video", "document"];
const contentOrder: readonly string[] = ["type", "text", "annotations", "mime_type", "data", "uri", "resolution"];

/** Which contents a step may hold, and a request in the place of steps (SDK 3.3.0). */
export const contentTypes: readonly Value[] = ["text", ...mediaTypes];

/** The contents of a step that bear anything. */
export function readContents(content: Value | undefined): readonly Unit[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return content.trim() === "" ? [] : [textContent(content)];
  if (!isArray(content)) throw new InvalidMessageError("$.content", "the content must be a list");
  return content.flatMap((part, index) => readContent(part, `$.content[${index}]`));
}

export function textContent(text: string): Unit & { readonly kind: "text" } {
  return { kind: "text", block: Object.freeze({ type: "text", text }), text };
}

function readContent(part: Value, path: string): readonly Unit[] {
  if (!isObject(part)) throw new InvalidMessageError(path, "a content must be an object");
  const block = laidOut(
    part,
    contentOrder,
    Object.keys(part).filter((name) => part[name] === null),
  );
  if (block.type !== "text" || typeof block.text !== "string")
    return [{ kind: mediaTypes.includes(block.type ?? null) ? "media" : "other", block }];
  return isBlank(block, block.text) ? [] : [{ kind: "text", block, text: block.text }];
}

function isBlank(block: ObjectValue, text: string): boolean {
  return text.trim() === "" && Object.keys(block).length === 2;
}
