import { laidOut } from "../../json/laid-out.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";
import { itemId, looseMembers, withMembers, withoutItemId } from "./loose.ts";
import { cutReply } from "./reply-items.ts";

type Reasoning = Unit & { readonly kind: "reasoning" };

/** A reasoning item. Its ciphertext tells the provider where it was made; an absent `summary` goes back as `[]`, which the provider requires. */
export function readReasoning(item: ObjectValue): Reasoning {
  const { loose, without } = looseMembers(item);
  const empty = isArray(item.content) && item.content.length === 0;
  const whole = Object.freeze({ ...item, summary: isArray(item.summary) ? item.summary : [] });
  const block = laidOut(
    whole,
    ["type", "summary", "content", "encrypted_content"],
    [...without.filter((name) => name !== "summary"), ...(empty ? ["content"] : [])],
  );
  return {
    kind: "reasoning",
    block,
    bound: typeof block.encrypted_content === "string" && block.encrypted_content !== "",
    readable: [...textsIn(block.summary), ...textsIn(block.content)].join("\n"),
    loose: empty ? Object.freeze({ ...loose, members: Object.freeze({ ...(loose.members as ObjectValue), content: [] }) }) : loose,
  };
}

export function reasoningItem(unit: Reasoning): ObjectValue {
  return withMembers(unit, unit.block, ["type", "id", "summary", "content", "encrypted_content"]);
}

/**
 * Rule 15: all or nothing. Where one reasoning item lacks its ciphertext or id, or the item that it led to, none goes; then messages and calls go
 * without item ids, since an id whose response had reasoning is refused without it (facts 2.2). Whether a reply without reasoning had some is
 * not known, so that its ids stay away, too: they say nothing to the model.
 */
export function asReply(units: readonly Unit[]): readonly Unit[] {
  const items = cutReply(units);
  const last = items.findLastIndex(({ kind }) => kind !== "reasoning");
  const native =
    items.some(({ kind }) => kind === "reasoning") &&
    items.every(({ kind, units: own }, at) => kind !== "reasoning" || (at < last && own.every(isWhole)));
  if (native) return items.flatMap((item) => item.units);
  return items.flatMap((item) => (item.kind === "reasoning" ? [] : item.units.map(withoutItemId)));
}

function isWhole(unit: Unit): boolean {
  return unit.kind === "reasoning" && unit.bound && itemId(unit) !== undefined;
}

function textsIn(list: Value | undefined): readonly string[] {
  if (!isArray(list)) return [];
  return list.flatMap((part) => (isObject(part) && typeof part.text === "string" && part.text !== "" ? [part.text] : []));
}
