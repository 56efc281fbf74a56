import { checksumValue } from "../json/checksum.ts";
import { withKeyOrders } from "../json/key-order.ts";
import type { ObjectValue } from "../json/value.ts";
import { mediaOf, withMedia, withoutMedia } from "../wire/stored-media.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { argumentText, withArgumentText } from "./argument-text.ts";
import type { DormantForm, DormantSent, DormantUnit } from "./dormant-form.ts";
import { type Entry, makeEntry } from "./entry.ts";
import { bareMessage } from "./forms.ts";
import type { HostMessage } from "./host-history.ts";
import { withMissingMedia } from "./media-left-out.ts";
import { defaultWordings } from "./wordings.ts";

/**
 * Brings an entry back from a snapshot: the words come from the history that the host hands over, everything that representation may have lost
 * (key order, reasoning) from the snapshot. `units` are the history's, in the dormant form's order; undefined where the host's copy lacks one.
 */
export function wakeEntry(wire: Wire, entry: Entry, units: readonly (Unit | undefined)[], messages: readonly ObjectValue[]): Entry {
  const dormant = entry.dormant as DormantForm;
  return makeEntry(entry.id, { ...entry, given: messages, sent: sentAgain(wire, dormant, units, messages), dormant: undefined });
}

/** Entries that woke to the letter. */
const toTheLetter = new WeakSet<Entry>();

/** Brings an entry back whose one given message came back to the letter; undefined: it did not, or more is needed. */
export function wakeToTheLetter(wire: Wire, entry: Entry, { copy, reading }: HostMessage): Entry | undefined {
  const dormant = entry.dormant as DormantForm;
  const { letter, nativeRole, sent } = dormant;
  if (letter === undefined || (sent.kind === "composed" && sent.stripped) || checksumValue(copy) !== letter) return undefined;
  const message = sent.kind === "composed" ? sentAsRead(wire, nativeRole, sent, reading.units) : sentAgain(wire, dormant, [], [copy]);
  const awake = makeEntry(entry.id, { ...entry, given: [copy], sent: message, dormant: undefined });
  toTheLetter.add(awake);
  return awake;
}

/** What a composed form is made of the units of one given message, as they stand there. */
export function sentAsRead(
  wire: Wire,
  nativeRole: string,
  sent: DormantSent & { readonly kind: "composed" },
  units: readonly Unit[],
): ObjectValue {
  return wire.compose(nativeRole, sent.bare ? units.filter((unit) => unit.kind !== "reasoning" || !unit.bound) : units);
}

function sentAgain(
  wire: Wire,
  dormant: DormantForm,
  units: readonly (Unit | undefined)[],
  messages: readonly ObjectValue[],
): ObjectValue | null {
  const sent = dormant.sent;
  if (sent.kind === "none") return null;
  if (sent.kind === "kept") {
    const media = new Map<string, string | Uint8Array>();
    for (const message of messages) mediaOf(message, media);
    return withMissingMedia(wire, withMedia(sent.message, media) as ObjectValue, () => "missing", defaultWordings);
  }
  const whole = dormant.units.flatMap((slot, index): Unit[] => {
    const met = units[index];
    const unit = met === undefined ? keptReasoning(slot) : asSent(met, slot);
    return unit === undefined || (sent.bare && unit.kind === "reasoning" && unit.bound) ? [] : [unit];
  });
  const message = withKeyOrders(wire.compose(dormant.nativeRole, whole), sent.orders) as ObjectValue;
  return sent.stripped ? bareMessage(wire, message) : message;
}

function keptReasoning({ block, bound, loose }: DormantUnit): Unit | undefined {
  if (block === undefined) return undefined;
  return { kind: "reasoning", block, bound: bound === true, readable: "", ...(loose && { loose }) };
}

/** A call's argument string may have come back in another order of keys, a unit without what is not compared: it goes out as it was. */
function asSent(met: Unit, slot: DormantUnit): Unit {
  const unit = slot.loose === undefined ? met : { ...met, loose: slot.loose };
  if (unit.kind !== "call" || typeof unit.value === "string") return unit;
  const raw = argumentText(unit.block);
  if (raw === undefined) return unit;
  const text = typeof slot.arguments === "string" ? slot.arguments : JSON.stringify(withKeyOrders(unit.value, slot.arguments));
  return text === raw ? unit : { ...unit, block: withArgumentText(unit.block, text) };
}

/** The bytes of a sent form, as a checksum. */
export function sentChecksum(message: ObjectValue): string {
  return checksumValue(message);
}

/** Whether an awake entry's sent form is what the snapshot saw being sent. What woke to the letter is made by the same rules of the same words. */
export function wokeIntact(sent: DormantSent, awake: Entry): boolean {
  if (sent.kind === "none" || (sent.kind === "composed" && sent.stripped) || toTheLetter.has(awake)) return true;
  return awake.sent !== null && wasSent(sent, awake.sent);
}

/** Whether a message is what the snapshot saw being sent; of a form that lost its reasoning since nobody can tell. */
export function wasSent(sent: DormantSent, message: ObjectValue): boolean {
  if (sent.kind === "kept") return JSON.stringify(withoutMedia(message)) === JSON.stringify(withoutMedia(sent.message));
  return sent.kind === "composed" && !sent.stripped && sentChecksum(message) === sent.digest;
}
