import { TidemarkError } from "../../json/error.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { readItem } from "./view.ts";

type Piece = { type: "output_text" | "refusal"; text: string };

/** One item of a streamed reply: what was said of it so far, and the item itself once it is done. */
export class StreamItem {
  /** Place in the output, where the stream names one. A missing one is never 0. */
  readonly index: number | undefined;
  id: string | undefined;
  /** The item as the provider finished it: the native one. */
  done: ObjectValue | undefined;
  /** A finished item that could not be read: what its deltas said stays. */
  malformed = false;
  #begun: ObjectValue = {};
  readonly #pieces = new Map<number, Piece>();
  #input = "";
  #finalInput: string | undefined;

  constructor(index: number | undefined, id: string | undefined) {
    this.index = index;
    this.id = id;
  }

  get isAnonymous(): boolean {
    return this.index === undefined && this.id === undefined;
  }

  begin(item: Value | undefined): void {
    if (isObject(item)) this.#begun = item;
  }

  /** The first finished form stays, whatever comes later. */
  finish(item: Value | undefined): void {
    if (this.done !== undefined) return;
    if (isReadable(item)) this.done = item;
    else this.malformed = true;
  }

  addText(type: Piece["type"], place: number, delta: Value | undefined): void {
    const piece = this.#pieceAt(type, place);
    if (typeof delta === "string") piece.text += delta;
  }

  endText(type: Piece["type"], place: number, text: Value | undefined): void {
    if (typeof text === "string") this.#pieceAt(type, place).text = text;
  }

  addInput(delta: Value | undefined): void {
    if (typeof delta === "string") this.#input += delta;
  }

  endInput(input: Value | undefined): void {
    if (typeof input === "string") this.#finalInput = input;
  }

  /** What its deltas say, or its own words once it is done. */
  get text(): string {
    if (this.done === undefined || this.done.type !== "message") return [...this.#pieces.values()].map(({ text }) => text).join("");
    return textIn(this.done);
  }

  /** The finished item, final arguments in place of missing ones; else what the deltas make, without identity. Undefined: nothing that could go out. */
  item(): ObjectValue | undefined {
    if (this.done !== undefined) return this.#withFinalInput(this.done);
    if (this.#pieces.size > 0) return { type: "message", role: "assistant", ...this.#phase(), content: this.#content() };
    return this.malformed ? undefined : this.#call();
  }

  #withFinalInput(done: ObjectValue): ObjectValue {
    const name = inputName(done);
    if (name === undefined || this.#finalInput === undefined || (typeof done[name] === "string" && done[name] !== "")) return done;
    return { ...done, [name]: this.#finalInput };
  }

  #call(): ObjectValue | undefined {
    const { id: _id, status: _status, ...begun } = this.#begun as Readonly<Record<string, Value>>;
    const name = inputName(begun);
    if (name === undefined || typeof begun.call_id !== "string") return undefined;
    return { ...begun, [name]: this.#finalInput ?? this.#input };
  }

  #phase(): ObjectValue {
    return typeof this.#begun.phase === "string" ? { phase: this.#begun.phase } : {};
  }

  #content(): Value {
    const pieces = [...this.#pieces].toSorted(([a], [b]) => a - b);
    return pieces.map(([, { type, text }]) => (type === "refusal" ? { type, refusal: text } : { type, text, annotations: [] }));
  }

  #pieceAt(type: Piece["type"], place: number): Piece {
    const known = this.#pieces.get(place) ?? { type, text: "" };
    this.#pieces.set(place, known);
    return known;
  }
}

/** The texts of a message item. */
export function textIn(item: ObjectValue): string {
  if (!isArray(item.content)) return "";
  return item.content.map((part) => (isObject(part) ? String(part.text ?? part.refusal ?? "") : "")).join("");
}

function inputName({ type }: ObjectValue): "arguments" | "input" | undefined {
  if (type === "function_call") return "arguments";
  return type === "custom_tool_call" ? "input" : undefined;
}

/** What neither says what it is nor can be read is no item. A call that nobody could answer is none either. */
function isReadable(item: Value | undefined): item is ObjectValue {
  if (!isObject(item) || typeof item.type !== "string") return false;
  if (inputName(item) !== undefined && (typeof item.call_id !== "string" || typeof item.name !== "string")) return false;
  if (item.type === "message" && !isArray(item.content)) return false;
  try {
    readItem(item);
    return true;
  } catch (error) {
    if (error instanceof TidemarkError) return false;
    throw error;
  }
}
