import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import stableStringify from "fast-json-stable-stringify";
import { isArray, type ObjectValue, type Value } from "./value.ts";

/** JSON text with sorted keys: equal for two values exactly when they are the same by `sameValue`. Bytes are written as their digest. */
export function canonicalText(value: Value): string {
  return stableStringify(withoutBytes(value));
}

/** SHA-256 of a text, in 64 hexadecimal digits. */
export function digestText(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** SHA-256 of a value's canonical text. */
export function digestValue(value: Value): string {
  return digestText(canonicalText(value));
}

/** SHA-256 of bytes, in 64 hexadecimal digits. */
export function digestBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

function withoutBytes(value: Value): unknown {
  return holdsBytes(value) ? namingBytes(value) : value;
}

function holdsBytes(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isArray(value)) return value.some(holdsBytes);
  if (value instanceof Uint8Array) return true;
  for (const name of Object.keys(value)) if (holdsBytes((value as ObjectValue)[name] as Value)) return true;
  return false;
}

function namingBytes(value: Value): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return { bytes: digestBytes(value), size: value.length };
  if (isArray(value)) return value.map(namingBytes);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, namingBytes(member as Value)]));
}
