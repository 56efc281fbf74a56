import type { ObjectValue } from "../json/value.ts";
import type { KeptMessage, KeptWords } from "../ledger/entry.ts";
import { bareMessage } from "../ledger/forms.ts";
import type { Replacement } from "../ledger/landing.ts";
import { fill, type Wordings } from "../ledger/wordings.ts";
import { keptText } from "../sources/kept-words.ts";
import type { Wire } from "../wire/wire.ts";
import { questionAt } from "./cut.ts";
import type { Group, Member } from "./groups.ts";
import type { Change } from "./strategy.ts";
import { messageText } from "./transcript.ts";

export type RecapParts = {
  readonly wire: Wire;
  readonly wordings: Wordings;
  readonly groups: readonly Group[];
  /** The reference under which the replaced text is archived. */
  readonly reference: string | undefined;
};

/** A strategy's change as the ledger lands it. In a recap the provider's block goes first, then the summary, then what is pinned and the question being asked (rule 38). */
export function replacementOf(parts: RecapParts, change: Change): Replacement {
  if (change.kind === "elision") return change;
  const { groups } = parts;
  const own = groups.slice(change.from, change.to);
  const range = { from: groups[change.from]?.from ?? 0, to: own.at(-1)?.to ?? 0 };
  if (change.kind === "block")
    return {
      kind: "recap",
      ...range,
      messages: change.messages,
      kept: [],
      signed: parts.wire.compaction?.keepsReasoning === true,
      ...wordsIn(parts, change),
    };
  const kept = own.flatMap((group, index) => keptOf(parts, group, change.from + index));
  const words = parts.wire.say("user", recapText(parts, change));
  const blocks = own.flatMap((group) => blocksOf(parts.wire, group));
  return { kind: "recap", ...range, messages: [...blocks, words], kept, signed: false };
}

function recapText({ wordings, reference }: RecapParts, { as, text }: Change & { readonly kind: "recap" }): string {
  const archived = reference === undefined ? "" : fill(wordings.archived, { reference });
  return as === "summary" ? fill(wordings.summary, { text, reference: archived }) : `${text}${archived}`;
}

/** What a provider's block takes of the host's words and what is said again behind it. */
function wordsIn(parts: RecapParts, { from, to }: Change & { readonly kind: "block" }): { readonly words?: KeptWords } {
  const { wire, groups } = parts;
  const asking = questionAt(groups);
  const pinned: (readonly KeptMessage[])[] = [];
  let question: string | undefined;
  for (let index = from; index < to; index++) {
    const group = groups[index] as Group;
    pinned.push(...(group.words?.pinned ?? []), ...(group.pinned ? messagesOf(wire, group) : []));
    if (index !== asking) continue;
    const asked = keptOf(parts, group, index).map((message) => messageText(wire, wire.read(message)));
    question = group.words?.question ?? (group.pinned ? undefined : asked.join("\n"));
  }
  if (pinned.length === 0 && question === undefined) return {};
  return { words: { pinned, ...(question === undefined ? {} : { question }) } };
}

/** A pinned group as it is kept: a batch of calls and results holds together. */
function messagesOf(wire: Wire, { kind, members }: Group): readonly (readonly KeptMessage[])[] {
  const said = members.flatMap(({ kind: of, reading }) =>
    of === "host" ? [{ role: reading.role, text: messageText(wire, reading) }] : [],
  );
  return kind === "calls" ? [said] : said.map((message) => [message]);
}

/** A provider's own block stands for more than a summary knows of: it stays. */
function blocksOf(wire: Wire, { members }: Group): readonly ObjectValue[] {
  return members.flatMap(({ message }) => (wire.compaction?.holds(message) === true ? [message] : []));
}

/** What of a replaced group goes on to be said: all of a pinned one, and the user's words of the one that asks. */
function keptOf(parts: RecapParts, group: Group, index: number): readonly ObjectValue[] {
  const { wire, groups } = parts;
  const host = group.members.filter(({ kind }) => kind === "host");
  if (group.words !== undefined) {
    const { pinned, question } = group.words;
    const asked = index === questionAt(groups) && question !== undefined ? [question] : [];
    return [...pinned.map((messages) => keptText(messages, parts.wordings)), ...asked].map((text) => wire.say("user", text));
  }
  if (group.pinned && group.kind === "calls") return [keptBatch(parts, host)];
  if (group.pinned) return host.flatMap(({ message, reading }) => (reading.role === "assistant" ? (bareOf(wire, message) ?? []) : message));
  if (index !== questionAt(groups)) return [];
  return host.filter(({ asks }) => asks).flatMap((member) => wordsOf(wire, member));
}

/** Calls whose place is gone are kept as text: as calls they would be taken for a loop that goes on. */
function keptBatch(parts: RecapParts, members: readonly Member[]): ObjectValue {
  const { wire, wordings } = parts;
  const messages = members.map(({ reading }) => ({ role: reading.role, text: messageText(wire, reading) }));
  return wire.say("user", keptText(messages, wordings));
}

/** Reasoning is not kept: what it was made over is gone. */
function bareOf(wire: Wire, message: ObjectValue): readonly ObjectValue[] | undefined {
  const bare = bareMessage(wire, message);
  return bare === null ? undefined : [bare];
}

function wordsOf(wire: Wire, { message, reading, steps }: Member): readonly ObjectValue[] {
  if (reading.role === "assistant") return [];
  const units = reading.units.filter((unit) => unit.kind !== "result" && unit.kind !== "fields" && !steps.has(unit));
  if (units.length === 0) return [];
  return [units.length === reading.units.length ? message : wire.compose(reading.nativeRole, units)];
}
