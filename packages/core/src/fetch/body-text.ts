import { isArray, type ObjectValue, type Value } from "../json/value.ts";
import { Recent } from "./recent.ts";

/** A list as it was written last: its items, the body's text, where the list starts in it, and how far behind that each item ends. */
type Written = { readonly items: readonly Value[]; readonly text: string; readonly start: number; readonly ends: readonly number[] };

/** So many conversations have the text of their last body kept. */
const keptMax = 32;
/** A shorter list is written anew. */
const itemsMin = 8;

/**
 * Writes bodies as `JSON.stringify` does. Sessions hand out the same frozen messages again and again, so that of a list that was written before only what is new is.
 */
export class BodyText {
  /** By the first item, which is the same object for the life of a conversation. */
  readonly #written = new Recent<Value, Written>(keptMax);

  of(body: ObjectValue): string {
    const lists: Omit<Written, "text">[] = [];
    // Joined by `+`, which copies nothing: the text is made when it is sent, and once.
    let text = "";
    for (const [name, value] of Object.entries(body)) {
      if (value === undefined) continue;
      text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:`;
      if (isRepeated(value)) {
        const list = this.#listText(value);
        lists.push({ items: value, start: text.length + 1, ends: list.ends });
        text += `[${list.text}]`;
      } else text += JSON.stringify(value);
    }
    text += text === "" ? "{}" : "}";
    for (const list of lists) this.#written.set(list.items[0] as Value, { ...list, text });
    return text;
  }

  #listText(items: readonly Value[]): { readonly text: string; readonly ends: readonly number[] } {
    const before = this.#written.get(items[0] as Value) ?? { items: [], text: "", start: 0, ends: [] };
    let count = 0;
    while (count < items.length && before.items[count] === items[count]) count += 1;
    const ends = before.ends.slice(0, count);
    let text = before.text.slice(before.start, before.start + (ends.at(-1) ?? 0));
    for (const item of items.slice(count)) {
      text += text === "" ? JSON.stringify(item) : `,${JSON.stringify(item)}`;
      ends.push(text.length);
    }
    return { text, ends };
  }
}

/** Only what is frozen stays what it was; a parsed body has nothing that is. */
function isRepeated(value: Value): value is readonly Value[] {
  return isArray(value) && value.length >= itemsMin && value.every(isFixed);
}

function isFixed(item: Value): boolean {
  return typeof item === "object" && item !== null && Object.isFrozen(item);
}
