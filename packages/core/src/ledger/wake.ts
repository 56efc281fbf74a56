import { checksumText } from "../json/checksum.ts";
import { withKeyOrders } from "../json/key-order.ts";
import type { ObjectValue } from "../json/value.ts";
import { mediaOf, withMedia } from "../wire/stored-media.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";
import { type DormantForm, type DormantSent, type Entry, makeEntry } from "./entry.ts";
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
    const unit =
      units[index] ?? (slot.block === undefined ? undefined : { kind: "reasoning" as const, block: slot.block, bound: true, readable: "" });
    return unit === undefined || (sent.bare && unit.kind === "reasoning" && unit.bound) ? [] : [unit];
  });
  const message = withKeyOrders(wire.compose(dormant.nativeRole, whole), sent.orders) as ObjectValue;
  return sent.stripped ? bareMessage(wire, message) : message;
}

/** The bytes of a sent form, as a checksum. */
export function sentChecksum(message: ObjectValue): string {
  return checksumText(JSON.stringify(message));
}

/** Whether an awake entry's sent form is what the snapshot saw being sent. */
export function wokeIntact(sent: DormantSent, message: ObjectValue | null): boolean {
  if (sent.kind !== "composed" || sent.stripped) return true;
  return message !== null && sentChecksum(message) === sent.digest;
}
