import { shareStrings, stringsOf } from "../json/share-strings.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Admission, Prefill, Vouched } from "./admission.ts";
import { cleanUnit } from "./clean-unit.ts";
import { type AdmittedCall, type BoundReasoning, type Entry, makeEntry, type UnitMark } from "./entry.ts";
import { composedReply, reasoningOnly } from "./forms.ts";
import type { HostMessage } from "./host-history.ts";

type Replies = { readonly prefill: Prefill | undefined; readonly to: number };

/** Admits a row of assistant messages. The first of them may be the reply of the window before; only that one keeps bound reasoning. */
export function admitReplies(admission: Admission, from: number): Replies {
  const { history } = admission;
  const to = history.runEnd(from, "assistant");
  const prefillAt = prefillPosition(admission, to);
  let at = from;
  const vouched = from === admission.vouched?.from ? admission.vouched : undefined;
  const end = prefillAt ?? to;
  if (vouched !== undefined && vouched.to <= end) {
    admitVouched(admission, vouched, from);
    at = vouched.to;
  }
  if (admission.wire.abilities.repliesInRows === true && at < end) admitReply(admission, at, end);
  else {
    // A store may have cut a reply in two: the one that is only reasoning keeps no place where the other stands.
    const speaks = at > from || history.readUnits(at, end).some(({ kind }) => kind !== "reasoning");
    for (const first = at; at < end; at++) admitMessages(admission, history.run(at, at + 1), at, !speaks && at === first);
  }
  if (prefillAt === undefined) return { prefill: undefined, to };
  const { nativeRole, units } = history.at(prefillAt).reading;
  return { prefill: { nativeRole, units }, to };
}

function prefillPosition(admission: Admission, to: number): number | undefined {
  if (to < admission.history.length) return undefined;
  let last = to - 1;
  while (admission.history.side(last) === "empty") last -= 1;
  return isBare(admission.history.at(last).reading.units) ? last : undefined;
}

/** A bare prefill has text only: no reasoning, no calls, no provider fields (rule 18). */
function isBare(units: readonly Unit[]): boolean {
  return units.length > 0 && units.every((unit) => unit.kind === "text");
}

export function admitVouched(admission: Admission, vouched: Vouched, from: number): void {
  const { wire, history, soFar, counts } = admission;
  const messages = history.run(from, vouched.to);
  const { units, origin } = vouched;
  if (units === undefined) {
    const replies = wire.abilities.repliesInRows === true ? [messages] : messages.map((message) => [message]);
    for (const given of replies) soFar.add(makeReply(admission, given, unitsIn(given), { origin, vouched: true }));
    return;
  }
  const given = unitsIn(messages);
  const shared = given.every((unit, index) => unit === units[index]) ? messages : messages.map((message) => sharing(message, units));
  if (given.filter(isBound).length < units.filter(isBound).length) counts.reasoningRestored += 1;
  soFar.add(makeReply(admission, shared, units, { ...vouched, vouched: true, settled: true }));
}

function unitsIn(messages: readonly HostMessage[]): readonly Unit[] {
  return messages.flatMap(({ reading }) => reading.units);
}

/** A given message over the strings of the reply that it repeats: a text is held once. */
function sharing(message: HostMessage, units: readonly Unit[]): HostMessage {
  const held = new Map<string, string>();
  for (const unit of units) stringsOf(unit.block, held);
  return { ...message, copy: shareStrings(message.copy, held) as ObjectValue };
}

/** A reply that no window vouches for: one message, or the rest of a row. */
export function admitReply(admission: Admission, from: number, to: number): void {
  admitMessages(admission, admission.history.run(from, to), from);
}

/** The same of messages of the history, or a part of one. */
export function admitMessages(admission: Admission, messages: readonly HostMessage[], from: number, keepsPlace = true): void {
  const whole = unitsIn(messages);
  const binds = admission.profile.bindsReasoning !== "no";
  const withhold = binds && whole.some(isBound);
  if (withhold) admission.counts.reasoningWithheld += 1;
  const units = withhold ? whole.filter((unit) => !isBound(unit)) : whole;
  // A host that stores what was sent, or prunes, hands over a reply without the reasoning that it once had: in an open loop the provider misses it all the same.
  const isBereft = binds && whole.some((unit) => unit.kind === "call" && admission.hadReasoning(unit.id));
  const entry = makeReply(admission, messages, units, {
    origin: originAt(admission, from),
    vouched: false,
    keepsPlace,
    lostReasoning: withhold || isBereft,
  });
  if (withhold && admission.policy.reasoning === "replay") admission.withheld.set(entry.id, whole);
  admission.soFar.add(entry);
}

