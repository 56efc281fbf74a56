import type { ObjectValue } from "../json/value.ts";
import type { WordlessForm } from "../wire/in-band.ts";
import type { Origin } from "../wire/origin.ts";
import { type Entry, isSent } from "./entry.ts";
import { SentIds } from "./sent-ids.ts";

/**
 * What every request asks of its whole window, so that it is not walked for each question.
 *  1. Facts are of one list of entries; a list never changes.
 *  2. A list made by {@link extended} has the facts of the list that it goes on from and of what was added: asking costs nothing then.
 */
export type WindowFacts = {
  /** A number of its own; 0: of no entries. */
  readonly list: number;
  /** Number of the list that it was made from by adding to it; undefined: of none. */
  readonly from: number | undefined;
  /** The sent forms, in order. */
  readonly messages: readonly ObjectValue[];
  /** The one origin of all its reasoning; `mixed`: there are several. Undefined: it has no reasoning. */
  readonly origin: Origin | "mixed" | undefined;
  /** All its reasoning stands behind the window that it was made over. */
  readonly vouched: boolean;
  /** All its reasoning was made behind what stands before it: one chain. */
  readonly chained: boolean;
  /** Some of its reasoning is only lent. */
  readonly lent: boolean;
  /** Id of the entry whose reasoning stands last. */
  readonly lastReasoning: number | undefined;
  /** Some of its entries wait for their words. */
  readonly asleep: boolean;
  /** It has a positional system message. */
  readonly system: boolean;
  /** Forms of the wire in which some of its events are said without words. */
  readonly wordless: readonly WordlessForm[];
  /** Some of its entries bear cache marks of the host. */
  readonly marked: boolean;
  /** Ids under which its calls went out. */
  readonly sentIds: SentIds;
  /** Its entries that bear words of sources, or that stand for words which go on to be said. */
  readonly speaking: readonly Entry[];
};

const known = new WeakMap<readonly Entry[], WindowFacts>();
let lists = 0;
const noFacts: WindowFacts = {
  list: 0,
  from: undefined,
  messages: [],
  origin: undefined,
  vouched: true,
  chained: true,
  lent: false,
  lastReasoning: undefined,
  asleep: false,
  system: false,
  wordless: [],
  marked: false,
  sentIds: SentIds.none,
  speaking: [],
};

export function factsOf(entries: readonly Entry[]): WindowFacts {
  let facts = known.get(entries);
  if (facts === undefined) {
    facts = withEntries(noFacts, entries, undefined);
    known.set(entries, facts);
  }
  return facts;
}

/** A list that goes on from another. */
export function extended(entries: readonly Entry[], added: readonly Entry[]): readonly Entry[] {
  if (added.length === 0) return entries;
  const whole = entries.concat(added);
  const before = factsOf(entries);
  known.set(whole, withEntries(before, added, before.list));
  return whole;
}

/** Whether a list is known to start with all of another: it is the same, or was made from it by {@link extended}. */
export function goesOn(entries: readonly Entry[], before: readonly Entry[]): boolean {
  return entries === before || known.get(entries)?.from === factsOf(before).list;
}

function withEntries(before: WindowFacts, added: readonly Entry[], from: number | undefined): WindowFacts {
  const messages: ObjectValue[] = [];
  const callIds: string[] = [];
  const speaking: Entry[] = [];
  let { origin, vouched, chained, lent, lastReasoning, asleep, system, wordless, marked } = before;
  for (const entry of added) {
    const { reasoning, sent, calls } = entry;
    if (sent !== null) messages.push(sent);
    if (reasoning !== undefined) {
      origin = origin === undefined || origin === reasoning.origin ? reasoning.origin : "mixed";
      vouched &&= reasoning.vouched;
      chained &&= entry.reasonedAfter === lastReasoning;
      lent ||= reasoning.lent;
      lastReasoning = entry.id;
    }
    asleep ||= entry.dormant !== undefined;
    system ||= entry.role === "system" && isSent(entry);
    marked ||= entry.marks.length > 0;
    for (const { form } of entry.said) if (form !== undefined && !wordless.includes(form)) wordless = [...wordless, form];
    for (const { sentId } of calls) callIds.push(sentId);
    if (entry.said.length > 0 || entry.landed?.words !== undefined) speaking.push(entry);
  }
  lists += 1;
  return {
    list: lists,
    from,
    messages: messages.length === 0 ? before.messages : before.messages.concat(messages),
    origin,
    vouched,
    chained,
    lent,
    lastReasoning,
    asleep,
    system,
    wordless,
    marked,
    sentIds: before.sentIds.with(callIds),
    speaking: speaking.length === 0 ? before.speaking : before.speaking.concat(speaking),
  };
}
