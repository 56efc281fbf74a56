import { compareValues } from "../json/compare.ts";
import { type Path, pathText } from "../json/path.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Unit } from "../wire/unit.ts";
import type { Placed } from "./first-difference.ts";
import type { Opened } from "./opened.ts";

/**
 * Paths in the next request of bound reasoning that stands behind the difference: the provider made it over another prefix, or another
 * model made it. Parameters are no part of what reasoning is bound to (facts 1.5). Empty on a model that binds nothing.
 */
export function voidedReasoning(previous: Opened, next: Opened, { field, difference }: Placed): readonly string[] {
  const profile = next.wire.profile(next.head.model);
  if (profile.bindsReasoning === "no" || field === "params") return [];
  if (field === "model" && profile.readsReasoningOf.includes(previous.head.model)) return [];
  const from = field === "messages" ? Math.max(0, (difference.nextAt ?? 0) - previous.lead) : 0;
  return next.messages.flatMap((message, index) => {
    if (index < from) return [];
    const inside = field === "messages" && index === from ? difference.path.slice(messagesPlace(next.wire).length + 1) : [];
    return boundPaths(next, message)
      .filter((path) => !standsBefore(path, inside))
      .map((path) => pathText([...messagesPlace(next.wire), index + next.lead, ...path]));
  });
}

function boundPaths({ wire }: Opened, message: ObjectValue): readonly Path[] {
  return unitsOf(wire, message).flatMap((unit) => (unit.kind === "reasoning" && unit.bound ? [placeOf(message, unit.block) ?? []] : []));
}

function unitsOf(wire: Opened["wire"], message: ObjectValue): readonly Unit[] {
  try {
    return wire.read(message).units;
  } catch {
    return [];
  }
}

const levelsMax = 4;

/** Where a unit's block stands in its native message: as a value of its own, or as some members of one. */
function placeOf(value: Value, block: ObjectValue, level = 0): Path | undefined {
  if (level > levelsMax) return undefined;
  if (isObject(value)) {
    if (compareValues(value, block) !== "different") return [];
    const names = Object.keys(block);
    if (names.length === 1 && names.every((name) => isSame(value[name], block[name]))) return names;
  }
  const members: readonly (readonly [string | number, Value])[] = isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, member] of members) {
    const inner = placeOf(member, block, level + 1);
    if (inner !== undefined) return [step, ...inner];
  }
  return undefined;
}

function isSame(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && b !== undefined && compareValues(a, b) !== "different";
}

/** Whether one place stands before another among the elements of the same list. */
function standsBefore(path: Path, other: Path): boolean {
  for (let index = 0; index < Math.min(path.length, other.length); index++) {
    const [a, b] = [path[index], other[index]];
    if (typeof a === "number" && typeof b === "number" && a !== b) return a < b;
    if (a !== b) return false;
  }
  return false;
}
