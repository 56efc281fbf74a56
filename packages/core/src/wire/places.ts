import type { Path } from "../json/path.ts";
import type { Head } from "./head.ts";
import type { Wire } from "./wire.ts";

export function messagesPlace(wire: Wire): Path {
  return wire.abilities.places?.messages ?? ["messages"];
}

export function toolsPlace(wire: Wire): Path {
  return wire.abilities.places?.tools ?? ["tools"];
}

/** Where the system text stands; `messages` says that it is the leading messages. */
export function systemPlace(wire: Wire, ...heads: readonly Head[]): Path {
  if (wire.abilities.places?.system !== undefined) return wire.abilities.places.system;
  return leadsMessages(...heads) ? messagesPlace(wire) : ["system"];
}

/** Whether the head's system objects are messages. */
export function leadsMessages(...heads: readonly Head[]): boolean {
  return heads.some(({ system }) => system.some((part) => typeof part.role === "string"));
}

export function headOrder(wire: Wire): readonly ("system" | "tools")[] {
  return wire.abilities.places?.order ?? ["tools", "system"];
}

/** Whether neighbours of one role are read as one turn. */
export function mergesTurns(wire: Wire): boolean {
  return wire.abilities.mergesTurns ?? wire.abilities.resultsJoinUserTurn;
}
