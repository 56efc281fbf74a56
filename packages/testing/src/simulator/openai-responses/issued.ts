import type { ObjectValue } from "@tidemark/core";
import { stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";

/** A stored response: what it was asked and what it answered. */
type Stored = { readonly items: readonly ObjectValue[] };

/** Remembers which reasoning led to which item, and what was stored. */
export interface IssuedItems {
  record(id: string, asked: readonly ObjectValue[], output: readonly ObjectValue[], stored: boolean): void;
  /** The other half of OR-07: an item with an id wants the reasoning that it was made with before it. */
  check(items: readonly ObjectValue[]): void;
  /** The items of a request with stored ones in place of references. OR-09 to OR-11. */
  resolve(request: ObjectValue, items: readonly ObjectValue[]): readonly ObjectValue[];
}

export function issuedItems(): IssuedItems {
  const reasonedBy = new Map<string, string>();
  const items = new Map<string, ObjectValue>();
  const responses = new Map<string, Stored>();
  return {
    record: (id, asked, output, stored) => {
      let reasoning: string | undefined;
      for (const item of output) {
        if (item.type === "reasoning") reasoning = stringOf(item.id);
        else if (reasoning !== undefined && item.id !== undefined && (item.type === "message" || stringOf(item.type).endsWith("_call")))
          reasonedBy.set(stringOf(item.id), reasoning);
        if (stored) items.set(stringOf(item.id), item);
      }
      if (stored) responses.set(id, { items: [...asked, ...output] });
    },
    check: (list) => {
      const before = new Set<string>();
      for (const [index, item] of list.entries()) {
        if (item.type === "reasoning") before.add(stringOf(item.id));
        const wanted = reasonedBy.get(stringOf(item.id));
        if (wanted === undefined || before.has(wanted)) continue;
        const text = `Item '${stringOf(item.id)}' of type '${stringOf(item.type)}' was provided without its required 'reasoning' item: '${wanted}'.`;
        throw new Refusal(400, text, { rule: "OR-07", path: `input[${index}]` });
      }
    },
    resolve: (request, list) => {
      const held = heldItems(request, responses);
      const ids = new Set(held.map(({ id }) => stringOf(id)).filter((id) => id !== ""));
      const resolved = list.map((item, index) => {
        const id = stringOf(item.id);
        if (ids.has(id)) throw duplicate(id, index);
        if (item.type !== "item_reference" && !(item.type === undefined && item.role === undefined)) return item;
        const stored = items.get(id);
        if (stored === undefined) throw unstored(id, index);
        return stored;
      });
      return [...held, ...resolved];
    },
  };
}

function heldItems({ previous_response_id: id }: ObjectValue, responses: ReadonlyMap<string, Stored>): readonly ObjectValue[] {
  if (typeof id !== "string") return [];
  const stored = responses.get(id);
  if (stored !== undefined) return stored.items;
  throw new Refusal(400, `Previous response with id '${id}' not found.`, {
    rule: "OR-10",
    path: "previous_response_id",
    code: "previous_response_not_found",
  });
}

function duplicate(id: string, index: number): Refusal {
  const text = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
  return new Refusal(400, text, { rule: "OR-11", path: `input[${index}].id` });
}

function unstored(id: string, index: number): Refusal {
  const text = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  return new Refusal(404, text, { rule: "OR-09", path: `input[${index}]` });
}
