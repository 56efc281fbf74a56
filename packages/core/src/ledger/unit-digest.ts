import { digestValue } from "../json/canonical.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Unit } from "../wire/unit.ts";
import type { Wire } from "../wire/wire.ts";

/** Digest of a unit of the given form: equal for units that `sameUnit` calls the same. */
export function digestUnit(unit: Unit): string {
  if (unit.kind !== "call") return digestValue(unit.block);
  return digestValue({ id: unit.id, name: unit.name, arguments: unit.value });
}

const firstDigests = new WeakMap<ObjectValue, string>();

/** Digest of a message's first unit, made once a message; empty: it bears nothing. */
export function firstDigest(wire: Wire, message: ObjectValue): string {
  const known = firstDigests.get(message);
  if (known !== undefined) return known;
  const unit = wire.read(message).units[0];
  const digest = unit === undefined ? "" : digestUnit(unit);
  firstDigests.set(message, digest);
  return digest;
}
