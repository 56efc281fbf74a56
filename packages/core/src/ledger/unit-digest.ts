import { digestValue } from "../json/canonical.ts";
import type { Unit } from "../wire/unit.ts";

/** Digest of a unit of the given form: equal for units that `sameUnit` calls the same. */
export function digestUnit(unit: Unit): string {
  if (unit.kind !== "call") return digestValue(unit.block);
  return digestValue({ id: unit.id, name: unit.name, arguments: unit.value });
}
