import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";

type Draft = Record<string, Value>;

/**
 * A list that is streamed in pieces: `reasoning_details`, or a content of parts. A piece goes on with the last element when it has the same
 * type and index and no other id; the named members are then joined, the others taken over.
 */
export class PartList {
  readonly #joined: readonly string[];
  readonly #elements: Draft[] = [];

  constructor(joined: readonly string[]) {
    this.#joined = joined;
  }

  get isEmpty(): boolean {
    return this.#elements.length === 0;
  }

  add(piece: ObjectValue): void {
    const last = this.#elements.at(-1);
    if (last === undefined || !goesOn(last, piece)) {
      this.#elements.push({ ...piece });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      const before = Object.hasOwn(last, name) ? last[name] : undefined;
      if (typeof before === "string" && typeof value === "string" && this.#joined.includes(name)) last[name] = before + value;
      else if (name === "thinking" && isArray(before) && isArray(value)) last[name] = joinedTexts(before, value);
      else if (value !== null && value !== undefined) setMember(last, name, value);
    }
  }

  list(): Value {
    return structuredClone(this.#elements);
  }
}

function goesOn(last: ObjectValue, piece: ObjectValue): boolean {
  if (last.type !== piece.type || last.index !== piece.index) return false;
  return last.id === undefined || last.id === null || piece.id === undefined || piece.id === null || last.id === piece.id;
}

/** Mistral streams a thinking part as many, each with a piece of the text. */
function joinedTexts(before: readonly Value[], pieces: readonly Value[]): Value {
  const texts = [...before];
  for (const piece of pieces) {
    const last = texts.at(-1);
    if (isText(last) && isText(piece)) texts[texts.length - 1] = { ...last, text: `${last.text}${piece.text}` };
    else texts.push(piece);
  }
  return texts;
}

function isText(value: Value | undefined): value is ObjectValue & { readonly text: string } {
  return isObject(value) && value.type === "text" && typeof value.text === "string";
}
