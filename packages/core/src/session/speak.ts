import { sameValue } from "../json/compare.ts";
import type { Draft } from "../ledger/draft.ts";
import type { Channel, Entry, KeptMessage, Said } from "../ledger/entry.ts";
import { eventPlace } from "../ledger/event-place.ts";
import { factsOf } from "../ledger/window-facts.ts";
import type { Wordings } from "../ledger/wordings.ts";
import { messageText } from "../overflow/transcript.ts";
import { type Heard, heardIn } from "../sources/heard.ts";
import { keptWords } from "../sources/kept-words.ts";
import { lateResult } from "../sources/late-result.ts";
import { type KnownWrite, kindsInOrder, type Room, type Setting, type Source, type Utterance } from "../sources/source.ts";
import { systemChanges } from "../sources/system-change.ts";
import type { Wire } from "../wire/wire.ts";
import { placeEvents, type SpokenWords } from "./place-events.ts";
import { type SpokenTools, sayChanges } from "./say-changes.ts";

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
  readonly tools: SpokenTools | undefined;
};

/**
 * Lets the sources speak behind the history, and says what changed of tools and settings (rules 16 to 20 and 25). Events that nobody has answered were dropped with the tail and are
 * said anew.
 */
export function speak(wire: Wire, draft: Draft, speakers: Speakers): Draft {
  const sources = inOrder(wire, draft, speakers);
  if (sources.length === 0 && speakers.tools === undefined && draft.settingsWanted === undefined) return draft;
  const place = eventPlace(draft.entries);
  if (place === undefined || waits(wire, draft.entries, place)) return draft;
  const words = sayWords(wire, draft, speakers, sources);
  const changes = sayChanges(wire, draft, speakers.tools);
  const prefilled = withPrefill(wire, draft, speakers);
  if (words.length + changes.length === 0) return prefilled;
  return placeEvents(wire, prefilled, place, words, changes, speakers.wordings);
}

/** The session's sources as they speak; late results; and the host's own system text where it is said instead of changed. */
function inOrder(wire: Wire, draft: Draft, { sources, pinned }: Speakers): readonly Source[] {
  const own = [
    ...(draft.systemWanted === undefined ? [] : [systemChanges(wire.systemText(draft.head))]),
    ...factsOf(draft.entries).speaking.flatMap(({ landed }) =>
      landed?.words === undefined ? [] : [keptWords(landed.words, pinned, shownIn(wire, draft))],
    ),
  ];
  const all = [...own, ...draft.late.map(lateResult), ...sources];
  return all.length < 2 ? all : kindsInOrder.flatMap((kind) => all.filter((source) => source.kind === kind));
}

/** What the messages of a window say, events aside. */
function shownIn(wire: Wire, { entries }: Draft): ReadonlySet<string> {
  return new Set(entries.flatMap(({ kind, sent }) => (kind === "event" || sent === null ? [] : [messageText(wire, wire.read(sent))])));
}

/** Rule 17: where user text may not stand behind results, the sources wait for the next user turn. */
function waits(wire: Wire, entries: readonly Entry[], place: number): boolean {
  if (wire.abilities.textBehindResults !== false) return false;
  const before = entries.slice(0, place).findLast(({ sent }) => sent !== null)?.sent;
  return before != null && wire.read(before).units.some(({ kind }) => kind === "result");
}

function sayWords(wire: Wire, draft: Draft, speakers: Speakers, sources: readonly Source[]): readonly SpokenWords[] {
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
