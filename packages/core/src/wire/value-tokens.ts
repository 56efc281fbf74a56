import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { imageSize } from "./image-size.ts";
import { assumedImageSize, defaultImageFormula, type ImageFormula, imageTokens } from "./image-tokens.ts";
import { isMedia, mediumIn } from "./media.ts";
import { estimateText } from "./tokens.ts";
import type { Unit } from "./unit.ts";

/** Bytes of a signature or of encrypted content that count as one token, until reports say otherwise (rule 30). */
const opaqueBytesAToken = 3;
/** Bytes of a document, sound or film that count as one token, and the least that one counts. Rough: what is in it cannot be seen. */
const fileBytesAToken = 50;
const fileTokensMin = 1_500;

/** What a message, a call and a result cost beside their words: role, ids, brackets. */
const messageTokens = 4;
const callTokens = 8;
const resultTokens = 5;

/** Members whose strings are made by the provider and are no words. */
const opaqueMembers = /signature|encrypted|^data$/i;

/**
 * An estimate of the tokens of a JSON value as a wire renders it: names, strings and numbers by {@link estimateText}, one token for each
 * member's and string's marks, signatures and encrypted content by their size, media by `formula`.
 */
export function estimateValue(value: Value, formula: ImageFormula = defaultImageFormula): number {
  if (typeof value === "string") return estimateText(value) + 1;
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number") return estimateText(String(value));
  if (value instanceof Uint8Array) return mediaTokens(value, formula);
  if (isArray(value)) return value.reduce<number>((tokens, element) => tokens + estimateValue(element, formula), 1);
  if (isMedia(value)) return mediaTokens(value, formula);
  return membersTokens(value as ObjectValue, formula);
}

function membersTokens(value: ObjectValue, formula: ImageFormula): number {
  let tokens = 1;
  for (const [name, member] of Object.entries(value)) {
    const isOpaque = typeof member === "string" && opaqueMembers.test(name);
    tokens += estimateText(name) + 1 + (isOpaque ? opaqueTokens(member) : estimateValue(member, formula));
  }
  return tokens;
}

function opaqueTokens(text: string): number {
  return Math.ceil(text.length / opaqueBytesAToken);
}

/** A picture by its pixels; any other medium by its size. */
export function mediaTokens(block: Value, formula: ImageFormula = defaultImageFormula): number {
  const medium = mediumIn(block);
  if (medium.text !== undefined) return estimateText(medium.text);
  const size = medium.data === undefined ? undefined : imageSize(medium.data);
  if (size !== undefined || looksLikePicture(block, medium.type)) {
    return imageTokens(formula, size ?? assumedImageSize, medium.detail === "low" ? "low" : "other");
  }
  return Math.max(fileTokensMin, Math.ceil((medium.data?.length ?? 0) / fileBytesAToken));
}

function looksLikePicture(block: Value, type: string | undefined): boolean {
  if (type !== undefined) return type.startsWith("image/");
  return isObject(block) && typeof block.type === "string" && block.type.includes("image");
}

/** Tokens of one message, from what the wire reads of it. */
export function estimateMessage(units: readonly Unit[], formula: ImageFormula = defaultImageFormula): number {
  return units.reduce((tokens, unit) => tokens + estimateUnit(unit, formula), messageTokens);
}

/** Tokens of one unit. */
export function estimateUnit(unit: Unit, formula: ImageFormula = defaultImageFormula): number {
  switch (unit.kind) {
    case "text":
      return estimateText(unit.text);
    case "reasoning":
      return estimateText(unit.readable) + (unit.bound ? sealTokens(unit.block, unit.readable) : 0);
    case "call":
      return callTokens + estimateText(unit.name) + estimateValue(unit.value, formula);
    case "result":
      return resultTokens + (unit.text === undefined ? contentTokens(unit.block, unit.id, formula) : estimateText(unit.text));
    case "media":
      return mediaTokens(unit.block, formula);
    default:
      return estimateValue(unit.block, formula);
  }
}

/** What is sealed in a reasoning block: all of its strings but its kind and its readable text. */
function sealTokens(value: Value, readable: string): number {
  if (typeof value === "string") return value === readable ? 0 : opaqueTokens(value);
  if (isArray(value)) return value.reduce<number>((tokens, element) => tokens + sealTokens(element, readable), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((tokens, [name, member]) => tokens + (name === "type" ? 0 : sealTokens(member, readable)), 0);
}

/** A result that is more than text: its parts, without the id that it shares with its call. */
function contentTokens(block: ObjectValue, id: string, formula: ImageFormula): number {
  return Object.values(block).reduce<number>((tokens, member) => {
    if (member === id) return tokens;
    return tokens + (isArray(member) ? partsTokens(member, formula) : 0);
  }, 0);
}

function partsTokens(parts: readonly Value[], formula: ImageFormula): number {
  return parts.reduce<number>((tokens, part) => {
    const isText = isObject(part) && typeof part.text === "string" && !isMedia(part);
    return tokens + (isText ? estimateText(part.text as string) : estimateValue(part, formula));
  }, 0);
}
