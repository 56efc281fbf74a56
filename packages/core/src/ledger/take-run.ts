import { compareValues } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import { sameUnit, type Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import type { DormantUnit } from "./dormant-form.ts";
import { callsBehind, digestsOf, type Entry, formAtHand, isGiven, makeEntry, type UnitMark } from "./entry.ts";
import { bareMessage, reasoningOnly } from "./forms.ts";
import type { HostHistory, LocatedUnit } from "./host-history.ts";
import { normalOrder } from "./normal-order.ts";
import { remember, takeAgain } from "./remembered-run.ts";
import { givenOf, type ResultUnit, type Run, type TakenRun } from "./run.ts";
import { type Expected, matchRun, meets, type RunMatch, unitOfExpected } from "./run-match.ts";
import { takeFold } from "./take-fold.ts";
import { takeRecap } from "./take-recap.ts";
import { wakeEntry } from "./wake.ts";

/**
 * The slow path of aligning: a run whose messages are not the same to the letter. It is repeated all the same if the units are equivalent, whatever
 * their cut into messages, the order of a batch's results, lost reasoning, and whether the host stores what it gave or what was sent.
 */
export function takeRun(entries: readonly Entry[], run: Run, history: HostHistory, from: number): TakenRun | undefined {
  if (run.side === "fold") return takeFold(entries[run.from] as Entry, history, from);
  if (run.side === "recap") return takeRecap(entries, run, history, from);
  const again = takeAgain(entries, run, history, from);
  if (again !== undefined) return again;
  const end = history.runEnd(from, run.side);
  const callIds = callsBefore(entries, run.from);
  const ways = expectations(entries, run, history.wire, callIds);
  // What was sent in place of a result is no late one: a host that stores the window has it, too.
  for (const allowsLate of [false, true])
    for (const way of ways) {
      const taken = takeAs(entries, run, history, { from, end }, way, { callIds, ways, allowsLate });
      if (taken !== undefined) return remember(entries, run, history, from, taken);
    }
  return undefined;
}

type Span = { readonly from: number; readonly end: number };
type Order = { readonly callIds: readonly string[]; readonly ways: readonly Way[]; readonly allowsLate: boolean };

function takeAs(
  entries: readonly Entry[],
  run: Run,
  history: HostHistory,
  span: Span,
  way: Way,
  { callIds, ways, allowsLate }: Order,
): TakenRun | undefined {
  const { expected } = way;
  const whole = normalOrder(history.unitsOf(span.from, span.end), (item) => item.unit, callIds);
  const late = lateResults(entries, run, ways, whole);
  if (allowsLate !== late.length > 0) return undefined;
  const located = whole.filter(({ unit }) => !late.some((one) => one === unit));
  const match = matchRun(
    expected,
    located.map((item) => item.unit),
  );
  if (match === undefined || !isSaidAlike(entries, history, expected, match, located)) return undefined;
  const end = boundaryAfter(located, match.taken, span, run);
  // A reply that may lack all that it had, its reasoning, is met by its message.
  if (end === undefined || (run.side === "assistant" && end === span.from)) return undefined;
  const taken = owned(entries, run, history, { from: span.from, end }, { ...way, match, located, late });
  return {
    consumed: end,
    entries: late.length === 0 ? taken : taken.map((entry, index) => withoutLate(entry, entries[run.from + index])),
    repaired: differing(givenOf(entries, run), history, { from: span.from, end }),
    held: 0,
    marks: marksOf(history, { from: span.from, end }, expected, match, located),
    ...(late.length === 0 ? {} : { late }),
  };
}

/** Whether the system says what it said, and no other: the same words by the user are another message. Behind a restore who gave what the user said for the system is not known. */
function isSaidAlike(
  entries: readonly Entry[],
  history: HostHistory,
  expected: readonly Expected[],
  { metBy }: RunMatch,
  located: readonly LocatedUnit[],
): boolean {
  return expected.every(({ entry: position }, index) => {
    const met = located[metBy[index] ?? -1];
    const entry = entries[position];
    if (met === undefined || entry === undefined) return true;
    const bySystem = history.at(met.message).reading.role === "system";
    if (entry.role === "system") return bySystem;
    return !bySystem || entry.given.length === 0 || entry.given.some((message) => history.wire.read(message).role === "system");
  });
}

/** Results that a run did not have, of calls that stand before it: the window has closed them, so that they came late (rule 12). */
function lateResults(entries: readonly Entry[], run: Run, ways: readonly Way[], located: readonly LocatedUnit[]): readonly ResultUnit[] {
  // What was made up for a call is met by a host that stores the window; another result in its place is a late one.
  const isKnown = (unit: ResultUnit): boolean =>
    ways.some(({ as, expected }) =>
      expected.some((item) => {
        return resultIds(item).includes(unit.id) && ((as === "given" && item.optional === undefined) || meets(item, unit));
      }),
    );
  const isCalled = (id: string): boolean =>
    entries.slice(0, run.from).some(({ calls }) => calls.some((call) => call.id === id || call.sentId === id));
  return located.flatMap(({ unit }) => (unit.kind === "result" && !isKnown(unit) && isCalled(unit.id) ? [unit] : []));
}

function resultIds({ forms, digest }: Expected): readonly string[] {
  const ids = forms.flatMap((unit) => (unit.kind === "result" ? [unit.id] : []));
  return digest?.kind === "result" && digest.id !== undefined ? [...ids, digest.id] : ids;
}

/** What woke stands for what it stood for when it was sent: the late result is none of it. */
function withoutLate(entry: Entry, before: Entry | undefined): Entry {
  return before?.dormant === undefined ? entry : makeEntry(entry.id, { ...entry, slept: before.dormant.units });
}

/** Where the taken units end. A row of replies may go on in the history, but not inside a message. */
function boundaryAfter(located: readonly LocatedUnit[], taken: number, span: Span, run: Run): number | undefined {
  if (taken === located.length) return span.end;
  if (run.side !== "assistant") return undefined;
  const next = located[taken] as LocatedUnit;
  return next.index === 0 ? next.message : undefined;
}

type Expectation = "given" | "sent" | "bare";
/** What a run is expected to be, taken so. */
type Way = { readonly as: Expectation; readonly expected: readonly Expected[] };

/** Each entry as given or unit by unit as sent; the window just as it was sent; and as it was sent to a model that does not read its reasoning. */
function expectations(entries: readonly Entry[], run: Run, wire: Wire, callIds: readonly string[]): readonly Way[] {
  const own = entries.slice(run.from, run.to);
  const ways: readonly Expectation[] = own.some(({ reasoning }) => reasoning !== undefined) ? ["given", "sent", "bare"] : ["given", "sent"];
  return ways.map((as) => {
    const expected = own.flatMap((entry, index) => expectedOf(wire, entry, run.from + index, as));
    return { as, expected: normalOrder(expected, unitOfExpected, callIds) };
  });
}

/** What a run expects to meet when the host hands over what it gave. */
export function givenExpectation(wire: Wire, entries: readonly Entry[], run: Run, callIds: readonly string[]): readonly Expected[] {
  return expectations(entries, run, wire, callIds)[0]?.expected ?? [];
}

function expectedOf(wire: Wire, entry: Entry, position: number, as: Expectation): readonly Expected[] {
  const form = (as === "bare" ? bareForm(wire, entry) : undefined) ?? formAtHand(entry);
  const sent = form === undefined ? [] : wire.read(form).units;
  const slept = digestsOf(entry);
  const item = (index: number, forms: readonly Unit[], digest: DormantUnit | undefined, optional: Expected["optional"]): Expected => {
    return { entry: position, index, forms, digest, optional };
  };
  if (!isGiven(entry)) return sent.map((unit, index) => item(index, [unit], undefined, "event"));
  const lacking = ({ kind }: { readonly kind: string }): Expected["optional"] =>
    kind === "reasoning" && entry.role === "assistant" ? "reasoning" : undefined;
  if (as !== "given" && form !== undefined) return sent.map((unit, index) => item(index, [unit], undefined, lacking(unit)));
  if (slept !== undefined) return slept.map((unit, index) => item(index, [], unit, lacking(unit)));
  const given = entry.given.flatMap((message) => wire.read(message).units);
  return given.map((unit, index) => item(index, [unit], undefined, lacking(unit)));
}

function bareForm(wire: Wire, entry: Entry): ObjectValue | undefined {
  if (entry.reasoning === undefined) return undefined;
  const form = formAtHand(entry);
  if (form !== undefined) return bareMessage(wire, form) ?? undefined;
  return (entry.dormant?.units.every(({ kind }) => kind === "reasoning") === true && reasoningOnly(wire)) || undefined;
}

type Meeting = Way & {
  readonly match: RunMatch;
  readonly located: readonly LocatedUnit[];
  readonly late: readonly ResultUnit[];
};

/**
 * Sleeping entries wake with the words of the history, and what the host has in the form that was sent, events among it, is its own from now on: what becomes of the entry later, a landing, a
 * fold, is told by what the host hands over.
 */
function owned(entries: readonly Entry[], run: Run, history: HostHistory, span: Span, meeting: Meeting): readonly Entry[] {
  const { as, expected, match, located, late } = meeting;
  const list = entries.slice(run.from, run.to);
  const unitMeeting = (index: number): Unit | undefined => located[match.metBy[index] ?? -1]?.unit;
  const metEvents = new Set(
    expected.filter((item, index) => item.optional === "event" && unitMeeting(index) !== undefined).map((item) => item.entry),
  );
  const asSent = new Set(expected.filter((item, index) => isMetAsSent(as, item, unitMeeting(index))).map((item) => item.entry));
  const changes = list.some((entry) => digestsOf(entry) !== undefined) || metEvents.size > 0 || (asSent.size > 0 && late.length === 0);
  if (!changes) return list;
  const messages = history.copies(span.from, span.end);
  const metUnits = new Map<number, (Unit | undefined)[]>();
  for (const [index, item] of expected.entries()) {
    const own = metUnits.get(item.entry) ?? [];
    metUnits.set(item.entry, own);
    if (item.digest === undefined && entries[item.entry]?.dormant?.sent.kind === "composed") continue;
    own[item.index] = unitMeeting(index);
  }
  const standsFor = (entry: Entry, position: number): boolean => isGiven(entry) || metEvents.has(position);
  const standing = list.filter((entry, index) => standsFor(entry, run.from + index)).length;
  const oneEach = standing === messages.length && ascending(expected, match, located);
  let next = 0;
  let first = true;
  return list.map((entry, index) => {
    const position = run.from + index;
    const stands = standsFor(entry, position);
    const own = !stands ? [] : oneEach ? [messages[next++] as ObjectValue] : first ? messages : [];
    if (stands) first = false;
    const awake = entry.dormant === undefined ? entry : wakeEntry(history.wire, entry, metUnits.get(position) ?? [], messages);
    return makeEntry(awake.id, {
      ...awake,
      kind: awake.kind === "event" && metEvents.has(position) ? "host" : awake.kind,
      given: own,
      slept: undefined,
      landed: metEvents.has(position) || asSent.has(position) ? undefined : awake.landed,
    });
  });
}

/** Whether the host hands something over not as it first gave it but as it went out. */
function isMetAsSent(as: Expectation, { forms: [form], digest, optional }: Expected, unit: Unit | undefined): boolean {
  if (unit === undefined || optional !== undefined || digest !== undefined) return false;
  return as !== "given" || form === undefined || !sameUnit(form, unit);
}

/** Whether each entry's units come from messages of its own, in order. */
function ascending(expected: readonly Expected[], match: RunMatch, located: readonly LocatedUnit[]): boolean {
  let entry = -1;
  let message = -1;
  for (const [index, item] of expected.entries()) {
    const met = located[match.metBy[index] ?? -1];
    if (met === undefined) continue;
    if (item.entry === entry ? met.message !== message : met.message <= message || item.entry < entry) return false;
    entry = item.entry;
    message = met.message;
  }
  return true;
}

/** How many messages of a run are not the same to the letter; one, where they were cut otherwise. */
function differing(given: readonly ObjectValue[], history: HostHistory, span: Span): number {
  if (given.length === 0) return 0;
  if (given.length !== span.end - span.from) return 1;
  let count = 0;
  for (const [index, message] of given.entries()) if (compareValues(message, history.given(span.from + index)) !== "same") count += 1;
  return count;
}

function marksOf(
  history: HostHistory,
  span: Span,
  expected: readonly Expected[],
  match: RunMatch,
  located: readonly LocatedUnit[],
): ReadonlyMap<number, readonly UnitMark[]> {
  const marks = new Map<number, UnitMark[]>();
  for (const item of expected) marks.set(item.entry, []);
  for (let message = span.from; message < span.end; message++) {
    for (const { unit, mark } of history.at(message).reading.marks) {
      const place = located.findIndex((item) => item.message === message && item.index === unit);
      const item = expected[match.metBy.indexOf(place)];
      if (item !== undefined) marks.get(item.entry)?.push({ unit: item.index, mark });
    }
  }
  return marks;
}

/** Ids of the calls in the row of replies right before a position, as the host has them and as they are sent. */
export function callsBefore(entries: readonly Entry[], position: number): readonly string[] {
  const ids: string[] = [];
  for (let at = position - 1; at >= 0; at--) {
    const entry = entries[at] as Entry;
    if (entry.role !== "assistant" || isOther(entry)) break;
    ids.unshift(...callsBehind(entry).flatMap((call) => (call.sentId === call.id ? [call.id] : [call.id, call.sentId])));
  }
  return ids;
}

function isOther(entry: Entry): boolean {
  return entry.kind === "recap" || entry.folded;
}
