import { sameValue } from "../json/compare.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import { type Channel, type Entry, type KeptMessage, makeEntry, type Said } from "../ledger/entry.ts";
import { eventPlace } from "../ledger/event-place.ts";
import type { Draft } from "../ledger/reconcile.ts";
import { fill, type Wordings } from "../ledger/wordings.ts";
import { type Heard, heardIn } from "../sources/heard.ts";
import { keptWords } from "../sources/kept-words.ts";
import { lateResult } from "../sources/late-result.ts";
import { type KnownWrite, kindsInOrder, type Room, type Setting, type Source, type Utterance } from "../sources/source.ts";
import { systemChanges } from "../sources/system-change.ts";
import { toolChange, toolSource, toolWindow } from "../sources/tool-changes.ts";
import type { ToolChanges } from "../wire/in-band.ts";
import type { Wire } from "../wire/wire.ts";

/** Who may speak into a request, and with what. */
export type Speakers = {
  readonly sources: readonly Source[];
  readonly settings: ReadonlyMap<string, Setting>;
  readonly wordings: Wordings;
  /** What the model wrote itself, by source and key. Behind a checkpoint nothing of it counts (rule 21). */
  readonly writes: ReadonlyMap<string, ReadonlyMap<string, KnownWrite>>;
  readonly now: number;
  /** The request bears the betas that turn-scoped messages need. */
  readonly scopes: boolean;
  readonly room: (draft: Draft) => Room;
  /** Whether a message that a provider's block took is still pinned (rule 42). */
  readonly pinned: (message: KeptMessage) => boolean;
  /** The tools that shall be offered, where the head keeps the frozen ones and changes are said in band. */
  readonly tools: { readonly wanted: readonly ObjectValue[]; readonly changes: ToolChanges } | undefined;
};

type Spoken = {
  readonly said: Said;
  readonly text: string;
  /** Its own message, where it is no text. */
  readonly message?: ObjectValue;
};

/**
 * Lets the sources speak behind the history (rules 16 to 20): at most one message of the user's channel, then one of the system's, then turn-scoped ones. Events that nobody
 * has answered were dropped with the tail and are said anew.
 */
export function speak(wire: Wire, draft: Draft, speakers: Speakers): Draft {
  const sources = inOrder(wire, draft, speakers);
  if (sources.length === 0 && speakers.tools === undefined) return draft;
  const place = eventPlace(draft.entries);
  if (place === undefined || waits(wire, draft.entries, place)) return draft;
  const spoken = [...sayAll(wire, draft, speakers, sources), ...sayTools(wire, draft, speakers)];
  const prefilled = withPrefill(wire, draft, speakers);
  return spoken.length === 0 ? prefilled : placed(wire, prefilled, place, spoken, speakers.wordings);
}

/** The session's sources as they speak; late results; and the host's own system text where it is said instead of changed. */
function inOrder(wire: Wire, draft: Draft, { sources, pinned }: Speakers): readonly Source[] {
  const own = [
    ...(draft.systemWanted === undefined ? [] : [systemChanges(wire.systemText(draft.head))]),
    ...draft.entries.flatMap(({ landed }) => (landed?.words === undefined ? [] : [keptWords(landed.words, pinned)])),
  ];
  const all = [...own, ...draft.late.map(lateResult), ...sources];
  return all.length < 2 ? all : kindsInOrder.flatMap((kind) => all.filter((source) => source.kind === kind));
}

/** Rule 17: where user text may not stand behind results, the sources wait for the next user turn. */
function waits(wire: Wire, entries: readonly Entry[], place: number): boolean {
  if (wire.abilities.textBehindResults !== false) return false;
  const before = entries.slice(0, place).findLast(({ sent }) => sent !== null)?.sent;
  return before != null && wire.read(before).units.some(({ kind }) => kind === "result");
}

function sayAll(wire: Wire, draft: Draft, speakers: Speakers, sources: readonly Source[]): readonly Spoken[] {
  const heard = heardIn(draft.entries);
  return sources.flatMap((source) => {
    const as = channelFor(wire, draft, speakers, source.channel);
    const utterance = ask(wire, source, heard(source.id), draft, speakers, as);
    if (utterance === undefined) return [];
    const { text, ...known } = utterance;
    const said: Said = { source: source.id, channel: source.channel, ...(as === source.channel ? {} : { as }), ...known };
    return [{ said: Object.freeze(said), text }];
  });
}

const noWrites: ReadonlyMap<string, KnownWrite> = new Map();

/** Rule 25: tools that come and go. */
function sayTools(wire: Wire, draft: Draft, { tools }: Speakers): readonly Spoken[] {
  if (tools === undefined) return [];
  const { tools: declared } = draft.head;
  const change = toolChange(wire, toolWindow(wire, declared, draft.entries), declared, tools.wanted, tools.changes);
  if (change === undefined) return [];
  const revision = draft.entries.flatMap(({ said }) => said.filter(({ form }) => form === "toolChanges")).length + 1;
  const said: Said = { source: toolSource, channel: "system", value: change as unknown as Value, revision, form: "toolChanges" };
  return [{ said: Object.freeze(said), text: "", message: tools.changes.say(change) }];
}

type Numbered = Utterance & { readonly revision: number };

