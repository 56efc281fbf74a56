import { wellFormed } from "../json/unicode.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import { messagesPlace } from "../wire/places.ts";
import { sameUnit, type Unit } from "../wire/unit.ts";
import { type Admission, PendingCallsError } from "./admission.ts";
import { capWords } from "./cap-words.ts";
import type { AdmittedCall, Entry } from "./entry.ts";
import { capText, tokensAbove } from "./result-cap.ts";
import { fill } from "./wordings.ts";

type Result = Unit & { readonly kind: "result" };
type CallUnit = Unit & { readonly kind: "call" };

/** A call of the batch, and what answers it: as the host gave it, from which message of the history, and as it is sent. One that is made up is only sent. */
type Slot = { readonly call: AdmittedCall; given?: Result; source?: number; sent?: Result };
export type Answered = Slot & { readonly sent: Result };

/** The calls of the row of replies at the end, and the results that answer them (rules 11 to 13). */
export class Batch {
  readonly #admission: Admission;
  readonly #marks: Map<Unit, Value>;
  readonly #slots: readonly Slot[];
  /** The slots by their calls' ids, the host's and the sent one, in order. */
  readonly #byId = new Map<string, readonly Slot[]>();
  readonly #callUnits = new Map<string, CallUnit>();

  /** `marks`: the host's, by unit; what a result becomes takes its mark over. */
  constructor(admission: Admission, marks: Map<Unit, Value>) {
    this.#admission = admission;
    this.#marks = marks;
    this.#slots = admission.soFar.openBatch().map((call) => ({ call }));
    for (const slot of this.#slots)
      for (const id of new Set([slot.call.id, slot.call.sentId])) this.#byId.set(id, [...(this.#byId.get(id) ?? []), slot]);
  }

  /** Answers the result's call. Of a result that finds none without one: what is said in its place. */
  answer(result: Result, source: number): readonly Unit[] {
    const { wire, policy, counts } = this.#admission;
    const slot = this.#nextOpen(result.id);
    if (slot !== undefined) {
      Object.assign(slot, { given: result, source, sent: this.#finish(result, slot.call) });
      return [];
    }
    const twice = this.#byId.get(result.id)?.[0];
    if (twice?.given !== undefined && sameUnit(twice.given, result)) {
      counts.resultsDropped.push(result.id);
      return [];
    }
    const call = twice?.call ?? this.#admission.soFar.findCall(result.id)?.call;
    if (call === undefined) counts.resultsOrphaned.push(result.id);
    else counts.resultsLate.push(result.id);
    const { sentId: id, name } = call ?? { sentId: wellFormed(result.id), name: "" };
    const text = this.#capped(wire.textOf(result), policy.resultCap(name), { id, tool: name }, () => 1);
    const wording = call === undefined ? policy.wordings.orphanResult : policy.wordings.lateResult;
    return wire.read(wire.say("user", fill(wording, { id, name, text }))).units;
  }

  /** The first call of this id that has no result yet; else, on wires whose results may name a tool or nothing, the first of this tool, or of all. */
  #nextOpen(id: string): Slot | undefined {
    const own = this.#byId.get(id);
    if (own !== undefined) return own.find(isOpen);
    if (this.#admission.wire.abilities.resultsByName !== true) return undefined;
    return this.#slots.find((slot) => (id === "" || slot.call.name === id) && isOpen(slot));
  }

  /** Rule 12: a call that the conversation has moved past gets one result that says why; one that is still pending stops the request. `at`: where its result is missed. */
  close(movedPast: boolean, at: number): readonly Answered[] {
    const { policy, wire } = this.#admission;
    const open = this.#slots.filter(isOpen);
    const pending = new Set(open.map(({ call }) => call).filter((call) => !policy.deferred(call)));
    const waits = pending.size > 0 && !movedPast;
    if (waits && wire.abilities.refusesPendingCalls) throw new PendingCallsError([...pending], [...messagesPlace(wire), at]);
    if (!waits) for (const slot of open) slot.sent = this.#madeUp(slot.call, pending.has(slot.call));
    return this.#slots.filter((slot): slot is Answered => !isOpen(slot));
  }

  #madeUp(call: AdmittedCall, isMissing: boolean): Result {
    const { policy, wire, counts } = this.#admission;
    const { deferredResult, missingResult, reasons } = policy.wordings;
    if (isMissing) counts.resultsMadeUp.push(call.sentId);
    const text = isMissing ? fill(missingResult, { reason: reasons[policy.callReason(call)] }) : deferredResult;
    return wire.resultFor(this.#unitOf(call), text) as Result;
  }

  /** The result as it is sent: its call's id, a placeholder when empty, capped. */
  #finish(result: Result, call: AdmittedCall): Result {
    const { wire, policy } = this.#admission;
    const unit = call.sentId === result.id ? result : this.#carry(result, wire.withId(result, call.sentId) as Result);
    const cap = policy.resultCap(call.name);
    const from = (text: string): number =>
      policy.lines?.({ id: call.id, name: call.name, arguments: this.#unitOf(call).value }, text)?.from ?? 1;
    const shorten = (text: string, tokensMax: number): string => this.#capped(text, tokensMax, { id: call.sentId, tool: call.name }, from);
    if (unit.text === undefined) {
      const block = capWords(unit.block, cap, policy.countText, shorten);
      return block === unit.block ? unit : this.#carry(unit, { ...unit, block });
    }
    const text = unit.text.trim() === "" ? policy.wordings.emptyResult : shorten(unit.text, cap);
    return text === unit.text ? unit : this.#carry(unit, wire.withText(unit, text) as Result);
  }

  /** Rule 13: what a tool said, within the tool's cap. The whole is archived where there is an archive. */
  #capped(text: string, cap: number, { id, tool }: { readonly id: string; readonly tool: string }, from: (text: string) => number): string {
    const { archived, countText, wordings } = this.#admission.policy;
    const tokens = tokensAbove(text, cap, countText);
    if (tokens === undefined) return text;
    const firstLine = from(text);
    const reference = archived?.(text, { call: id, tool, from: firstLine });
    this.#admission.counts.resultsCapped.push({ id, tool, tokens, cap, ...(reference === undefined ? {} : { reference }) });
    return capText(text, cap, countText, wordings, { firstLine, reference });
  }

  /** The call's own unit, as it was sent; each reply is read once. By its place among the calls: its id may have been cleaned like any text. */
  #unitOf({ sentId }: AdmittedCall): CallUnit {
    if (!this.#callUnits.has(sentId)) {
      const { calls, sent } = (this.#admission.soFar.findCall(sentId) as { readonly entry: Entry }).entry;
      const units = this.#admission.wire.read(sent as ObjectValue).units.filter((unit): unit is CallUnit => unit.kind === "call");
      for (const [index, unit] of units.entries()) this.#callUnits.set((calls[index] as AdmittedCall).sentId, unit);
    }
    return this.#callUnits.get(sentId) as CallUnit;
  }

  #carry<U extends Unit>(old: Unit, next: U): U {
    const mark = this.#marks.get(old);
    if (mark !== undefined) this.#marks.set(next, mark);
    return next;
  }
}

function isOpen({ sent }: Slot): boolean {
  return sent === undefined;
}
