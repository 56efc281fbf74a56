import { isObject, type ObjectValue } from "../json/value.ts";

/** The argument string of a call's block, where the wire carries one; undefined: it carries a value. */
export function argumentText(block: ObjectValue): string | undefined {
  for (const [name, member] of Object.entries(block)) {
    if (name === "arguments" && typeof member === "string") return member;
    if (isObject(member) && typeof member["arguments"] === "string") return member["arguments"];
  }
  return undefined;
}

/** The same block with another argument string. */
export function withArgumentText(block: ObjectValue, text: string): ObjectValue {
  const members = Object.entries(block).map(([name, member]) => {
    if (name === "arguments" && typeof member === "string") return [name, text] as const;
    if (isObject(member) && typeof member["arguments"] === "string") return [name, Object.freeze({ ...member, arguments: text })] as const;
    return [name, member] as const;
  });
  return Object.freeze(Object.fromEntries(members));
}
