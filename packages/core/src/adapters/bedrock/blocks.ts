import { laidOut } from "../../json/laid-out.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";

/** Members of the objects that blocks are, in the wire's order. Source: `ContentBlock` of @aws-sdk/client-bedrock-runtime 3.1164.0. */
const members: Readonly<Record<string, readonly string[]>> = {
  toolUse: ["toolUseId", "name", "input", "type"],
  toolResult: ["toolUseId", "content", "status", "type"],
  image: ["format", "source"],
  document: ["format", "name", "source", "context", "citations"],
  video: ["format", "source"],
  audio: ["format", "source"],
  cachePoint: ["type", "ttl"],
};

/** The one member that says what a block is; undefined: several, or none. */
export function kindOf(block: ObjectValue): string | undefined {
  const [kind, ...others] = Object.keys(block);
  return others.length === 0 ? kind : undefined;
}

/** What a block is about: `{ toolUse: … }` is about its call. */
export function innerOf(block: ObjectValue, kind: string): ObjectValue | undefined {
  const inner = block[kind];
  return isObject(inner) ? inner : undefined;
}

/** A block as it is sent: what it is about has its own members in the wire's order; what lies inside (input, source) is as received. */
export function sentBlock(block: ObjectValue): ObjectValue {
  const kind = kindOf(block);
  const inner = kind === undefined ? undefined : innerOf(block, kind);
  if (kind === undefined || inner === undefined || members[kind] === undefined) return block;
  const laid = laidOut(
    inner,
    members[kind],
    Object.keys(inner).filter((name) => inner[name] === null),
  );
  return laid === inner ? block : Object.freeze({ [kind]: laid });
}

export function isCachePoint(block: Value | undefined): boolean {
  return isObject(block) && isObject(block.cachePoint) && Object.keys(block).length === 1;
}

/** A text block without a word; Converse has nothing else in it that would make it worth sending. */
export function isBlankText(block: ObjectValue): boolean {
  return kindOf(block) === "text" && typeof block.text === "string" && block.text.trim() === "";
}

/**
 * Parts blocks from the cache points between them. A point stands behind what it marks; one with nothing before it counts for the last block. A block bears one
 * mark, the last of several.
 */
export function withoutPoints<T>(
  blocks: readonly Value[],
  read: (block: ObjectValue, index: number) => T | undefined,
): { readonly kept: readonly T[]; readonly marks: readonly { readonly at: number; readonly mark: Value }[] } {
  const kept: T[] = [];
  const marks = new Map<number, Value>();
  let early: Value | undefined;
  for (const [index, block] of blocks.entries()) {
    if (isCachePoint(block)) {
      if (kept.length > 0) marks.set(kept.length - 1, block);
      else early = block;
      continue;
    }
    const unit = isObject(block) ? read(block, index) : undefined;
    if (unit !== undefined) kept.push(unit);
  }
  if (early !== undefined && kept.length > 0 && !marks.has(kept.length - 1)) marks.set(kept.length - 1, early);
  return { kept, marks: [...marks].map(([at, mark]) => ({ at, mark })) };
}

export function listOf(value: Value | undefined): readonly Value[] {
  return isArray(value) ? value : [];
}
