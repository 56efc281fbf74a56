import { sameValue } from "../json/compare.ts";
import type { Path } from "../json/path.ts";
import { isObject } from "../json/value.ts";
import type { DifferenceStrength, FoundDifference } from "../wire/difference.ts";
import { findHeadDifferences, type HeadField } from "../wire/head-difference.ts";
import { findMessagesDifference } from "../wire/messages-difference.ts";
import { headOrder, leadsMessages, systemField, systemPlace, toolsPlace } from "../wire/places.ts";
import { type Change, changesBetween, type Lens } from "../wire/value-changes.ts";
import { nativeField, type Opened } from "./opened.ts";

/** A difference with the part of the request that it is in. */
export type Placed = { readonly field: HeadField | "messages"; readonly difference: FoundDifference };

/** The first difference in the order in which the provider serialises: the model, tools and system text, other parameters, the messages. */
export function firstDifference(previous: Opened, next: Opened, strength: DifferenceStrength): Placed | undefined {
  const found = strength === "bytes" ? byteDifferences(previous, next) : readDifferences(previous, next);
  const order: readonly Placed["field"][] = ["model", ...headOrder(previous.wire), "params", "messages"];
  for (const field of order) {
    const difference = found.get(field);
    if (difference !== undefined) return { field, difference };
  }
  return undefined;
}

type Found = ReadonlyMap<Placed["field"], FoundDifference>;

function readDifferences(previous: Opened, next: Opened): Found {
  const found = new Map<Placed["field"], FoundDifference>();
  for (const { field, difference } of findHeadDifferences(previous.wire, previous.head, next.head, "provider"))
    found.set(field, difference);
  const options = { strength: "provider", offset: previous.lead } as const;
  const messages = findMessagesDifference(previous.wire, previous.messages, next.messages, options);
  if (messages !== undefined) found.set("messages", messages);
  return found;
}

/** The native fields themselves, since a head holds neither cache marks nor the shape that the host chose. */
function byteDifferences(previous: Opened, next: Opened): Found {
  const found = new Map<Placed["field"], FoundDifference>();
  for (const { field, difference } of findHeadDifferences(previous.wire, previous.head, next.head, "bytes")) {
    if (field === "model" || field === "params") found.set(field, difference);
  }
  const tools = fieldChange(previous, next, "tools", toolsPlace(previous.wire, previous.head, next.head));
  if (tools !== undefined) found.set("tools", tools);
  if (standsInField(previous, next)) {
    const system = fieldChange(previous, next, "system", systemPlace(previous.wire, previous.head, next.head));
    if (system !== undefined) found.set("system", system);
  }
  const messages = findMessagesDifference(previous.wire, previous.allMessages, next.allMessages, { strength: "bytes" });
  if (messages === undefined) return found;
  const field = (messages.at ?? 0) < previous.lead ? "system" : "messages";
  if (!found.has(field)) found.set(field, messages);
  return found;
}

/** Whether a system text is read from a field of its own, in full or beside leading messages. */
function standsInField(previous: Opened, next: Opened): boolean {
  if (previous.wire.abilities.places?.system === undefined) return !leadsMessages(previous.head, next.head);
  return systemField(previous.head).length > 0 || systemField(next.head).length > 0;
}

function fieldChange(previous: Opened, next: Opened, field: "system" | "tools", path: Path): FoundDifference | undefined {
  const before = nativeField(previous, field);
  const after = nativeField(next, field);
  if (before === undefined && after === undefined) return undefined;
  if (before === undefined) return found({ path, class: "insertion", previous: undefined, next: after });
  if (after === undefined) return found({ path, class: "removal", previous: before, next: undefined });
  const [change] = changesBetween(before, after, marksOf(previous, next), path);
  return change === undefined ? undefined : found(change);
}

function found(change: Omit<Change, "patched">): FoundDifference {
  return { path: change.path, class: change.class, at: undefined, nextAt: undefined, previous: change.previous, next: change.next };
}

function marksOf(...requests: readonly Opened[]): Lens {
  const marks = requests.flatMap(({ headMarks }) => headMarks.map(({ mark }) => mark));
  return { isMark: (value) => isObject(value) && marks.some((mark) => sameValue(mark, value)), identity: () => undefined };
}
