import { canonicalText } from "../json/canonical.ts";
import type { Unit } from "./unit.ts";

type Worded = Unit & { readonly kind: "result" | "media" | "other" };

/** A unit as readable text. `worded`: what a wire makes of results, which may hold more than text, of media, and of blocks that it knows nothing of. */
export function unitText(unit: Unit, worded: (unit: Worded) => string): string {
  switch (unit.kind) {
    case "text":
      return unit.text;
    case "reasoning":
      return unit.readable;
    case "call":
      return callText(unit);
    case "fields":
      return "";
    default:
      return worded(unit);
  }
}

/** A call in words, as folded loops say it. Its arguments stand in one key order, so that a store that sorts keys changes nothing that was said. */
function callText({ name, value }: Unit & { readonly kind: "call" }): string {
  return `${name}(${typeof value === "string" ? value : canonicalText(value)})`;
}
