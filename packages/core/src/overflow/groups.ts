import type { ObjectValue, Value } from "../json/value.ts";
import { type Entry, isGiven, isSent, type KeptMessage, type KeptWords } from "../ledger/entry.ts";
import { formsFor, type Target } from "../ledger/forms.ts";
import { defaultWordings } from "../ledger/wordings.ts";
import type { Reading, Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";

/** One message of the window, as it is sent. */
export type Member = {
  /** Id of its entry: what placeholders name, and what an elision names. */
  readonly entry: number;
  readonly kind: Entry["kind"];
  readonly message: ObjectValue;
  readonly reading: Reading;
  readonly tokens: number;
  /** How many messages of the conversation it stands for; what a landing put back beside its recap is counted there. */
  readonly stands: number;
  /** The host's user speaks in it. */
  readonly asks: boolean;
  /** Calls and results that a landing kept as text. */
  readonly keptBatch: boolean;
  /** Of a folded loop (rule 62 c): the units that are its calls and results in words, the media of those, and the lines that stand for what was elided. */
  readonly steps: ReadonlySet<Unit>;
};

/**
 * What stays together (rule 35): a batch of calls with its results, reasoning with what must follow it, what the user said before anybody answered (a store may join it to one message), an
 * event with the turn it follows. Strategies cut between groups only.
 *  1. Groups stand in the window's order and hold all of its messages.
 *  2. `from` and `to` are positions of entries, half open; one group's end is the next one's start.
 */
export type Group = {
  /** `calls`: replies with calls, and their results. `reply`: replies without. */
  readonly kind: "recap" | "user" | "reply" | "calls";
  readonly from: number;
  readonly to: number;
  readonly members: readonly Member[];
  readonly tokens: number;
  /** Of a provider's block: what it took of the host's words and what must still stay. */
  readonly words: KeptWords | undefined;
  /** The host's user speaks in it: a user turn begins here. */
  readonly asks: boolean;
  /** The host wants it kept. */
  readonly pinned: boolean;
  /** No reply stands behind its results: the model has not seen them. */
  readonly open: boolean;
  /** Each call has its result. */
  readonly complete: boolean;
};

/** What the host wants kept: a message of the window, and one that a provider's block took. */
export type Pinned = { readonly message: (message: ObjectValue) => boolean; readonly kept: (message: KeptMessage) => boolean };

/** The groups of a window. `pinned` is asked once for each message of the host. */
export function groupsOf(
  wire: Wire,
  entries: readonly Entry[],
  target: Target,
  count: (value: Value) => number,
  pinned: Pinned,
): readonly Group[] {
  const members = new Map(
    formsFor(wire, entries, target).map(({ entry, message }): [number, Member] => [
      entry.id,
      memberOf(wire, entry, message, count(message)),
    ]),
  );
  const starts = startsOf(entries, members);
  const groups = starts.map((from, index) => {
    const to = starts[index + 1] ?? entries.length;
    return groupOf(entries.slice(from, to), members, from, pinned);
  });
  const last = groups.findLastIndex(({ kind }) => kind !== "user");
  return groups.map((group, index) => (index === last && group.kind === "calls" ? { ...group, open: true } : group));
}

/** What an entry is to the groups. `kept`: words that a landing put back beside its recap. `calling`: results may follow that belong to it. */
type Part = { readonly kind: "recap" | "kept" | "user" | "replies" | "results"; readonly calling: boolean };

/** Positions at which a group begins. */
function startsOf(entries: readonly Entry[], members: ReadonlyMap<number, Member>): readonly number[] {
  const starts: number[] = [];
  let before: Part | undefined;
  for (const [position, entry] of entries.entries()) {
    const part = partOf(entry, members.get(entry.id), before);
    if (position === 0 || (part !== undefined && !joins(part, entry, before))) starts.push(position);
    before = part ?? before;
  }
  return starts;
}

/** Undefined: it goes with what it follows, as do events, positional system messages, what is not sent, and what came with that: words that stood before a result, or in one message with it. */
function partOf(entry: Entry, member: Member | undefined, before: Part | undefined): Part | undefined {
  if (member === undefined || entry.kind === "event") return undefined;
  if (member.kind === "recap") return { kind: "recap", calling: false };
  const { role, units } = member.reading;
  if (role === "system" && before !== undefined) return undefined;
  if (role === "assistant") {
    const calls = units.some(({ kind }) => kind === "call");
    return { kind: "replies", calling: calls || (before?.kind === "replies" && before.calling) };
  }
  const holdsResults = before?.calling === true && units.some(({ kind }) => kind === "result");
  if (holdsResults) return { kind: "results", calling: true };
  const cameAlong = !isGiven(entry) && !isKept(entry);
  if (cameAlong && (before?.kind === "results" || before?.kind === "user")) return undefined;
  return { kind: isKept(entry) ? "kept" : "user", calling: false };
}

function joins({ kind }: Part, entry: Entry, before: Part | undefined): boolean {
  if (kind === "results") return true;
  if (kind === "replies" || kind === "user") return before?.kind === kind;
  return kind === "recap" && before?.kind === "recap" && entry.landed?.source.length === 0;
}

function groupOf(entries: readonly Entry[], members: ReadonlyMap<number, Member>, from: number, pinned: Pinned): Group {
  const own = entries.flatMap(({ id }) => members.get(id) ?? []);
  const calls = own.flatMap(({ reading }) => reading.units.flatMap((unit) => (unit.kind === "call" ? [unit.id] : [])));
  const results = new Set(own.flatMap(({ reading }) => reading.units.flatMap((unit) => (unit.kind === "result" ? [unit.id] : []))));
  const isReply = own.some(({ reading }) => reading.role === "assistant");
  const recap = own[0]?.kind === "recap";
  const taken = recap ? entries.find(({ landed }) => landed?.words !== undefined)?.landed?.words : undefined;
  const words = taken && { ...taken, pinned: taken.pinned.filter((group) => group.some(pinned.kept)) };
  return {
    kind: recap ? "recap" : !isReply ? "user" : calls.length > 0 ? "calls" : "reply",
    from,
    to: from + entries.length,
    members: own,
    tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
    words,
    asks: words?.question !== undefined || own.some(({ asks }) => asks),
    pinned: own.some(({ keptBatch }) => keptBatch) || entries.some((entry) => entry.kind === "host" && wordsOf(entry).some(pinned.message)),
    open: false,
    complete: calls.every((id) => results.has(id)),
  };
}

/** What the host said; where it no longer hands it over, as it was sent. */
function wordsOf({ given, sent }: Entry): readonly ObjectValue[] {
  return given.length === 0 && sent !== null ? [sent] : given;
}

function memberOf(wire: Wire, entry: Entry, message: ObjectValue, tokens: number): Member {
  const reading = wire.read(message);
  const steps = entry.kind === "host" && reading.role === "user" ? stepsIn(reading) : none;
  const keptBatch = isKept(entry) && reading.units.some((unit) => unit.kind === "text" && unit.text.startsWith(keptStart));
  const asks = entry.kind === "host" && !keptBatch && speaksUser(reading, steps);
  // A provider's block stays one, whoever keeps it.
  const kind = wire.compaction?.holds(message) === true ? "recap" : entry.kind;
  return { entry: entry.id, kind, message, reading, tokens, stands: standsFor(entry), asks, keptBatch, steps };
}

/** What the model saw as a message is one, however the host cut it, and whether or not its words are back behind a restore. */
function standsFor(entry: Entry): number {
  if (entry.landed !== undefined) return entry.landed.source.reduce((sum, own) => sum + standsFor(own), 0);
  return Number(entry.kind === "host" && isSent(entry));
}

const none: ReadonlySet<Unit> = new Set();
/** What the text of a folded loop begins with, and a line in place of what was elided. */
const stepStarts = [defaultWordings.foldedLoop.replace(/\{steps\}.*/, ""), defaultWordings.elided.replace(/\{entry\}.*/, "")];

/** Steps are known by how their text begins, so that those of a fold which the host stored are known too. */
function stepsIn({ units }: Reading): ReadonlySet<Unit> {
  const steps = new Set<Unit>();
  for (const [index, unit] of units.entries()) {
    const begins = unit.kind === "text" && stepStarts.some((start) => unit.text.startsWith(start));
    if (begins || (unit.kind === "media" && steps.has(units[index - 1] as Unit))) steps.add(unit);
  }
  return steps.size === 0 ? none : steps;
}

/** What the text of a kept batch begins with. */
const keptStart = defaultWordings.keptBatch.replace("{text}", "");

function isKept({ kind, landed }: Entry): boolean {
  return kind === "host" && landed?.source.length === 0;
}

function speaksUser({ role, units }: Reading, steps: ReadonlySet<Unit>): boolean {
  return role === "user" && units.some((unit) => (unit.kind === "text" || unit.kind === "media") && !steps.has(unit));
}
