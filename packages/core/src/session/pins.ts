import { sameValue } from "../json/compare.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Pinned } from "../overflow/groups.ts";
import { messageText } from "../overflow/transcript.ts";
import { sameUnits } from "../wire/message-reader.ts";
import type { Role } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";

/** A message of the host as a pin looks at it. */
export type PinView = { readonly role: Role; readonly text: string; readonly message: ObjectValue };

/** What is pinned, by value: what the host pinned, and what its `pinned` says. Asked anew at each step. */
export function pinnedBy(wire: Wire, pins: readonly ObjectValue[], pinned: ((view: PinView) => boolean) | undefined): Pinned {
  return {
    message: (message) => pins.some((pin) => samePin(wire, pin, message)) || pinned?.(viewOf(wire, message)) === true,
    // Only its text is left of it.
    kept: ({ role, text }) =>
      pins.some((pin) => wire.read(pin).role === role && messageText(wire, wire.read(pin)) === text) ||
      pinned?.({ role, text, message: wire.say(role, text) }) === true,
  };
}

/** Whatever representation it stands in. */
function samePin(wire: Wire, pin: ObjectValue, message: ObjectValue): boolean {
  if (sameValue(pin, message)) return true;
  const [a, b] = [wire.read(pin), wire.read(message)];
  return a.role === b.role && sameUnits(a.units, b.units);
}

function viewOf(wire: Wire, message: ObjectValue): PinView {
  const { role, units } = wire.read(message);
  return { role, text: units.flatMap((unit) => (unit.kind === "text" ? [unit.text] : [])).join("\n"), message };
}
