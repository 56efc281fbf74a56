import { partNames } from "./parts.ts";

const contentMembers: ReadonlySet<string> = new Set(["role", "parts"]);
const partMembers: ReadonlySet<string> = new Set(
  partNames.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);

export function isContentMember(name: string): boolean {
  return contentMembers.has(name);
}

/** A member of a part, in either spelling. */
export function isPartMember(name: string): boolean {
  return partMembers.has(name);
}
