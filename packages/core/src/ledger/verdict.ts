import { pathText } from "../json/path.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Difference } from "../wire/difference.ts";
import { headDifference } from "../wire/head-difference.ts";
import { startsWithUnits } from "../wire/message-reader.ts";
import { messagesDifference } from "../wire/messages-difference.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { isBound } from "./admit-replies.ts";
import type { Checkpoint, CheckpointHint, CheckpointReason } from "./checkpoint.ts";
import type { DormantUnit } from "./dormant-form.ts";
import type { Draft } from "./draft.ts";
import type { Entry } from "./entry.ts";
import { messagesFor, type Target, targetOfTurn, type WindowMessage, windowFor } from "./forms.ts";
import { sameParts } from "./head-repair.ts";
import type { LedgerState, LedgerTurn } from "./state.ts";
import { lastTurn, movedTurn } from "./state.ts";
import { digestUnit } from "./unit-digest.ts";
import { wasSent } from "./wake.ts";
import { factsOf, goesOn } from "./window-facts.ts";

/** Tokens of a value as the wire renders it; the session hands in its counter. */
export type CountValue = (value: Value) => number;

/** What a draft repeats of the last window, and where and why it stops (rules 1 and 26). */
export type Verdict = {
  /** Messages of the last window that go out again, from the front. */
  readonly kept: number;
  readonly appended: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly messages: readonly ObjectValue[];
};

export function judge(wire: Wire, state: LedgerState, draft: Draft, count: CountValue): Verdict {
  const messages = messagesFor(wire, draft.entries, draft.target);
  const last = lastTurn(state);
  const scale: Scale = { wire, draft, messages, count };
  if (last === undefined || state.restarted) return firstVerdict(scale, state.restarted);
  if (last.number === movedTurn || last.origin.endpoint !== draft.target.origin.endpoint) return movedVerdict(scale);
  const before = lastWindow(wire, last, draft);
  const window = once(() => windowFor(wire, before.entries, before.target));
  const common = factsOf(before.entries).asleep
    ? commonPrefix(window(), windowFor(wire, draft.entries, draft.target), (slept, now) =>
        isWhatSlept(wire, slept, now, systemSaidBy(before, draft)),
      )
    : commonPrefix(before.messages, messages, sameMessage, knownPrefix(before, draft, messages));
  const same = common === before.messages.length - 1 && isJoinedBy(scale, window().at(-1), common) ? common + 1 : common;
  const to = draft.base === last && draft.answered ? before.messages.length : answeredTo(wire, draft, window(), messages);
  const head = sameParts(last.head, draft.head) ? [] : headDifference(wire, last.head, draft.head, { strength: "provider" });
  const checkpoints = head
    .filter(({ field }) => field !== "params" || last.head.model === draft.head.model)
    .map(({ field, difference }) =>
      makeCheckpoint(scale, field, difference, field === "params" || field === "model" ? [] : voidsOf(scale, window(), 0), undefined),
    );
  if (same < to && !explainedByHead(draft, checkpoints)) checkpoints.push(historyCheckpoint(scale, state, last, window(), same, to));
  const kept = checkpoints.some((checkpoint) => checkpoint.reason !== "history") ? 0 : same;
  return { kept, appended: messages.length - kept, checkpoints, messages };
}

type Scale = { readonly wire: Wire; readonly draft: Draft; readonly messages: readonly ObjectValue[]; readonly count: CountValue };

/** What a landing does to the verdict on the window before it: one more checkpoint, where the landed window stops repeating it. */
export function judgeLanding(
  wire: Wire,
  before: Draft,
  verdict: Verdict,
  landed: Draft,
  landing: LandingFacts,
  count: CountValue,
): Verdict {
  const messages = messagesFor(wire, landed.entries, landed.target);
  const scale: Scale = { wire, draft: landed, messages, count };
  const same = commonPrefix(verdict.messages, messages, sameMessage);
  const at = same + landed.lead;
  const place: Difference = { path: [...messagesPlace(wire), at], class: landing.reason === "elision" ? "edit" : "removal", at };
  const window = windowFor(wire, before.entries, before.target);
  const hint = landed.folded && !before.folded ? "folded-loop" : undefined;
  const checkpoint = makeCheckpoint(scale, landing.reason, place, voidsOf(scale, window, same), hint, landing.signed);
  const kept = Math.min(verdict.kept, same);
  return { kept, appended: messages.length - kept, checkpoints: [...verdict.checkpoints, checkpoint], messages };
}

/** Of a landing what its checkpoint says. */
export type LandingFacts = { readonly reason: "elision" | "compaction"; readonly signed: boolean };

/** Rule 8: a session without a window that meets a reply cannot say what was sent before. */
function firstVerdict(scale: Scale, restarted: boolean): Verdict {
  const { messages, draft } = scale;
  const reply = draft.entries.some((entry) => entry.role === "assistant" && entry.given.length > 0) || draft.folded;
  if (!reply && !restarted) return { kept: 0, appended: messages.length, checkpoints: [], messages };
  const place: Difference = { path: [...messagesPlace(scale.wire), draft.lead], class: "insertion", at: draft.lead };
  const checkpoint = makeCheckpoint(scale, "ledger", { ...place, at: 0 }, [], restarted ? "restarted" : "no-record");
  return { kept: 0, appended: messages.length, checkpoints: [checkpoint], messages };
}

