import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";

/** What is at hand of a picture, sound, film or document inside a native block. */
export type Medium = {
  /** `image/png`; undefined where the block does not say. */
  readonly type: string | undefined;
  /** Base64 text or bytes; undefined for a link, a file id or plain text. */
  readonly data: string | Uint8Array | undefined;
  /** The words of a document that is plain text. */
  readonly text: string | undefined;
  /** How closely the request asks the model to look. */
  readonly detail: string | undefined;
};

const kinds = /^(input_)?(image|image_url|audio|video|document|file|media)$/;
const typeMembers = ["media_type", "mimeType", "mime_type"] as const;
const dataUrl = /^data:([\w.+/-]*)[;,]/;

/** Whether a block, or one among blocks, is a picture, sound, film or document: told by its kind, a media type, a data URL or bytes. */
export function isMedia(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof Uint8Array) return true;
  if (typeof value === "string") return dataUrl.test(value.slice(0, 128));
  if (isArray(value)) return value.some((element) => isObject(element) && isMedia(element));
  return isObject(value) && isMediaBlock(value);
}

function isMediaBlock(block: ObjectValue): boolean {
  if (typeof block.type === "string" && kinds.test(block.type)) return true;
  if (typeOf(block) !== undefined) return true;
  return Object.values(block).some((member) => member instanceof Uint8Array || (isObject(member) && typeOf(member) !== undefined));
}

function typeOf(holder: ObjectValue): string | undefined {
  const name = typeMembers.find((member) => typeof holder[member] === "string");
  return name === undefined ? undefined : (holder[name] as string);
}

/** The medium that a native block holds, wherever in it. */
export function mediumIn(block: Value): Medium {
  const found = holderIn(block, 0);
  const detail = isObject(block) ? detailOf(block) : undefined;
  return found === undefined ? { type: undefined, data: undefined, text: undefined, detail } : { ...found, detail };
}

type Held = Pick<Medium, "type" | "data" | "text">;

const levelsMax = 4;

function holderIn(value: Value, level: number): Held | undefined {
  if (value instanceof Uint8Array) return { type: undefined, data: value, text: undefined };
  if (typeof value === "string") return fromUrl(value);
  if (!isObject(value) || level > levelsMax) return undefined;
  const own = fromHolder(value);
  if (own !== undefined) return own;
  for (const member of Object.values(value)) {
    const found = holderIn(member, level + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromHolder(holder: ObjectValue): Held | undefined {
  const data = holder.data ?? holder.bytes;
  if (data instanceof Uint8Array) return { type: typeOf(holder), data, text: undefined };
  if (typeof data !== "string") return undefined;
  const type = typeOf(holder) ?? (typeof holder.format === "string" ? holder.format : undefined);
  return type?.startsWith("text/") ? { type, data: undefined, text: data } : { type, data, text: undefined };
}

function fromUrl(text: string): Held | undefined {
  const match = dataUrl.exec(text.slice(0, 128));
  if (match === null) return undefined;
  const comma = text.indexOf(",");
  return { type: match[1] === "" ? undefined : match[1], data: text.slice(comma + 1), text: undefined };
}

function detailOf(block: ObjectValue): string | undefined {
  if (typeof block.detail === "string") return block.detail;
  const inner = Object.values(block).find((member) => isObject(member) && typeof member.detail === "string");
  return isObject(inner) ? (inner.detail as string) : undefined;
}
