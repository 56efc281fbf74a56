import type { Entry } from "./entry.ts";

/**
 * Where events may stand in a window (rule 18): behind its end when that is a user turn whose calls all have their results, or before the run of system messages
 * that it ends in behind a user turn. Undefined: the sources wait.
 */
export function eventPlace(entries: readonly Entry[]): number | undefined {
  let place = entries.length;
  while (place > 0 && isNothing(entries[place - 1] as Entry)) place -= 1;
  let at = place;
  while (at > 0 && ((entries[at - 1] as Entry).role === "system" || isNothing(entries[at - 1] as Entry))) at -= 1;
  if (at === 0) return undefined;
  if ((entries[at - 1] as Entry).role !== "user") return undefined;
  return at < place ? at : entries.length;
}

function isNothing(entry: Entry): boolean {
  return entry.sent === null;
}