/** What an unvouched reply is taken to be made by: the model that is known to have made it, else the one that is asked. */
function originAt({ met, origin }: Admission, at: number): Admission["origin"] {
  return met !== undefined && at >= met.from && at < met.to ? met.origin : origin;
}

export function isBound(unit: Unit): boolean {
  return unit.kind === "reasoning" && unit.bound;
}

type Made = Pick<BoundReasoning, "origin" | "vouched"> & {
  readonly callIds?: readonly string[];
  /** It is what the provider gave: the host's copy of a reply whose making nobody saw need not have all that it had. */
  readonly settled?: boolean;
  readonly lostReasoning?: boolean;
  /** Whether something stands for it where it was only reasoning. */
  readonly keepsPlace?: boolean;
};

function makeReply(
  admission: Admission,
  messages: readonly HostMessage[],
  units: readonly Unit[],
  { origin, vouched, callIds, settled = false, lostReasoning = false, keepsPlace = true }: Made,
): Entry {
  const calls: AdmittedCall[] = [];
  const sent: Unit[] = [];
  for (const unit of cleanReply(admission, units)) {
    if (unit.kind !== "call") {
      sent.push(unit);
      continue;
    }
    const call = mapCall(admission, unit, callIds?.[calls.length]);
    calls.push(call);
    sent.push(call.sentId === unit.id ? unit : admission.wire.withId(unit, call.sentId));
  }
  const { nativeRole } = (messages[0] as HostMessage).reading;
  const reasoning = sent.some(isBound) ? { origin, vouched, lent: false } : undefined;
  return makeEntry(admission.nextId(), {
    kind: "host",
    role: "assistant",
    given: messages.map((message) => message.copy),
    sent: composedReply(admission.wire, nativeRole, sent) ?? (keepsPlace ? standIn(admission, messages) : null),
    reasoning,
    reasonedAfter: admission.soFar.lastReasoning(),
    calls,
    lostReasoning,
    unknownReasoning: !settled && !lostReasoning && calls.length > 0 && reasoning === undefined,
    marks: marksOf(messages, sent),
  });
}

/** A reply that was nothing but reasoning, none of which is sent, keeps its place where the wire wants one (rule 27). */
function standIn({ wire, policy }: Admission, messages: readonly HostMessage[]): ObjectValue | null {
  const thought = unitsIn(messages).some(({ kind }) => kind === "reasoning");
  return thought ? reasoningOnly(wire, policy.wordings) : null;
}

function cleanReply(admission: Admission, units: readonly Unit[]): readonly Unit[] {
  const { policy, wire, counts } = admission;
  const kept = units.filter(
    (unit) => unit.kind !== "reasoning" || (policy.reasoning === "replay" && (unit.bound || wire.abilities.sendsUnsignedReasoning)),
  );
  const clean = kept.map((unit) => cleanUnit(unit, policy.redact));
  const isWhole = !clean.includes(undefined);
  if (!isWhole) counts.reasoningRedacted += 1;
  const left = clean.filter((unit) => unit !== undefined && (isWhole || unit.kind !== "reasoning")) as Unit[];
  return wire.asReply?.(left) ?? left;
}

/** Rule 12: where ids must be unique in a request, a repeated one gets a number. */
function mapCall(admission: Admission, unit: Unit & { readonly kind: "call" }, id: string = unit.id): AdmittedCall {
  const { soFar, wire, counts } = admission;
  if (unit.id !== "" && !wire.abilities.callIdsUnique) return { id, sentId: unit.id, name: unit.name };
  const sentId = soFar.freeSentId(unit.id);
  if (sentId !== unit.id) counts.idsMapped.push(sentId);
  return { id, sentId, name: unit.name };
}

function marksOf(messages: readonly HostMessage[], sent: readonly Unit[]): readonly UnitMark[] {
  const given = unitsIn(messages);
  const marks: UnitMark[] = [];
  let base = 0;
  for (const message of messages) {
    for (const { unit, mark } of message.reading.marks) {
      const place = sent.indexOf(given[base + unit] as Unit);
      marks.push({ unit: place < 0 ? Math.max(sent.length - 1, 0) : place, mark });
    }
    base += message.reading.units.length;
  }
  return marks;
}
