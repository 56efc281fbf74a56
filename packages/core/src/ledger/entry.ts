import { compareValues } from "../json/compare.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { WordlessForm } from "../wire/in-band.ts";
import type { Origin } from "../wire/origin.ts";
import type { Role } from "../wire/unit.ts";
import type { DormantForm, DormantUnit } from "./dormant-form.ts";

/**
 * One message of the window, with the given messages (none, one or several) that it stands for.
 *  1. An entry never changes. What a checkpoint replaces is another entry with another id.
 *  2. `sent` is frozen and handed out as it is; `null` means that the given messages are not sent (an empty reply).
 *  3. `given` are private copies of what the host handed over first, cache marks and all.
 */
export type Entry = EntryMembers & Made;

/** Tells the compiler that {@link makeEntry} made something: a spread entry is none, it lacks what stands on the prototype. */
class Made {
  declare private readonly made: true;
}

type EntryMembers = {
  /** Unique in a ledger, ascending by admission. */
  readonly id: number;
  /** `host`: the host's words. `event`: a source's. `recap`: what replaced older entries. */
  readonly kind: "host" | "event" | "recap";
  readonly role: Role;
  readonly given: readonly ObjectValue[];
  readonly sent: ObjectValue | null;
  readonly reasoning: BoundReasoning | undefined;
  /** Of reasoning: id of the entry whose reasoning stood nearest before it when it was made; undefined: none. The provider checks this chain. */
  readonly reasonedAfter: number | undefined;
  readonly calls: readonly AdmittedCall[];
  /** Its reply had bound reasoning that is not sent: inside an open loop the provider would miss it. */
  readonly lostReasoning: boolean;
  /** It made calls, shows no bound reasoning, and no window vouches for it: whether it had some cannot be known. */
  readonly unknownReasoning: boolean;
  /** What sources said in this entry; also of an event that the host took over into its own history. */
  readonly said: readonly Said[];
  /** Its given messages bear nothing: they stand on no side. */
  readonly empty: boolean;
  /** One user message that stands for the messages of a whole tool loop (rule 62 c). */
  readonly folded: boolean;
  /** Of each entry that a landing put in place of older ones, and of each whose sent form it replaced. */
  readonly landed: Landed | undefined;
  /** Cache marks that the host set when it first handed the message over, by unit of the sent form. */
  readonly marks: readonly UnitMark[];
  /** Only after a restore, until the history has brought the words back. */
  readonly dormant: DormantForm | undefined;
  /** Digests of what it stands for, where it woke without those words: they were edited under a fold, or a host that trims handed them over no more. */
  readonly slept: readonly DormantUnit[] | undefined;
  /** It came from another wire, with a stretch of its window. */
  readonly twin: Twin | undefined;
};

/** The stretch of a window that an entry came with from another wire: so many entries of this one are another form of it. */
type Twin = {
  /** Ids of the entries as which it was first admitted, on whichever wire. */
  readonly key: string;
  readonly size: number;
};

/** What a landing replaced. */
type Landed = {
  /** Number of the landing in its ledger. */
  readonly landing: number;
  /** The entries that were replaced, as they were admitted: they show again when the landing is dropped. No landing is among them. Of a recap its first entry has them. */
  readonly source: readonly Entry[];
  /** What stands for them is the provider's signed block. */
  readonly signed: boolean;
  /** Of the block itself: the host's words that it took and that go on to be said, as an event (rule 42). */
  readonly words?: KeptWords;
};

/** What a provider's block took and what must stay: pinned groups of messages, each as long as one of them is pinned, and the question being asked if it is among them. */
export type KeptWords = { readonly pinned: readonly (readonly KeptMessage[])[]; readonly question?: string };

/** A message that is gone, as it can still be pinned: who said it, and its text. */
export type KeptMessage = { readonly role: Role; readonly text: string };

export type UnitMark = { readonly unit: number; readonly mark: Value };

