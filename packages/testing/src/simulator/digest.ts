import { createHmac, hash } from "node:crypto";

/** SHA-256 in 43 letters. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

/** The next link of a chain: depends on everything before it and on `text`. */
export function link(chain: string, text: string): string {
  return digest(chain + text);
}

export function keyedDigest(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
