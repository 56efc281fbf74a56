import { pathText } from "../json/path.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Difference } from "../wire/difference.ts";
import { headDifference } from "../wire/head-difference.ts";
import { startsWithUnits } from "../wire/message-reader.ts";
import { messagesDifference } from "../wire/messages-difference.ts";
import { messagesPlace } from "../wire/places.ts";
import type { Wire } from "../wire/wire.ts";
import { isBound } from "./admit-replies.ts";
import type { Checkpoint, CheckpointHint, CheckpointReason } from "./checkpoint.ts";
import { type Entry, isSent } from "./entry.ts";
import { messagesFor, type Target } from "./forms.ts";
import type { Draft } from "./reconcile.ts";
import type { LedgerState, LedgerTurn } from "./state.ts";
import { lastTurn } from "./state.ts";
import { sentDigest } from "./wake.ts";

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
  const before = messagesFor(wire, last.entries, targetOfTurn(wire, last));
  const same = commonPrefix(wire, last, draft, before, messages);
  const to = answeredTo(wire, last, draft, before, messages);
  const head = headDifference(wire, last.head, draft.head, { strength: "provider" });
  const checkpoints = head
    .filter(({ field }) => field !== "params" || last.head.model === draft.head.model)
    .map(({ field, difference }) =>
      makeCheckpoint(scale, field, difference, field === "params" || field === "model" ? [] : voidsOf(scale, last, 0), undefined),
    );
  if (same < to && !explainedByHead(draft, checkpoints)) checkpoints.push(historyCheckpoint(scale, state, last, before, same, to));
  const kept = checkpoints.some((checkpoint) => checkpoint.reason !== "history") ? 0 : same;
  return { kept, appended: messages.length - kept, checkpoints, messages };
}

type Scale = { readonly wire: Wire; readonly draft: Draft; readonly messages: readonly ObjectValue[]; readonly count: CountValue };

export function targetOfTurn(wire: Wire, turn: LedgerTurn): Target {
  return { origin: turn.origin, profile: wire.profile(turn.origin.model) };
}

/** Rule 8: a session without a window that meets a reply cannot say what was sent before. */
function firstVerdict(scale: Scale, restarted: boolean): Verdict {
  const { messages, draft } = scale;
  const reply = draft.entries.some((entry) => entry.role === "assistant" && entry.given.length > 0) || draft.folded;
  if (!reply && !restarted) return { kept: 0, appended: messages.length, checkpoints: [], messages };
  const place: Difference = { path: [...messagesPlace(scale.wire), draft.lead], class: "insertion", at: draft.lead };
  const checkpoint = makeCheckpoint(scale, "ledger", { ...place, at: 0 }, [], restarted ? "restarted" : "no-record");
  return { kept: 0, appended: messages.length, checkpoints: [checkpoint], messages };
}

/** How many leading messages are the same. Entries are shared, so that this compares pointers; only behind a restore bytes are looked at. */
function commonPrefix(
  wire: Wire,
  last: LedgerTurn,
  draft: Draft,
  before: readonly ObjectValue[],
  messages: readonly ObjectValue[],
): number {
  if (last.entries.some((entry) => entry.dormant !== undefined)) return commonAwake(wire, last, draft, messages);
  let same = 0;
  while (
    same < before.length &&
    same < messages.length &&
    (before[same] === messages[same] || sameBytes(before[same] as ObjectValue, messages[same] as ObjectValue))
  )
    same += 1;
  return same;
}

function sameBytes(before: ObjectValue, now: ObjectValue): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** Behind a restore the last window's entries sleep: they are told by their ids and by the digests of what was sent. */
function commonAwake(wire: Wire, last: LedgerTurn, draft: Draft, messages: readonly ObjectValue[]): number {
  const target = targetOfTurn(wire, last);
  const sent = last.entries.filter(isSent);
  const now = draft.entries.filter((entry) => entry.sent !== null);
  let same = 0;
  while (same < sent.length && same < messages.length) {
    const entry = sent[same] as Entry;
    const awake = now[same];
    if (awake === undefined) break;
    const digest = entry.dormant?.sent.kind === "composed" ? entry.dormant.sent.digest : undefined;
    const intact =
      digest === undefined ? awake.id === entry.id || sameAs(wire, entry, awake, target) : sentDigest(awake.sent as ObjectValue) === digest;
    if (!intact) break;
    same += 1;
  }
  return same;
}