/** Signed or encrypted reasoning that a sent form holds. */
export type BoundReasoning = {
  readonly origin: Origin;
  /** It stands behind the window that it was made over; elsewhere only a model that does not bind reads it. */
  readonly vouched: boolean;
  /** A reply showed that this model takes it, whichever model made it. */
  readonly proven?: boolean;
  /** It is not known to be valid here and was sent under `drop_block`; the reply tells (rule 62 b). */
  readonly lent: boolean;
};

export type AdmittedCall = {
  /** Id as the host has it. */
  readonly id: string;
  /** Id as it is sent: another one where a repeated id was mapped. */
  readonly sentId: string;
  readonly name: string;
};

/**
 * Where a source asks to be heard. `user`: said by the user. `system`: a positional system or developer message. `turn`: a system message that holds until the next
 * user message. One that model or place does not allow falls back to the one before it.
 */
export type Channel = "user" | "system" | "turn";

/** Provenance of an event: which source spoke and what it wants to have said. Not on the wire. */
export type Said = {
  readonly source: string;
  readonly value: Value;
  readonly revision: number;
  /** The channel that was asked for. */
  readonly channel: Channel;
  /** The channel that it went by; absent: the one that was asked for. */
  readonly as?: Channel;
  /** It says what changed since the revision before. */
  readonly change?: true;
  /** It takes back what the source said. */
  readonly withdrawn?: true;
  /** It is said in no words, but in this form of the wire: a model that lacks the form is not told. */
  readonly form?: WordlessForm;
};

/** An assistant message that is sent. Only such a one answers what stands before it. */
export function isReply(entry: Entry): boolean {
  return entry.role === "assistant" && isSent(entry);
}

export function isSent(entry: Entry): boolean {
  return entry.sent !== null || (entry.dormant !== undefined && entry.dormant.sent.kind !== "none");
}

/** An entry whose reasoning no window vouches for any longer: only a model that does not bind reads it. */
export function unvouched(entry: Entry, nextId: () => number): Entry {
  const { reasoning } = entry;
  if (reasoning === undefined || !(reasoning.vouched || reasoning.proven === true)) return entry;
  return makeEntry(nextId(), { ...entry, reasoning: { ...reasoning, vouched: false, proven: false } });
}

/** The sent form, where its words are at hand: a snapshot holds in full only what differs by more than representation. */
export function formAtHand({ sent, dormant }: Entry): ObjectValue | undefined {
  return sent ?? (dormant?.sent.kind === "kept" ? dormant.sent.message : undefined);
}

/** The given form by digests, where only these are known. */
export function digestsOf({ dormant, slept }: Pick<Entry, "dormant" | "slept">): readonly DormantUnit[] | undefined {
  return dormant?.units ?? slept;
}

/** One of an entry's given messages, undefined behind the last: most entries have one, for which no list need be made. */
export function givenAt(entry: Entry, index: number): ObjectValue | undefined {
  const { held } = entry as unknown as CompactEntry;
  if (isList(held)) return held[index];
  return index === 0 ? held : undefined;
}

/** Whether messages of the history stand behind an entry. */
export function isGiven(entry: Entry): boolean {
  return entry.given.length > 0 || (digestsOf(entry)?.length ?? 0) > 0;
}

/** A folded tool loop: one user message that stands for messages of both sides (rule 62 c). */
export function isFold(entry: Entry): boolean {
  return entry.folded;
}

/** The calls of an entry, and of what it stands for since a landing. */
export function callsBehind({ calls, landed }: Entry): readonly AdmittedCall[] {
  return landed === undefined ? calls : landed.source.flatMap((entry) => entry.calls);
}

/** What a landing says in place of older entries: a run of its own, whose first entry says what it stands for. What it keeps of them follows as the host's words. */
export function isRecap(entry: Entry): boolean {
  return entry.kind === "recap";
}

const none: readonly never[] = Object.freeze([]);

type EntryParts = Pick<EntryMembers, "kind" | "role" | "given" | "sent"> & Partial<Omit<EntryMembers, "id">>;

