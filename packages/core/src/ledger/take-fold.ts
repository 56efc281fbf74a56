import { compareValues } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { type Entry, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { normalOrder } from "./normal-order.ts";
import type { Run, TakenRun } from "./run.ts";
import { type Expected, matchRun, unitOfExpected } from "./run-match.ts";
import { wakeEntry } from "./wake.ts";

/** Takes up a folded loop: one entry that stands for several runs of the history. Reasoning is no part of it: the fold holds none. */
export function takeFold(entry: Entry, history: HostHistory, from: number): TakenRun | undefined {
  return takeWholeFold(entry, history, from) ?? takeEditedFold(entry, history, from);
}

/** An edit in place under a fold changes nothing that was sent: the fold stands, as a recap does (rule 7). */
function takeEditedFold(entry: Entry, history: HostHistory, from: number): TakenRun | undefined {
  const end = from + entry.given.length;
  if (entry.given.length === 0 || end > history.length) return undefined;
  const inPlace = entry.given.every((message, index) => message["role"] === history.at(from + index).copy["role"]);
  const ends = history.nextFilled(end) === history.length || history.side(history.nextFilled(end)) === "assistant";
  const known = entry.given.some((message, index) => compareValues(message, history.given(from + index)) === "same");
  return inPlace && ends && known ? { consumed: end, entries: [entry], repaired: 0, held: 0, under: 1, marks: new Map() } : undefined;
}

function takeWholeFold(entry: Entry, history: HostHistory, from: number): TakenRun | undefined {
  let at = from;
  for (const part of partsOf(history.wire, entry)) {
    const end = history.runEnd(at, part.side);
    const units = history.unitsOf(at, end).flatMap(({ unit }) => (unit.kind === "reasoning" ? [] : [unit]));
    const match = matchRun(
      part.items,
      normalOrder(units, (unit) => unit, part.callIds),
    );
    if (match === undefined || match.taken !== units.length) return undefined;
    at = end;
  }
  if (at === from) return undefined;
  const messages = Array.from({ length: at - from }, (_, index) => history.at(from + index).copy);
  if (entry.dormant === undefined) return { consumed: at, entries: [entry], repaired: 1, held: 0, marks: new Map() };
  return { consumed: at, entries: [awake(history.wire, entry, messages)], repaired: 0, held: 0, marks: new Map() };
}

/**
 * A host that stores the window has a folded loop as the user message that it went out as, in one run with what stands around it. From then on it is a message of the host's own.
 */
export function takeStoredFolds(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  let to = run.from;
  while (to < entries.length && (entries[to]?.folded === true || entries[to]?.role !== "assistant")) to += 1;
  const list = entries.slice(run.from, to);
  if (!list.some((entry) => entry.folded)) return undefined;
  const end = history.runEnd(from, "other");
  const expected = list.flatMap((entry, index) => sentItems(history.wire, entry, index));
  const units = history.unitsOf(from, end).map((item) => item.unit);
  const match = matchRun(expected, units);
  if (match === undefined || match.taken !== units.length) return undefined;
  const messages = Array.from({ length: end - from }, (_, index) => history.at(from + index).copy);
  const stored = list.map((entry, index) => {
    const own = expected.flatMap((item, at) => (item.entry === index ? [units[match.metBy[at] ?? -1]] : []));
    const woken = entry.dormant === undefined ? entry : wakeEntry(history.wire, entry, own, messages);
    return makeEntry(entry.id, { ...woken, folded: false, given: index === 0 ? messages : [] });
  });
  return { consumed: end, entries: stored, repaired: 1, held: 0, marks: new Map() };
}

/** What an entry went out as; of one that sleeps and is what the wire composes of its units, their digests. */
function sentItems(wire: Wire, entry: Entry, position: number): readonly Expected[] {
  const message = entry.sent ?? (entry.dormant?.sent.kind === "kept" ? entry.dormant.sent.message : undefined);
  const optional = entry.kind === "event" ? "event" : undefined;
  if (message !== undefined)
    return wire.read(message).units.map((unit, index) => ({ entry: position, index, forms: [unit], digest: undefined, optional }));
  const slept = entry.dormant?.sent.kind === "composed" ? entry.dormant.units : [];
  return slept.map((digest, index) => ({ entry: position, index, forms: [], digest, optional }));
}

function awake(wire: Wire, entry: Entry, messages: readonly ObjectValue[]): Entry {
  return makeEntry(entry.id, { ...wakeEntry(wire, entry, [], messages), given: messages });
}

export type FoldPart = { readonly side: "assistant" | "other"; readonly items: readonly Expected[]; readonly callIds: readonly string[] };

/** The runs that a folded loop stands for, one side after the other. */
export function partsOf(wire: Wire, entry: Entry): readonly FoldPart[] {
  const items = entry.dormant === undefined ? entry.given.flatMap((message) => givenItems(wire, message)) : dormantItems(entry.dormant);
  const parts: { side: FoldPart["side"]; items: Expected[]; callIds: readonly string[] }[] = [];
  for (const { side, item } of items) {
    const last = parts.at(-1);
    if (last?.side === side) last.items.push(item);
    else parts.push({ side, items: [item], callIds: last?.side === "assistant" ? callIdsOf(last.items) : [] });
  }
  return parts.map((part) => ({ ...part, items: normalOrder(part.items, unitOfExpected, part.callIds) }));
}

type SidedItem = { readonly side: FoldPart["side"]; readonly item: Expected };

function givenItems(wire: Wire, message: ObjectValue): readonly SidedItem[] {
  const reading = wire.read(message);
  const side = reading.role === "assistant" ? "assistant" : "other";
  return reading.units
    .filter((unit) => unit.kind !== "reasoning")
    .map((unit, index) => ({
      side,
      item: { entry: 0, index, forms: [unit], digest: undefined, optional: undefined },
    }));
}

function dormantItems(dormant: NonNullable<Entry["dormant"]>): readonly SidedItem[] {
  return dormant.units
    .filter((unit) => unit.kind !== "reasoning")
    .map((unit, index) => ({
      side: unit.side,
      item: { entry: 0, index, forms: [], digest: unit, optional: undefined },
    }));
}

function callIdsOf(items: readonly Expected[]): readonly string[] {
  return items.flatMap((item) => {
    const unit: Pick<Unit, "kind"> & { readonly id?: string } = unitOfExpected(item);
    return unit.kind === "call" && unit.id !== undefined ? [unit.id] : [];
  });
}
