import { isArray, isObject, keptValue, type ObjectValue, setMember, type Value } from "../json/value.ts";

/** A body as it was read last. `text` up to `ends[n - 1]` is what stands before its list and the list's first `n` items. */
type Read = {
  readonly text: string;
  /** Members before the list. */
  readonly before: ObjectValue;
  /** Where the list's first item starts. */
  readonly start: number;
  readonly items: readonly Value[];
  readonly ends: readonly number[];
};

/** What a body starts with that was read before: whose it is, and how many items. */
type Known = { readonly read: Read; readonly count: number };

/** So many conversations have their last body kept. */
const keptMax = 32;
/** A shorter list is read anew. */
const itemsMin = 8;
/** Stands for the list where only its end is parsed. */
const restName = "tidemark: the rest of the list";

/**
 * Reads bodies as `JSON.parse` does. The next request of a conversation starts with the text of the one before, so that only what is new of it is parsed; what is known
 * comes as the same frozen objects, which a session compares at a glance. A text that is not written as `JSON.stringify` writes is parsed whole.
 */
export class BodyReader {
  readonly #name: string;
  readonly #opening: string;
  /** The one used last is first. */
  #kept: readonly Read[] = [];

  /** @param name The member that is a list, and grows. */
  constructor(name: string) {
    this.#name = name;
    this.#opening = `${JSON.stringify(name)}:[`;
  }

  /**
   * The value of a text, its list deeply frozen; undefined for one that is no JSON.
   * @throws {ValueError} for a list that Tidemark cannot hold: numbers without a JSON form, nesting without end.
   */
  read(text: string): unknown {
    const known = this.#known(text);
    return (known && this.#continued(text, known)) ?? this.#whole(text);
  }

  /** The body that this one goes on from furthest. */
  #known(text: string): Known | undefined {
    let furthest: Known | undefined;
    for (const read of this.#kept) {
      const count = sharedItems(read, text);
      if (count > (furthest?.count ?? 0)) furthest = { read, count };
    }
    return furthest;
  }

  #continued(text: string, { read, count }: Known): ObjectValue | undefined {
    const from = read.ends[count - 1] as number;
    const isLonger = text[from] === ",";
    const rest = parsed(`{${JSON.stringify(restName)}:[${text.slice(isLonger ? from + 1 : from)}`);
    const added = isObject(rest) ? rest[restName] : undefined;
    // A second list of that name would be the body's: so `JSON.parse` has it.
    if (!isObject(rest) || !isArray(added) || Object.hasOwn(rest, this.#name)) return undefined;
    if (isLonger && added.length === 0) return undefined;
    const items = [...read.items.slice(0, count), ...this.#keptItems(added, count)];
    const { before, start } = read;
    this.#keep({ text, before, start, ...placed(text, items, read.ends.slice(0, count), start) }, read);
    return this.#body(before, items, rest);
  }

  #whole(text: string): unknown {
    const body = parsed(text);
    const list = isObject(body) ? body[this.#name] : undefined;
    if (!isObject(body) || !isArray(list) || list.length < itemsMin) return body;
    const items = this.#keptItems(list, 0);
    const at = text.indexOf(this.#opening);
    // Only a list of the body itself can be closed like this.
    const before = at < 0 ? undefined : parsed(`${text.slice(0, at + this.#opening.length)}]}`);
    if (isObject(before)) {
      const { [this.#name]: _list, ...others } = before;
      const start = at + this.#opening.length;
      this.#keep({ text, before: others, start, ...placed(text, items, [], start) }, undefined);
    }
    return { ...body, [this.#name]: items };
  }

  #keptItems(items: readonly Value[], from: number): readonly Value[] {
    return items.map((item, index) => keptValue(item, [this.#name, from + index]));
  }

  /** Members in the order of the text: of two of one name the later one counts, at the place of the first. */
  #body(before: ObjectValue, items: readonly Value[], rest: ObjectValue): ObjectValue {
    const body: Record<string, Value> = { ...before, [this.#name]: items };
    for (const [name, value] of Object.entries(rest)) if (name !== restName) setMember(body, name, value);
    return body;
  }

  /** In place of the body that it goes on from: a branch, which repeats that one in part, leaves it. */
  #keep(read: Read, before: Read | undefined): void {
    if (read.ends.length < itemsMin) return;
    const goesOn =
      before !== undefined &&
      read.ends.length >= before.ends.length &&
      read.items[before.ends.length - 1] === before.items[before.ends.length - 1];
    const others = goesOn ? this.#kept.filter((other) => other !== before) : this.#kept;
    this.#kept = [read, ...others.slice(0, keptMax - 1)];
  }
}

/** How many items of a body another text starts with. Comparing two pieces of text costs next to nothing. */
function sharedItems({ text: known, start, ends }: Read, text: string): number {
  const repeats = (end: number): boolean => text.length > end && known.slice(0, end) === text.slice(0, end);
  const isShared = (count: number): boolean => {
    const end = ends[count - 1] as number;
    return repeats(end) && (text[end] === "," || text[end] === "]");
  };
  if (!repeats(start)) return 0;
  if (isShared(ends.length)) return ends.length;
  let [shared, differs] = [0, ends.length];
  while (differs - shared > 1) {
    const middle = (shared + differs) >> 1;
    if (isShared(middle)) shared = middle;
    else differs = middle;
  }
  return shared;
}

/** Where items end in their text, behind those whose ends are known, as far as the text is what `JSON.stringify` writes. */
function placed(text: string, items: readonly Value[], known: readonly number[], start: number): Pick<Read, "ends" | "items"> {
  const ends = [...known];
  let end = ends.at(-1) ?? start;
  for (const item of items.slice(known.length)) {
    const from = ends.length === 0 ? end : end + 1;
    const written = JSON.stringify(item);
    end = from + written.length;
    if (text.slice(from, end) !== written) break;
    ends.push(end);
  }
  return { ends, items: items.slice(0, ends.length) };
}

function parsed(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
