import { isArray, type ObjectValue, type Value } from "../json/value.ts";
import { Recent } from "./recent.ts";

/** A list as it was written last: its items, and each one's text. */
type Written = { readonly items: readonly Value[]; readonly texts: readonly string[] };

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
    const pieces: string[] = [];
    for (const [name, value] of Object.entries(body)) {
      if (value === undefined) continue;
      pieces.push(pieces.length === 0 ? "{" : ",", JSON.stringify(name), ":");
      if (isRepeated(value)) this.#addList(value, pieces);
      else pieces.push(JSON.stringify(value));
    }
    pieces.push(pieces.length === 0 ? "{}" : "}");
    return pieces.join("");
  }

  #addList(items: readonly Value[], pieces: string[]): void {
    const first = items[0] as Value;
    const before = this.#written.get(first);
    const texts = items.map((item, index) => (before?.items[index] === item ? (before?.texts[index] as string) : JSON.stringify(item)));
    this.#written.set(first, { items, texts });
    for (const [index, text] of texts.entries()) pieces.push(index === 0 ? "[" : ",", text);
    pieces.push("]");
  }
}

/** Only what is frozen stays what it was; a parsed body has nothing that is. */
function isRepeated(value: Value): value is readonly Value[] {
  return isArray(value) && value.length >= itemsMin && value.every(isFixed);
}

function isFixed(item: Value): boolean {
  return typeof item === "object" && item !== null && Object.isFrozen(item);
}
