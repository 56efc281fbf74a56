import { InvalidRequestError } from "../../wire/errors.ts";

/**
 * A request's contents as a list of contents. The SDK takes a text, a part, one content, or texts and parts of one user content in their place; a list
 * of contents is the host's own and is not looked into here.
 */
export function listContents(given: unknown): readonly unknown[] {
  if (!Array.isArray(given)) return [isContentLike(given) ? given : userContent([given])];
  const [first] = given;
  if (given.length === 0 || isContentLike(first)) return given;
  const stray = given.findIndex(isContentLike);
  if (stray >= 0)
    throw new InvalidRequestError(`$.contents[${stray}]`, "contents and parts stand side by side; put the parts into a content");
  return [userContent(given)];
}

function userContent(parts: readonly unknown[]): object {
  return { role: "user", parts: parts.map((part, index) => partOf(part, index)) };
}

function partOf(part: unknown, index: number): object {
  if (typeof part === "string") return { text: part };
  if (typeof part === "object" && part !== null) return part;
  throw new InvalidRequestError(`$.contents[${index}]`, "a text, a part or a content is needed here");
}

function isContentLike(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("parts" in value || "role" in value);
}
