import { sameValue } from "../json/compare.ts";
import type { Path } from "../json/path.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Difference, DifferenceStrength, FoundDifference } from "./difference.ts";
import type { Head } from "./head.ts";
import { findMessagesDifference } from "./messages-difference.ts";
import { leadsMessages, messagesPlace, systemField, systemMessages, systemPlace, toolsPlace } from "./places.ts";
import { type Change, changesBetween } from "./value-changes.ts";
import type { Wire } from "./wire.ts";

export type HeadField = "model" | "system" | "tools" | "params";

export type HeadDifference = { readonly field: HeadField; readonly difference: Difference };
export type FoundHeadDifference = { readonly field: HeadField; readonly difference: FoundDifference };

/**
 * The head fields that differ, each with its first difference, in the order model, system, tools, params; empty when the head is
 * repeated. `"provider"` passes over key order everywhere and over the order of the same tools; `"bytes"` passes over nothing that a
 * head still holds (it holds no cache marks).
 */
export function headDifference(
  wire: Wire,
  previous: Head,
  next: Head,
  { strength }: { readonly strength: DifferenceStrength },
): readonly HeadDifference[] {
  return findHeadDifferences(wire, previous, next, strength).map(({ field, difference }) => {
    return { field, difference: { path: difference.path, class: difference.class, at: difference.at } };
  });
}

/** The same, with the values at each place. */
export function findHeadDifferences(wire: Wire, previous: Head, next: Head, strength: DifferenceStrength): readonly FoundHeadDifference[] {
  const found: readonly (readonly [HeadField, FoundDifference | undefined])[] = [
    ["model", modelDifference(wire, previous, next)],
    ["system", systemDifference(wire, previous, next, strength)],
    ["tools", toolsDifference(wire, previous, next, strength)],
    ["params", paramsDifference(previous, next, strength)],
  ];
  return found.flatMap(([field, difference]) => (difference === undefined ? [] : [{ field, difference }]));
}

function modelDifference(wire: Wire, previous: Head, next: Head): FoundDifference | undefined {
  if (previous.model === next.model) return undefined;
  return { ...ofHead(wire.abilities.places?.model ?? ["model"], "parameter"), previous: previous.model, next: next.model };
}

function systemDifference(wire: Wire, previous: Head, next: Head, strength: DifferenceStrength): FoundDifference | undefined {
  const field = fieldDifference(wire, previous, next, strength);
  return field ?? (leadsMessages(previous, next) ? leadingMessagesDifference(wire, previous, next, strength) : undefined);
}

/** A system text that is a field of its own, in full or beside leading messages. */
function fieldDifference(wire: Wire, previous: Head, next: Head, strength: DifferenceStrength): FoundDifference | undefined {
  const [before, after] = [systemField(previous), systemField(next)];
  const path = systemPlace(wire, previous, next);
  if (before.length === 0 && after.length > 0 && typeof after === "string")
    return { ...ofHead(path, "insertion"), previous: undefined, next: after };
  if (after.length === 0 && before.length > 0 && typeof before === "string")
    return { ...ofHead(path, "removal"), previous: before, next: undefined };
  return firstChange(before, after, path, strength);
}

/** A head made of messages ends where it ends: one more of them is an insertion, not a continuation. */
function leadingMessagesDifference(wire: Wire, previous: Head, next: Head, strength: DifferenceStrength): FoundDifference | undefined {
  const [before, after] = [systemMessages(previous), systemMessages(next)];
  const found = findMessagesDifference(wire, before, after, { strength });
  if (found !== undefined || after.length <= before.length) return found;
  const at = before.length;
  return { path: [...messagesPlace(wire), at], class: "insertion", at, nextAt: at, previous: undefined, next: after[at] };
}

function firstChange(previous: Value, next: Value, path: Path, strength: DifferenceStrength): FoundDifference | undefined {
  if (strength === "provider" && sameValue(previous, next)) return undefined;
  for (const change of changesBetween(previous, next, undefined, path)) {
    if (strength === "provider" && sameValue(previous, change.patched())) continue;
    if (change.path.length === 0) continue;
    return asFound(change);
  }
  return undefined;
}

function toolsDifference(wire: Wire, previous: Head, next: Head, strength: DifferenceStrength): FoundDifference | undefined {
  const place = toolsPlace(wire, previous, next);
  if (strength === "bytes") return firstChange(previous.tools, next.tools, place, strength);
  const before = byName(wire, previous.tools);
  const after = byName(wire, next.tools);
  if (before === undefined || after === undefined) return firstChange(previous.tools, next.tools, place, strength);
  return earliest(changedTool(before, after, place), addedTool(before, after, place));
}

type ToolPlace = { readonly tool: ObjectValue; readonly index: number };

/** Undefined when two tools bear one name: then they are told by their places. */
function byName(wire: Wire, tools: readonly ObjectValue[]): ReadonlyMap<string, ToolPlace> | undefined {
  const places = new Map(tools.map((tool, index) => [wire.toolName(tool), { tool, index }]));
  return places.size === tools.length ? places : undefined;
}

type Placed = { readonly index: number; readonly found: FoundDifference };

function changedTool(before: ReadonlyMap<string, ToolPlace>, after: ReadonlyMap<string, ToolPlace>, place: Path): Placed | undefined {
  for (const [name, { tool, index }] of before) {
    const partner = after.get(name)?.tool;
    const path = [...place, index];
    if (partner === undefined) return { index, found: { ...ofHead(path, "removal"), previous: tool, next: undefined } };
    const change = firstChange(tool, partner, path, "provider");
    if (change !== undefined) return { index, found: change };
  }
  return undefined;
}

function addedTool(before: ReadonlyMap<string, ToolPlace>, after: ReadonlyMap<string, ToolPlace>, place: Path): Placed | undefined {
  for (const [name, { tool, index }] of after) {
    if (!before.has(name)) return { index, found: { ...ofHead([...place, index], "insertion"), previous: undefined, next: tool } };
  }
  return undefined;
}

function earliest(changed: Placed | undefined, added: Placed | undefined): FoundDifference | undefined {
  if (changed === undefined || added === undefined) return (changed ?? added)?.found;
  return added.index < changed.index ? added.found : changed.found;
}

function paramsDifference(previous: Head, next: Head, strength: DifferenceStrength): FoundDifference | undefined {
  const found = firstChange(previous.params, next.params, [], strength);
  return found === undefined ? undefined : { ...found, class: found.class === "order" ? "order" : "parameter" };
}

function ofHead(path: Path, kind: FoundDifference["class"]): Pick<FoundDifference, "path" | "class" | "at" | "nextAt"> {
  return { path, class: kind, at: undefined, nextAt: undefined };
}

function asFound(change: Change): FoundDifference {
  return { ...ofHead(change.path, change.class), previous: change.previous, next: change.next };
}