/** Makes an entry, of parts or of another entry's members. A sent form that is the given one to the letter is the same object. */
export function makeEntry(id: number, parts: EntryParts): Entry {
  return new CompactEntry(id, parts);
}

/** What most entries are, and only few are otherwise. */
const rest = {
  ...{ kind: "host", lostReasoning: false, unknownReasoning: false, said: none, empty: false, folded: false, marks: none },
  ...{ landed: undefined, dormant: undefined, slept: undefined, twin: undefined },
} as const;
const fewHave = Object.keys(rest) as readonly (keyof typeof rest)[];

/**
 * An entry in little memory, since there are as many as messages. What only few entries have is a member of those few, and the prototype's for all others; one
 * given message, and one call, is held without a list around it.
 */
class CompactEntry extends Made implements EntryMembers {
  readonly id: number;
  declare readonly kind: Entry["kind"];
  readonly role: Role;
  readonly held: ObjectValue | readonly ObjectValue[];
  readonly sent: ObjectValue | null;
  readonly reasoning: BoundReasoning | undefined;
  readonly reasonedAfter: number | undefined;
  readonly called: AdmittedCall | readonly AdmittedCall[];
  declare readonly lostReasoning: boolean;
  declare readonly unknownReasoning: boolean;
  declare readonly said: readonly Said[];
  declare readonly empty: boolean;
  declare readonly folded: boolean;
  declare readonly landed: Landed | undefined;
  declare readonly marks: readonly UnitMark[];
  declare readonly dormant: DormantForm | undefined;
  declare readonly slept: readonly DormantUnit[] | undefined;
  declare readonly twin: Twin | undefined;

  constructor(id: number, parts: EntryParts & Partial<Pick<CompactEntry, "held" | "called">>) {
    super();
    this.id = id;
    this.role = parts.role;
    // Of an entry that was spread only its own members are there: `given` and `calls` need be none of them.
    this.held = parts.given === undefined ? (parts.held ?? none) : oneOrList(parts.given);
    this.sent = asGiven(this.held, parts.sent);
    this.reasoning = parts.reasoning && sharedReasoning(parts.reasoning);
    this.reasonedAfter = parts.reasoning && parts.reasonedAfter;
    this.called = parts.calls === undefined ? (parts.called ?? none) : oneOrList(parts.calls);
    for (const name of fewHave) {
      const member = parts[name];
      if (member !== undefined && member !== rest[name]) Object.assign(this, { [name]: Array.isArray(member) ? listOf(member) : member });
    }
  }

  get given(): readonly ObjectValue[] {
    return isList(this.held) ? this.held : [this.held];
  }

  get calls(): readonly AdmittedCall[] {
    return isList(this.called) ? this.called : [this.called];
  }
}

Object.assign(CompactEntry.prototype, rest);

const reasonings = new WeakMap<Origin, BoundReasoning[]>();

/** What is said of reasoning is nearly always the same: it is held once for each origin. */
function sharedReasoning(reasoning: BoundReasoning): BoundReasoning {
  const { origin, vouched, proven = false, lent } = reasoning;
  const known = reasonings.get(origin) ?? [];
  const place = Number(vouched) + 2 * Number(proven) + 4 * Number(lent);
  known[place] ??= Object.freeze(reasoning);
  reasonings.set(origin, known);
  return known[place];
}

function asGiven(held: ObjectValue | readonly ObjectValue[], sent: ObjectValue | null): ObjectValue | null {
  return sent !== null && !isList(held) && compareValues(held, sent) === "same" ? held : sent;
}

/** A list that is grown by pushes keeps room for more: a copy has its own length. */
function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return list === undefined || list.length === 0 ? none : list.slice();
}

function oneOrList<T extends object>(list: readonly T[]): T | readonly T[] {
  return list.length === 1 ? (list[0] as T) : listOf(list);
}

function isList<T extends object>(held: T | readonly T[]): held is readonly T[] {
  return Array.isArray(held);
}