/** Rule 15: another wire, endpoint or account has none of what was sent before. */
function movedVerdict(scale: Scale): Verdict {
  const { messages } = scale;
  const place: Difference = { path: scale.wire.abilities.places?.model ?? ["model"], class: "parameter", at: 0 };
  return { kept: 0, appended: messages.length, checkpoints: [makeCheckpoint(scale, "model", place, [], undefined)], messages };
}

/** The last window as it was sent. Behind a restore its entries sleep: those that the history brought back are looked up, the others are asleep and like nothing. */
function lastWindow(wire: Wire, last: LedgerTurn, draft: Draft): LastWindow {
  const awake = (entry: Entry): Entry => (entry.dormant === undefined ? entry : (draft.woken.get(entry.id) ?? entry));
  const entries = factsOf(last.entries).asleep ? last.entries.map(awake) : last.entries;
  const target = targetOfTurn(wire, last);
  return { entries, target, messages: messagesFor(wire, entries, target) };
}

type LastWindow = { readonly entries: readonly Entry[]; readonly target: Target; readonly messages: readonly ObjectValue[] };

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** How many leading messages are the same. Entries are shared, so that this compares pointers, and bytes only at the first that is another object. */
function commonPrefix<T, N>(before: readonly T[], messages: readonly N[], same: (before: T, now: N) => boolean, known = 0): number {
  let count = known;
  while (count < before.length && count < messages.length && same(before[count] as T, messages[count] as N)) count += 1;
  return count;
}

/** A window that was made from the last one by adding to it has the same messages, as long as both go out in their sent forms. */
function knownPrefix(before: LastWindow, draft: Draft, messages: readonly ObjectValue[]): number {
  const asSent = before.messages === factsOf(before.entries).messages && messages === factsOf(draft.entries).messages;
  return asSent && goesOn(draft.entries, before.entries) ? before.messages.length : 0;
}

function sameMessage(before: ObjectValue, now: ObjectValue): boolean {
  return before === now || JSON.stringify(before) === JSON.stringify(now);
}

/** Where neighbours of one role are refused, what comes behind the last message without a reply to it goes into that message: the provider reads what it read, and goes on. */
function isJoinedBy({ wire, draft }: Scale, last: WindowMessage | undefined, index: number): boolean {
  if (wire.join === undefined || last === undefined) return false;
  const [was, now] = [last.parts ?? [last], windowFor(wire, draft.entries, draft.target)[index]?.parts ?? []];
  return was.length < now.length && was.every((part, position) => isWhatSlept(wire, part, now[position] as WindowMessage, "system"));
}

/** Of a message that is asleep the snapshot knows what was sent; of a positional system message that the user says for it, what it says. */
function isWhatSlept(wire: Wire, { entry, message }: WindowMessage, now: WindowMessage, systemBy: SystemBy): boolean {
  const { dormant, role } = entry;
  if (dormant === undefined) return sameMessage(message, now.message);
  if (role !== "system" || systemBy === "system") return wasSent(dormant.sent, now.message);
  const units = now.entry.given.flatMap((given) => wire.read(given).units);
  return systemBy === "user" && units.length > 0 && sameDigests(dormant.units, units);
}

function sameDigests(slept: readonly DormantUnit[], units: readonly Unit[]): boolean {
  return slept.length === units.length && slept.every(({ digest }, index) => digest === digestUnit(units[index] as Unit));
}

/** Who says positional system messages, before and now; undefined: the one and the other. */
type SystemBy = "system" | "user" | undefined;

function systemSaidBy(before: LastWindow, { target }: Draft): SystemBy {
  const { positionalSystem } = before.target.profile;
  if (positionalSystem !== target.profile.positionalSystem) return undefined;
  return positionalSystem ? "system" : "user";
}

/**
 * Rule 1: what was sent is repeated up to the last message that the new history shows as answered; a reply that was part of a window counts as such. Where the reply to the last
 * window stands in the history but not behind that window as it was sent, what stands before it was answered too: words put in between change nothing that was sent, other words do.
 */
function answeredTo(wire: Wire, draft: Draft, before: readonly WindowMessage[], messages: readonly ObjectValue[]): number {
  const to = before.findLastIndex(({ entry }) => entry.role === "assistant") + 1;
  if (!draft.replyMet) return to;
  for (let index = to; index < before.length; index++) {
    const { entry, message } = before[index] as WindowMessage;
    if (entry.kind === "event") return to;
    const now = messages[index];
    const units = now !== undefined && message.role === now.role ? wire.read(now).units : [];
    const repeated = repeatedUnits(wire, entry, message, units);
    if (repeated === undefined) return index + 1;
    if (units.length > repeated) return to;
  }
  return to;
}

