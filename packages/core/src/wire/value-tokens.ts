import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { imageSize } from "./image-size.ts";
import { assumedImageSize, defaultImageFormula, type ImageFormula, imageTokens } from "./image-tokens.ts";
import { isMedia, mediumIn } from "./media.ts";
import type { Profile } from "./profile.ts";
import { sliced } from "./sliced-count.ts";
import { textTokens } from "./tokens.ts";
import type { Unit } from "./unit.ts";

/** By what the parts of a message are counted for one model. */
export type Counting = {
  readonly text: (text: string) => number;
  readonly images: ImageFormula;
};

/** How a model's tokens are counted: texts by the host's counter, else by the estimate. */
export function countingFor(
  { imageTokens: images = defaultImageFormula, textScale = 1 }: Profile,
  countText?: (text: string) => number,
): Counting {
  if (countText !== undefined) return { text: sliced(countText), images };
  return { text: textScale === 1 ? textTokens : (text) => textTokens(text) * textScale, images };
}

export const defaultCounting: Counting = { text: textTokens, images: defaultImageFormula };

/** Bytes of a signature or of encrypted content that count as one token, until reports say otherwise (rule 30). */
const opaqueBytesAToken = 3;
/** Bytes of a document, sound or film that count as one token, and the least that one counts. Rough: what is in it cannot be seen. */
const fileBytesAToken = 50;
const fileTokensMin = 1_500;

/** What a message, a call and a result cost beside their words: role, ids, brackets. */
const messageTokens = 4;
const callTokens = 8;
const resultTokens = 5;
/** The marks around a member's name and behind its value. */
const memberTokens = 1.3;

/** Members whose strings are made by the provider and are no words. */
const opaqueMembers = /signature|encrypted|^data$/i;

/**
 * An estimate of the tokens of a JSON value as a wire renders it: names, strings and numbers as text, a little for the marks around
 * them, signatures and encrypted content by their size, media by their formula.
 */
export function estimateValue(value: Value, counting: Counting = defaultCounting): number {
  return Math.ceil(valueTokens(value, counting));
}

/** Tokens of one message, from what the wire reads of it. */
export function estimateMessage(units: readonly Unit[], counting: Counting = defaultCounting): number {
  return Math.ceil(units.reduce((tokens, unit) => tokens + unitTokens(unit, counting), messageTokens));
}

/** Tokens of one unit. */
export function estimateUnit(unit: Unit, counting: Counting = defaultCounting): number {
  return Math.ceil(unitTokens(unit, counting));
}

function unitTokens(unit: Unit, counting: Counting): number {
  switch (unit.kind) {
    case "text":
      return counting.text(unit.text);
    case "reasoning":
      return counting.text(unit.readable) + (unit.bound ? sealTokens(unit.block, unit.readable) : 0);
    case "call":
      return callTokens + counting.text(unit.name) + valueTokens(unit.value, counting);
    case "result":
      return resultTokens + (unit.text === undefined ? contentTokens(unit.block, counting) : counting.text(unit.text));
    case "media":
      return mediaTokens(unit.block, counting);
    default:
      return valueTokens(unit.block, counting);
  }
}

function valueTokens(value: Value, counting: Counting): number {
  if (typeof value === "string") return counting.text(value);
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number") return counting.text(String(value));
  if (value instanceof Uint8Array) return mediaTokens(value, counting);
  if (isArray(value)) return value.reduce<number>((tokens, element) => tokens + valueTokens(element, counting), 1);
  if (isMedia(value)) return mediaTokens(value, counting);
  return membersTokens(value as ObjectValue, counting);
}

function membersTokens(value: ObjectValue, counting: Counting): number {
  let tokens = 1;
  for (const [name, member] of Object.entries(value)) {
    const isOpaque = typeof member === "string" && opaqueMembers.test(name);
    tokens += counting.text(name) + memberTokens + (isOpaque ? opaqueTokens(member) : valueTokens(member, counting));
  }
  return tokens;
}

function opaqueTokens(text: string): number {
  return text.length / opaqueBytesAToken;
}

/** What is sealed in a reasoning block: all of its strings but its kind and its readable text. */
function sealTokens(value: Value, readable: string): number {
  if (typeof value === "string") return value === readable ? 0 : opaqueTokens(value);
  if (isArray(value)) return value.reduce<number>((tokens, element) => tokens + sealTokens(element, readable), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((tokens, [name, member]) => tokens + (name === "type" ? 0 : sealTokens(member, readable)), 0);
}

/** A result that is more than text: its parts, or whatever it is where it has none. Ids and flags are in the result's own tokens. */
function contentTokens(block: ObjectValue, counting: Counting): number {
  const lists = Object.values(block).filter(isArray);
  if (lists.length === 0) return valueTokens(block, counting);
  return lists.flat().reduce<number>((tokens, part) => tokens + partTokens(part, counting), 0);
}

function partTokens(part: Value, counting: Counting): number {
  const isText = isObject(part) && typeof part.text === "string" && !isMedia(part);
  return isText ? counting.text(part.text as string) : valueTokens(part, counting);
}

/** A picture by its pixels; any other medium by its size. */
function mediaTokens(block: Value, counting: Counting): number {
  const medium = mediumIn(block);
  if (medium.text !== undefined) return counting.text(medium.text);
  const size = medium.data === undefined ? undefined : imageSize(medium.data);
  if (size !== undefined || looksLikePicture(block, medium.type)) {
    return imageTokens(counting.images, size ?? assumedImageSize, medium.detail === "low" ? "low" : "other");
  }
  return Math.max(fileTokensMin, (medium.data?.length ?? 0) / fileBytesAToken);
}

function looksLikePicture(block: Value, type: string | undefined): boolean {
  if (type !== undefined) return type.startsWith("image/");
  return isObject(block) && typeof block.type === "string" && block.type.includes("image");
}
