import { digestBytes, digestText } from "../json/canonical.ts";
import { isArray, isObject, type ObjectValue, setMember, type Value } from "../json/value.ts";

/** What stands for a medium's bytes in snapshots, logs and digests (rule 14). */
type MediumMark = { readonly "tidemark:medium": string; readonly size: number; readonly type: string };

/** Strings shorter than this are no medium worth withholding. */
const mediumCharactersMin = 64;

const dataUrl = /^data:([\w.+/-]*)[;,]/;

/**
 * The value with the bytes of its media replaced by their digest, size and type. A medium is: bytes, a base64 string in a `data` (or `file_data`) member whose
 * object names a media type or format, one in a list of `images`, and a data URL.
 */
export function withoutMedia(value: Value): Value {
  if (value instanceof Uint8Array) return markFor(digestBytes(value), value.length, "application/octet-stream");
  if (isArray(value)) return mapArray(value, withoutMedia);
  if (!isObject(value)) return value;
  return mapObject(value, (name, member) => {
    if (isPictureList(name, member))
      return mapArray(member, (item) => (isPicture(item) ? markFor(digestText(item), item.length, "image") : withoutMedia(item)));
    const type = typeof member === "string" ? mediumType(value, name, member) : undefined;
    return type === undefined ? withoutMedia(member) : markFor(digestText(member as string), (member as string).length, type);
  });
}

/** Every medium of a value, by digest. */
export function mediaOf(value: Value, found: Map<string, string | Uint8Array> = new Map()): Map<string, string | Uint8Array> {
  if (value instanceof Uint8Array) found.set(digestBytes(value), value);
  else if (isArray(value)) for (const item of value) mediaOf(item, found);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const pictures = isPictureList(name, member) ? member.filter(isPicture) : [];
      for (const picture of pictures) found.set(digestText(picture), picture);
      if (typeof member === "string" && mediumType(value, name, member) !== undefined) found.set(digestText(member), member);
      else mediaOf(member, found);
    }
  }
  return found;
}

/** What stands in a value for media that are not at hand. */
export function marksOfMedia(value: Value): readonly { readonly digest: string; readonly type: string; readonly size: number }[] {
  if (isArray(value)) return value.flatMap(marksOfMedia);
  if (!isObject(value)) return [];
  const { "tidemark:medium": digest, type, size } = value;
  if (typeof digest === "string") return [{ digest, type: String(type), size: Number(size) }];
  return Object.values(value).flatMap(marksOfMedia);
}

/** Puts media back where their digests stand; one that is not at hand stays a digest. */
export function withMedia(value: Value, media: ReadonlyMap<string, string | Uint8Array>): Value {
  if (isArray(value)) return mapArray(value, (item) => withMedia(item, media));
  if (!isObject(value)) return value;
  const digest = value["tidemark:medium"];
  if (typeof digest === "string") return media.get(digest) ?? value;
  return mapObject(value, (_name, member) => withMedia(member, media));
}

/** Ollama has pictures as base64 in a list of their own. */
export function isPictureList(name: string, member: Value): member is readonly Value[] {
  return name === "images" && isArray(member);
}

export function isPicture(item: Value): item is string {
  return typeof item === "string" && item.length >= mediumCharactersMin;
}

function mediumType(holder: ObjectValue, name: string, text: string): string | undefined {
  if (text.length < mediumCharactersMin) return undefined;
  const url = dataUrl.exec(text.slice(0, 128));
  if (url !== null) return url[1] === "" ? "text/plain" : url[1];
  if (name !== "data" && name !== "file_data") return undefined;
  const type = holder["media_type"] ?? holder["mimeType"] ?? holder["format"];
  return typeof type === "string" ? type : undefined;
}

function markFor(digest: string, size: number, type: string): MediumMark {
  return Object.freeze({ "tidemark:medium": digest, size, type });
}

function mapArray(value: readonly Value[], map: (item: Value) => Value): Value {
  const mapped = value.map(map);
  return mapped.some((item, index) => item !== value[index]) ? Object.freeze(mapped) : value;
}

function mapObject(value: ObjectValue, map: (name: string, member: Value) => Value): Value {
  let changed = false;
  const mapped: Record<string, Value> = {};
  for (const [name, member] of Object.entries(value)) {
    const result = map(name, member);
    if (result !== member) changed = true;
    setMember(mapped, name, result);
  }
  return changed ? Object.freeze(mapped) : value;
}
