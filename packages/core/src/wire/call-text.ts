import { canonicalText } from "../json/canonical.ts";
import type { Unit } from "./unit.ts";

/** A call in words, as folded loops say it. Its arguments stand in one key order, so that a store that sorts keys changes nothing that was said. */
export function callText({ name, value }: Unit & { readonly kind: "call" }): string {
  return `${name}(${typeof value === "string" ? value : canonicalText(value)})`;
}
