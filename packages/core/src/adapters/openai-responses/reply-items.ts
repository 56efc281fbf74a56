import type { Unit } from "../../wire/unit.ts";

/** The units of one item of a reply. `whole`: a call, or an item of which the wire knows nothing. */
export type ReplyItem = { readonly kind: "reasoning" | "message" | "whole"; readonly units: readonly Unit[] };

/** Cuts the units of a reply into items. A message starts where a unit says so, or behind an item of another kind; one without content is none. */
export function cutReply(units: readonly Unit[]): readonly ReplyItem[] {
  const items: { readonly kind: ReplyItem["kind"]; readonly units: Unit[] }[] = [];
  for (const unit of units) {
    const kind = kindOf(unit);
    const last = items.at(-1);
    if (kind === "message" && last?.kind === "message" && unit.loose?.message === undefined) last.units.push(unit);
    else items.push({ kind, units: [unit] });
  }
  return items.filter(({ kind, units: own }) => kind !== "message" || own.some((unit) => unit.kind !== "fields"));
}

/** Whether a unit is an item of its own, and not a part of a message. */
export function isItem(unit: Unit): boolean {
  return unit.kind === "call" || unit.kind === "result" || unit.kind === "reasoning" || unit.loose?.item === true;
}

function kindOf(unit: Unit): ReplyItem["kind"] {
  if (unit.kind === "reasoning") return "reasoning";
  return isItem(unit) ? "whole" : "message";
}
