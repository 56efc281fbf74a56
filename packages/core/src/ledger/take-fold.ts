import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { DormantUnit } from "./dormant-form.ts";
import { digestsOf, type Entry, formAtHand, makeEntry } from "./entry.ts";
import type { HostHistory } from "./host-history.ts";
import { normalOrder } from "./normal-order.ts";
import type { Run, TakenRun } from "./run.ts";
import { type Expected, matchRun, unitOfExpected } from "./run-match.ts";
import { wakeEntry } from "./wake.ts";

/**
 * Takes up a folded loop: one entry that stands for several runs of the history. It is compared run by run and unit by unit, so that neither representation nor a restore matters.
 * Reasoning is no part of it: the fold holds none. An edit in place under a fold changes nothing that was sent: the fold stands, as a recap does (rule 7), as long as one of its runs is
 * what it was and the others have the same calls and results.
 */
export function takeFold(entry: Entry, history: HostHistory, from: number): TakenRun | undefined {
  return firstWay(partsOf(history.wire, entry), (parts) => takeParts(entry, parts, history, from));
}

function takeParts(entry: Entry, parts: readonly FoldPart[], history: HostHistory, from: number): TakenRun | undefined {
  let at = from;
  let edited = false;
  let known = false;
  for (const part of parts) {
    const end = history.runEnd(at, part.side);
    const given = history.unitsOf(at, end).flatMap(({ unit }) => (unit.kind === "reasoning" ? [] : [unit]));
    const units = normalOrder(given, (unit) => unit, part.callIds);
    if (units.length !== part.items.length) return undefined;
    if (matchRun(part.items, units) !== undefined) known ||= units.length > 0;
    else if (part.items.every((item, index) => sameKind(unitOfExpected(item), units[index] as Unit))) edited = true;
    else return undefined;
    at = end;
  }
  if (!known) return undefined;
  const messages = history.copies(from, at);
  const repaired = edited || entry.dormant !== undefined ? 0 : 1;
  const entries = [awake(history.wire, entry, messages, edited)];
  return { consumed: at, entries, repaired, held: 0, under: edited ? 1 : 0, marks: new Map() };
}

/** Behind a restore its words come from the snapshot. Behind an edit what it stands for is known by digests only, and stays so. */
function awake(wire: Wire, entry: Entry, messages: readonly ObjectValue[], edited: boolean): Entry {
  const slept = digestsOf(entry);
  if (slept === undefined) return entry;
  const woken = entry.dormant === undefined ? entry : wakeEntry(wire, entry, [], messages);
  return makeEntry(entry.id, { ...woken, given: messages, slept: edited ? slept : undefined });
}

function sameKind(before: Unit, now: Unit): boolean {
  if (before.kind === "call" || before.kind === "result") return now.kind === before.kind && now.id === before.id;
  return now.kind === before.kind;
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
  const messages = history.copies(from, end);
  const stored = list.map((entry, index) => {
    const own = expected.flatMap((item, at) => (item.entry === index ? [units[match.metBy[at] ?? -1]] : []));
    const woken = entry.dormant === undefined ? entry : wakeEntry(history.wire, entry, own, messages);
    return makeEntry(entry.id, { ...woken, kind: "host", folded: false, given: index === 0 ? messages : [] });
  });
  return { consumed: end, entries: stored, repaired: 1, held: 0, marks: new Map() };
}

/** What an entry went out as; of one that sleeps and is what the wire composes of its units, their digests. */
function sentItems(wire: Wire, entry: Entry, position: number): readonly Expected[] {
  const message = formAtHand(entry);
  const optional = entry.kind === "event" ? "event" : undefined;
  if (message !== undefined)
    return wire.read(message).units.map((unit, index) => ({ entry: position, index, forms: [unit], digest: undefined, optional }));
  const slept = entry.dormant?.sent.kind === "composed" ? entry.dormant.units : [];
  return slept.map((digest, index) => ({ entry: position, index, forms: [], digest, optional }));
}

export type FoldPart = { readonly side: "assistant" | "other"; readonly items: readonly Expected[]; readonly callIds: readonly string[] };

/** What is first found in one of the ways in which a history may have what a fold or a recap stands for. */
export function firstWay<T>(ways: readonly (readonly FoldPart[])[], find: (parts: readonly FoldPart[]) => T | undefined): T | undefined {
  for (const parts of ways) {
    const found = find(parts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The runs that a fold stands for, one side after the other; and as they are once a store dropped the replies that were nothing but reasoning. */
export function partsOf(wire: Wire, entry: Pick<Entry, "given" | "dormant" | "slept">): readonly (readonly FoldPart[])[] {
  const slept = digestsOf(entry);
  const items = slept === undefined ? entry.given.flatMap((message) => givenItems(wire, message)) : sleptItems(slept);
  const whole = partsIn(items);
  return whole.some((part) => part.items.length === 0) ? [whole, partsIn(items.filter(({ reasoning }) => !reasoning))] : [whole];
}

function partsIn(items: readonly SidedItem[]): readonly FoldPart[] {
  const parts: { side: FoldPart["side"]; items: Expected[]; callIds: readonly string[] }[] = [];
  for (const { side, item, reasoning } of items) {
    const last = parts.at(-1);
    if (last?.side !== side) parts.push({ side, items: [], callIds: last?.side === "assistant" ? callIdsOf(last.items) : [] });
    if (!reasoning) parts.at(-1)?.items.push(item);
  }
  return parts.map((part) => ({ ...part, items: normalOrder(part.items, unitOfExpected, part.callIds) }));
}

type SidedItem = { readonly side: FoldPart["side"]; readonly item: Expected; readonly reasoning: boolean };

function givenItems(wire: Wire, message: ObjectValue): readonly SidedItem[] {
  const reading = wire.read(message);
  const side = reading.role === "assistant" ? "assistant" : "other";
  return reading.units.map((unit, index) => ({
    side,
    item: { entry: 0, index, forms: [unit], digest: undefined, optional: undefined },
    reasoning: unit.kind === "reasoning",
  }));
}

function sleptItems(slept: readonly DormantUnit[]): readonly SidedItem[] {
  return slept.map((unit, index) => ({
    side: unit.side,
    item: { entry: 0, index, forms: [], digest: unit, optional: undefined },
    reasoning: unit.kind === "reasoning",
  }));
}

function callIdsOf(items: readonly Expected[]): readonly string[] {
  return items.flatMap((item) => {
    const unit = unitOfExpected(item);
    return unit.kind === "call" ? [unit.id] : [];
  });
}
