import type { Value } from "../../json/value.ts";

/** Chat reads a member that is null, `""` or `[]` like an absent one, where its table says so. */
export function isNothing(value: Value | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