/** How many units were sent in a message, all of which another message starts with; undefined: it does not. */
function repeatedUnits(wire: Wire, { dormant }: Entry, message: ObjectValue, now: readonly Unit[]): number | undefined {
  if (dormant?.sent.kind === "composed") {
    const same = dormant.units.every(({ digest }, index) => now[index] !== undefined && digestUnit(now[index]) === digest);
    return same ? dormant.units.length : undefined;
  }
  const { units } = wire.read(dormant?.sent.kind === "kept" ? dormant.sent.message : message);
  return startsWithUnits(units, now) ? units.length : undefined;
}

/** A changed head explains that reasoning went or came back; then the messages' own difference is no second checkpoint unless the host changed them too. */
function explainedByHead(draft: Draft, checkpoints: readonly Checkpoint[]): boolean {
  if (!checkpoints.some((checkpoint) => checkpoint.reason !== "params")) return false;
  const base = draft.base;
  return base !== undefined && draft.hint === undefined && !draft.folded && draft.baseRepeated;
}

function historyCheckpoint(
  scale: Scale,
  state: LedgerState,
  last: LedgerTurn,
  before: readonly WindowMessage[],
  same: number,
  to: number,
): Checkpoint {
  const { draft } = scale;
  const place = placeOf(scale, before, same, to);
  const at = { ...place, at: Math.min(place.at ?? same + draft.lead, same + draft.lead) };
  return makeCheckpoint(scale, "history", at, voidsOf(scale, before, same), hintOf(state, draft, last, same));
}

/** The first difference as a place in the request; what is asleep can only be named by its message. */
function placeOf({ wire, draft, messages }: Scale, before: readonly WindowMessage[], same: number, to: number): Difference {
  const at = same + draft.lead;
  const byMessage: Difference = { path: [...messagesPlace(wire), at], class: same < messages.length ? "edit" : "removal", at };
  if (before[same]?.entry.dormant !== undefined) return byMessage;
  // What is asleep further up is known to be the same, though not what it says.
  const sent = before.map(({ message }, index) => (index < same ? (messages[index] as ObjectValue) : message));
  return (
    messagesDifference(wire, sent, messages, { strength: "provider", to, offset: draft.lead }) ??
    messagesDifference(wire, sent, messages, { strength: "bytes", to, offset: draft.lead }) ??
    byMessage
  );
}

function hintOf(state: LedgerState, draft: Draft, last: LedgerTurn, same: number): CheckpointHint | undefined {
  if (draft.folded) return "folded-loop";
  if (draft.sourceShown) return "landing-dropped";
  if (last.settled !== undefined && last.settled.dropped.length > 0) return "dropped-by-provider";
  if (same === 0 && draft.base !== undefined && draft.base !== last && draft.answered && state.turns.length > 1) return "shared-session";
  return draft.hint;
}

/** Paths of the bound reasoning of the last window, from a message on, that does not go out again. */
function voidsOf({ wire, draft, messages }: Scale, before: readonly WindowMessage[], from: number): readonly string[] {
  const kept = new Set(messages.flatMap((message) => reasoningTexts(wire, message)));
  const paths: string[] = [];
  for (let index = from; index < before.length; index++) {
    const item = before[index] as WindowMessage;
    if (!(item.parts ?? [item]).some(({ entry }) => entry.reasoning !== undefined && entry.dormant === undefined)) continue;
    const { message } = item;
    for (const [block, unit] of wire.read(message).units.entries()) {
      if (isBound(unit) && !kept.has(JSON.stringify(unit.block)))
        paths.push(
          pathText([...messagesPlace(wire), index + draft.lead, ...(Array.isArray(message["content"]) ? ["content", block] : [])]),
        );
    }
  }
  return paths;
}

function reasoningTexts(wire: Wire, message: ObjectValue): readonly string[] {
  const { role, units } = wire.read(message);
  if (role !== "assistant") return [];
  return units.filter(isBound).map((unit) => JSON.stringify(unit.block));
}

function makeCheckpoint(
  scale: Scale,
  reason: CheckpointReason,
  place: Difference,
  voids: readonly string[],
  hint: CheckpointHint | undefined,
  signed?: boolean,
): Checkpoint {
  const { draft, messages, count } = scale;
  const ofHead = reason !== "history" && reason !== "elision" && reason !== "compaction";
  const from = ofHead ? 0 : Math.max((place.at ?? 0) - draft.lead, 0);
  let tokens = 0;
  for (let index = from; index < messages.length; index++) tokens += count(messages[index] as ObjectValue);
  if (ofHead && reason !== "params") tokens += count(draft.head.tools) + count(draft.head.system);
  const prices = draft.target.profile.prices;
  return Object.freeze({
    reason,
    window: draft.turn,
    at: place.at ?? 0,
    path: pathText(place.path),
    class: place.class,
    tokens,
    price: prices === undefined ? undefined : (tokens * prices.input) / 1_000_000,
    voids: Object.freeze(voids),
    signed,
    hint,
  });
}