function sameAs(wire: Wire, entry: Entry, awake: Entry, target: Target): boolean {
  const before = entry.dormant?.sent.kind === "kept" ? entry.dormant.sent.message : messagesFor(wire, [entry], target)[0];
  return before !== undefined && awake.sent !== null && sameBytes(before, awake.sent);
}

/**
 * Rule 1: what was sent is repeated up to the last message that the new history shows as answered; a reply that was part of a window counts as such. Where the reply to the last
 * window stands in the history but not behind that window as it was sent, what stands before it was answered too: words put in between change nothing that was sent, other words do.
 */
function answeredTo(wire: Wire, last: LedgerTurn, draft: Draft, before: readonly ObjectValue[], messages: readonly ObjectValue[]): number {
  const sent = last.entries.filter(isSent);
  if (draft.base === last && draft.answered) return sent.length;
  const to = sent.findLastIndex((entry) => entry.role === "assistant") + 1;
  if (!draft.replyMet) return to;
  for (let index = to; index < before.length; index++) {
    if (sent[index]?.kind === "event") return to;
    const [was, now] = [before[index] as ObjectValue, messages[index]];
    if (now === was) continue;
    const goesOn = now !== undefined && was["role"] === now["role"] && startsWithUnits(wire.read(was).units, wire.read(now).units);
    return goesOn ? to : index + 1;
  }
  return to;
}

/** A changed head explains that reasoning went or came back; then the messages' own difference is no second checkpoint unless the host changed them too. */
function explainedByHead(draft: Draft, checkpoints: readonly Checkpoint[]): boolean {
  if (!checkpoints.some((checkpoint) => checkpoint.reason !== "params")) return false;
  const base = draft.base;
  return base !== undefined && draft.hint === undefined && !draft.folded && draft.baseFull;
}

function historyCheckpoint(
  scale: Scale,
  state: LedgerState,
  last: LedgerTurn,
  before: readonly ObjectValue[],
  same: number,
  to: number,
): Checkpoint {
  const { wire, draft, messages } = scale;
  const found =
    messagesDifference(wire, before, messages, { strength: "provider", to, offset: draft.lead }) ??
    messagesDifference(wire, before, messages, { strength: "bytes", to, offset: draft.lead });
  const place: Difference = found ?? {
    path: [...messagesPlace(wire), same + draft.lead],
    class: same < messages.length ? "edit" : "removal",
    at: same + draft.lead,
  };
  const at = { ...place, at: Math.min(place.at ?? same + draft.lead, same + draft.lead) };
  return makeCheckpoint(scale, "history", at, voidsOf(scale, last, same), hintOf(state, draft, last, same));
}

function hintOf(state: LedgerState, draft: Draft, last: LedgerTurn, same: number): CheckpointHint | undefined {
  if (draft.folded) return "folded-loop";
  if (last.settled !== undefined && last.settled.dropped.length > 0) return "dropped-by-provider";
  if (same === 0 && draft.base !== undefined && draft.base !== last && draft.answered && state.turns.length > 1) return "shared-session";
  return draft.hint;
}

/** Paths of the bound reasoning of the last window, from a message on, that does not go out again. */
function voidsOf(scale: Scale, last: LedgerTurn, from: number): readonly string[] {
  const { wire, draft, messages } = scale;
  const kept = new Set(messages.flatMap((message) => reasoningTexts(wire, message)));
  const paths: string[] = [];
  for (const [index, message] of messagesFor(wire, last.entries, targetOfTurn(wire, last)).entries()) {
    if (index < from) continue;
    const units = wire.read(message).units;
    for (const [block, unit] of units.entries()) {
      if (isBound(unit) && !kept.has(JSON.stringify(unit.block)))
        paths.push(pathText([...messagesPlace(wire), index + draft.lead, "content", block]));
    }
  }
  return paths;
}

function reasoningTexts(wire: Wire, message: ObjectValue): readonly string[] {
  if (message["role"] !== "assistant" && message["role"] !== "model") return [];
  return wire
    .read(message)
    .units.filter(isBound)
    .map((unit) => JSON.stringify(unit.block));
}

function makeCheckpoint(
  scale: Scale,
  reason: CheckpointReason,
  place: Difference,
  voids: readonly string[],
  hint: CheckpointHint | undefined,
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
    signed: undefined,
    hint,
  });
}
