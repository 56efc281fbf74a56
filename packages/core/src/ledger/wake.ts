import { checksumValue } from "../json/checksum.ts";
import { withKeyOrders } from "../json/key-order.ts";
import type { ObjectValue } from "../json/value.ts";
import { mediaOf, withMedia } from "../wire/stored-media.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { argumentText, withArgumentText } from "./argument-text.ts";
import { type DormantForm, type DormantSent, type DormantUnit, type Entry, makeEntry } from "./entry.ts";
import { bareMessage } from "./forms.ts";

/**
 * Brings an entry back from a snapshot: the words come from the history that the host hands over, everything that representation may have lost
 * (key order, reasoning) from the snapshot. `units` are the history's, in the dormant form's order; undefined where the host's copy lacks one.
 */
export function wakeEntry(wire: Wire, entry: Entry, units: readonly (Unit | undefined)[], messages: readonly ObjectValue[]): Entry {
  const dormant = entry.dormant as DormantForm;
  return makeEntry(entry.id, { ...entry, given: messages, sent: sentAgain(wire, dormant, units, messages), dormant: undefined });
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
    return withMedia(sent.message, media) as ObjectValue;
  }
  const whole = dormant.units.flatMap((slot, index): Unit[] => {
    const met = units[index];
    const unit = met === undefined ? keptReasoning(slot) : asSent(met, slot);
    return unit === undefined || (sent.bare && unit.kind === "reasoning" && unit.bound) ? [] : [unit];
  });
  const message = withKeyOrders(wire.compose(dormant.nativeRole, whole), sent.orders) as ObjectValue;
  return sent.stripped ? bareMessage(wire, message) : message;
}

function keptReasoning({ block, bound }: DormantUnit): Unit | undefined {
  return block === undefined ? undefined : { kind: "reasoning", block, bound: bound ?? true, readable: "" };
}

/** A call's argument string may have come back in another order of keys: it goes out as it was. */
function asSent(unit: Unit, slot: DormantUnit): Unit {
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

/** Whether an awake entry's sent form is what the snapshot saw being sent. */
export function wokeIntact(sent: DormantSent, message: ObjectValue | null): boolean {
  if (sent.kind !== "composed" || sent.stripped) return true;
  return message !== null && sentChecksum(message) === sent.digest;
}
