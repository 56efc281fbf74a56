import { laidOut } from "../../json/laid-out.ts";
import { isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";

/**
 * What goes out and is not compared, since stores drop it (rule 4):
 * `members`: an item's id and status, for units that are an item of their own. `message`: the same, and the type, of the message that starts with
 * this unit. `part`: empty members of a text part. `item`: the block is a whole item, verbatim. `text`: the output goes out as a string.
 */
const droppable: readonly string[] = ["id", "status"];

/** An item's droppable members, and the names of all that are no part of its block: these, and what is null. */
export function looseMembers(item: ObjectValue): { readonly loose: ObjectValue; readonly without: readonly string[] } {
  const without = Object.keys(item).filter((name) => droppable.includes(name) || item[name] === null);
  return { loose: Object.freeze({ members: droppableOf(item) }), without };
}

/** The droppable members of a message, with its type, which the easy form lacks. */
export function looseMessage(item: ObjectValue): ObjectValue {
  return Object.freeze({ ...(item.type === undefined || item.type === null ? {} : { type: item.type }), ...droppableOf(item) });
}

export function withMembers(unit: Unit, block: ObjectValue, order: readonly string[]): ObjectValue {
  const members = isObject(unit.loose?.members) ? unit.loose.members : {};
  return laidOut(Object.freeze({ ...block, ...members }), order);
}

/** The unit without an item id: its item is plain history then (facts 2.2). */
export function withoutItemId<U extends Unit>(unit: U): U {
  const { loose } = unit;
  if (loose === undefined) return unit;
  for (const holder of ["members", "message"]) {
    const members = loose[holder];
    if (!isObject(members) || members.id === undefined) continue;
    const { id: _id, ...others } = members as Record<string, Value>;
    return { ...unit, loose: Object.freeze({ ...loose, [holder]: Object.freeze(others) }) };
  }
  return unit;
}

export function itemId({ loose }: Unit): string | undefined {
  const members = loose?.members;
  return isObject(members) && typeof members.id === "string" && members.id !== "" ? members.id : undefined;
}

function droppableOf(item: ObjectValue): ObjectValue {
  const names = droppable.filter((name) => typeof item[name] === "string");
  return Object.freeze(Object.fromEntries(names.map((name) => [name, item[name] as Value])));
}
