import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import { makeEntry, type Said } from "../ledger/entry.ts";
import { fill, type Wordings } from "../ledger/wordings.ts";
import type { Wire } from "../wire/wire.ts";
import type { SpokenChange } from "./say-changes.ts";

/** What a source says, in words. */
export type SpokenWords = { readonly said: Said; readonly text: string };

type EventMessage = { readonly role: "user" | "system"; readonly sent: ObjectValue; readonly said: readonly Said[] };

/**
 * Rule 17: what is said in one request is at most one message of the user's channel, then one of the system's, then changes that are said without words, then one turn-scoped message.
 * `place`: how many entries stand before it.
 */
export function placeEvents(
  wire: Wire,
  draft: Draft,
  place: number,
  words: readonly SpokenWords[],
  changes: readonly SpokenChange[],
  wordings: Wordings,
): Draft {
  let nextId = draft.nextId;
  const said = [...words, ...changes].map((item) => item.said);
  const events = messagesOf(wire, words, changes, wordings).map((message) => makeEntry(nextId++, { kind: "event", given: [], ...message }));
  const before = draft.entries.slice(0, place);
  const behind = draft.entries.slice(place);
  return { ...draft, entries: [...before, ...events, ...behind], said, nextId };
}

function messagesOf(
  wire: Wire,
  words: readonly SpokenWords[],
  changes: readonly SpokenChange[],
  wordings: Wordings,
): readonly EventMessage[] {
  const as = ({ said }: SpokenWords): Said["channel"] => said.as ?? said.channel;
  const users = words.filter((item) => item.said.channel === "user" && as(item) === "user");
  const systems = words.filter((item) => item.said.channel !== "user" && as(item) !== "turn");
  const scoped = words.filter((item) => as(item) === "turn");
  const saySystem = (text: string): ObjectValue =>
    // What has no system message of its own keeps its channel in the user's.
    systems[0]?.said.as === "user" ? wire.say("user", fill(wordings.systemAsUser, { text })) : wire.say("system", text);
  return [
    ...messageOf(wire, users, (text) => wire.say("user", text)),
    ...messageOf(wire, systems, saySystem),
    ...changes.map(({ said, message }): EventMessage => ({ role: "system", sent: message, said: [said] })),
    ...messageOf(wire, scoped, (text) => wire.inBand?.turnScoped?.say(text) ?? wire.say("system", text)),
  ];
}

function messageOf(wire: Wire, spoken: readonly SpokenWords[], say: (text: string) => ObjectValue): readonly EventMessage[] {
  if (spoken.length === 0) return [];
  const sent = say(spoken.map(({ text }) => text).join("\n\n"));
  return [{ role: wire.read(sent).role === "user" ? "user" : "system", sent, said: spoken.map(({ said }) => said) }];
}
