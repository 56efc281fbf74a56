import type { Path } from "../json/path.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Head } from "./head.ts";
import type { Wire } from "./wire.ts";

export function messagesPlace(wire: Wire): Path {
  return wire.abilities.places?.messages ?? ["messages"];
}

/** Where the tools stand; of several heads the last one says it. */
export function toolsPlace(wire: Wire, ...heads: readonly Head[]): Path {
  return heads.at(-1)?.places?.tools ?? wire.abilities.places?.tools ?? ["tools"];
}

/** Where the system text stands; `messages` says that it is the leading messages. */
export function systemPlace(wire: Wire, ...heads: readonly Head[]): Path {
  const place = heads.at(-1)?.places?.system ?? wire.abilities.places?.system;
  if (place !== undefined) return place;
  return leadsMessages(...heads) ? messagesPlace(wire) : ["system"];
}

/** The parts of the system text that stand in a field of their own, as they stand there: a field that is a plain string is one part with nothing but its text. */
export function systemField({ system }: Head): readonly ObjectValue[] | string {
  const parts = system.filter((part) => typeof part.role !== "string");
  const [only] = parts;
  const isString = parts.length === 1 && only !== undefined && typeof only.text === "string" && Object.keys(only).length === 1;
  return isString ? (only.text as string) : parts;
}

/** The parts of the system text that are leading messages. */
export function systemMessages({ system }: Head): readonly ObjectValue[] {
  return system.filter((part) => typeof part.role === "string");
}

/** Whether some of the head's system objects are messages. */
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