function ask(wire: Wire, source: Source, heard: Heard, draft: Draft, speakers: Speakers, as: Channel): Numbered | undefined {
  const asked = {
    setting: source.id === "system" && source.kind === "system" ? wantedSystem(draft) : speakers.settings.get(source.id),
    heard,
    now: speakers.now,
    turn: draft.turn,
    prefills: prefills(draft),
    inSystem: wire.systemPart !== undefined,
    wordings: speakers.wordings,
    writes: speakers.writes.get(source.id) ?? noWrites,
    room: () => speakers.room(draft),
  };
  if (as !== "turn") return numbered(source.speak(asked), heard.revision + 1);
  // Rule 24: said again in each request; of the same words it is the same revision.
  const { scoped, revision } = heard;
  const anew = source.speak({ ...asked, heard: { said: [], scoped, revision } });
  if (anew === undefined || scoped === undefined || !sameValue(anew.value, scoped.value)) return numbered(anew, revision + 1);
  return numbered(source.speak({ ...asked, heard: { said: [], scoped, revision: scoped.revision - 1 } }), scoped.revision);
}

function numbered(utterance: Utterance | undefined, revision: number): Numbered | undefined {
  return utterance && { ...utterance, revision };
}

function wantedSystem({ systemWanted }: Draft): Setting | undefined {
  return systemWanted === undefined ? undefined : { value: systemWanted };
}

/** Rule 20: the channel that a source gets. Model and wire decide; a place behind a user turn is sure by then. */
function channelFor(wire: Wire, { target }: Draft, { scopes }: Speakers, wanted: Channel): Channel {
  if (wanted === "turn" && scopes && wire.inBand?.turnScoped?.on(target.profile) === true) return "turn";
  return wanted !== "user" && target.profile.positionalSystem ? "system" : "user";
}

/** A reply is begun for the model only where nothing else ends the request in one. */
function prefills({ target, prefill }: Draft): boolean {
  return target.profile.prefill && prefill === undefined;
}

function withPrefill(wire: Wire, draft: Draft, { sources, settings }: Speakers): Draft {
  if (draft.prefill !== undefined) return draft;
  for (const source of sources) {
    const wanted = source.prefill?.(settings.get(source.id));
    if (wanted !== undefined && (wanted.native || prefills(draft))) return { ...draft, prefill: wire.say("assistant", wanted.text) };
  }
  return draft;
}

function placed(wire: Wire, draft: Draft, place: number, spoken: readonly Spoken[], wordings: Wordings): Draft {
  let nextId = draft.nextId;
  const said = spoken.map((item) => item.said);
  const entries: Entry[] = [];
  for (const message of messagesOf(wire, spoken, wordings)) entries.push(makeEntry(nextId++, { kind: "event", given: [], ...message }));
  const before = draft.entries.slice(0, place);
  const last = before.at(-1);
  const [first] = entries;
  if (wire.abilities.refusesNeighbours === true && last?.role === "user" && first?.role === "user" && last.sent !== null) {
    const joined = joinedWith(wire, last, entries, nextId++);
    return { ...draft, entries: [...before.slice(0, -1), ...joined, ...draft.entries.slice(place)], said, nextId };
  }
  return { ...draft, entries: [...before, ...entries, ...draft.entries.slice(place)], said, nextId };
}

type EventMessage = { readonly role: "user" | "system"; readonly sent: ObjectValue; readonly said: readonly Said[] };

function messagesOf(wire: Wire, spoken: readonly Spoken[], wordings: Wordings): readonly EventMessage[] {
  const by = (fits: (wanted: Channel, as: Channel) => boolean): readonly Spoken[] =>
    spoken.filter(({ said, message }) => message === undefined && fits(said.channel, said.as ?? said.channel));
  const users = by((wanted, as) => wanted === "user" && as === "user");
  const systems = by((wanted, as) => wanted !== "user" && as !== "turn");
  const scoped = by((_wanted, as) => as === "turn");
  const asUser = systems[0]?.said.as === "user";
  return [
    ...messageOf(users, "user", (text) => wire.say("user", text)),
    // What has no system message of its own keeps its channel in the user's.
    ...(asUser
      ? messageOf(systems, "user", (text) => wire.say("user", fill(wordings.systemAsUser, { text })))
      : messageOf(systems, "system", (text) => wire.say("system", text))),
    ...spoken.flatMap(({ said, message }) => (message === undefined ? [] : [{ role: "system" as const, sent: message, said: [said] }])),
    ...messageOf(scoped, "system", (text) => wire.inBand?.turnScoped?.say(text) ?? wire.say("system", text)),
  ];
}

function messageOf(spoken: readonly Spoken[], role: EventMessage["role"], say: (text: string) => ObjectValue): readonly EventMessage[] {
  if (spoken.length === 0) return [];
  return [{ role, sent: say(spoken.map(({ text }) => text).join("\n\n")), said: spoken.map(({ said }) => said) }];
}

/** Rule 17: where neighbours of one role are refused, what the user's channel says goes into the message before it, and stays there. The given form does not change. */
function joinedWith(wire: Wire, last: Entry, events: readonly Entry[], id: number): readonly Entry[] {
  const own = events.filter(({ role }) => role === "user");
  const { nativeRole, units } = wire.read(last.sent as ObjectValue);
  const added = own.flatMap(({ sent }) => (sent === null ? [] : wire.read(sent).units));
  const joined = makeEntry(id, {
    ...last,
    sent: wire.compose(nativeRole, [...units, ...added]),
    said: [...last.said, ...own.flatMap(({ said }) => said)],
  });
  return [joined, ...events.filter(({ role }) => role !== "user")];
}
