import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import stableStringify from "fast-json-stable-stringify";
import type { Value } from "./value.ts";

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

/** The value with bytes named by their digest; the same object where it holds none. */
function withoutBytes(value: Value): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return { bytes: digestBytes(value), size: value.length };
  let changed = false;
  const named = Object.entries(value).map(([name, member]) => {
    const plain = withoutBytes(member as Value);
    if (plain !== member) changed = true;
    return [name, plain] as const;
  });
  if (!changed) return value;
  return Array.isArray(value) ? named.map(([, plain]) => plain) : Object.fromEntries(named);
}
