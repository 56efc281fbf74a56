import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";
import { StreamItem, textIn } from "./stream-item.ts";

type Said = (item: StreamItem, event: ObjectValue) => void;

/** What events say of an item. Every other event is about the response, or about progress. */
const said: Readonly<Record<string, Said>> = {
  "response.output_item.added": (item, event) => item.begin(event.item),
  "response.output_item.done": (item, event) => item.finish(event.item),
  "response.output_text.delta": (item, event) => item.addText("output_text", placeOf(event), event.delta),
  "response.output_text.done": (item, event) => item.endText("output_text", placeOf(event), event.text),
  "response.refusal.delta": (item, event) => item.addText("refusal", placeOf(event), event.delta),
  "response.refusal.done": (item, event) => item.endText("refusal", placeOf(event), event.refusal),
  "response.function_call_arguments.delta": (item, event) => item.addInput(event.delta),
  "response.function_call_arguments.done": (item, event) => item.endInput(event.arguments),
  "response.custom_tool_call_input.delta": (item, event) => item.addInput(event.delta),
  "response.custom_tool_call_input.done": (item, event) => item.endInput(event.input),
};
const endings: readonly Value[] = ["response.completed", "response.incomplete", "response.failed", "response.cancelled"];

/**
 * Puts the events of a streamed response together.
 *  1. Items stand in the order of their `output_index`, whenever they come; one without keeps its place of arrival.
 *  2. A done event brings the native item; nothing later overwrites or drops it. The terminal snapshot fills in what is missing.
 *  3. What was not finished keeps its text, without identity. A reply of which not every item is native, or that failed or was cut, has no reusable
 *     state: its reasoning and item ids stay away.
 */
export class ResponsesAccumulator implements Accumulator {
  #response: ObjectValue = {};
  #end: Value | undefined;
  #failed = false;
  readonly #items: StreamItem[] = [];

  add(event: object): void {
    if (!isObject(event)) return;
    if (event.type === "error") this.#failed = true;
    if (isObject(event.response)) this.#response = { ...this.#response, ...event.response };
    const say = typeof event.type === "string" && Object.hasOwn(said, event.type) ? said[event.type] : undefined;
    if (say !== undefined) say(this.#itemOf(event), event);
    else if (endings.includes(event.type ?? null)) this.#finish(event);
  }

  reply(): { readonly reply: object; readonly finished: boolean } {
    const finished = this.#end === "response.completed" && !this.#failed;
    const isNative = finished && this.#items.every((item) => item.done !== undefined && !item.malformed);
    const items = this.#inOrder()
      .map((item) => item.item())
      .filter((item) => item !== undefined);
    const output = structuredClone(isNative ? items : items.flatMap((item) => visible(item)));
    return { reply: { object: "response", ...this.#response, status: this.#status(finished), output }, finished };
  }

  #status(finished: boolean): Value {
    if (finished) return "completed";
    const { status } = this.#response;
    return this.#failed || status === undefined || status === "completed" ? "failed" : status;
  }

  #finish({ type, response }: ObjectValue): void {
    this.#end = type;
    if (!isObject(response) || !isArray(response.output)) return;
    for (const [index, item] of response.output.entries()) if (isObject(item)) this.#fillIn(index, item);
  }

  /** By id, else by place. A finished item stays as it is, and so does text that came without any identity. */
  #fillIn(index: number, item: ObjectValue): void {
    const known = this.#byId(idOf(item.id)) ?? this.#items.find((other) => other.index === index);
    if (known !== undefined) known.finish(item);
    else if (!this.#items.some((other) => other.isAnonymous && other.text !== "" && other.text === textIn(item)))
      this.#begin(index, idOf(item.id)).finish(item);
  }

  /** The item that an event is about: by its place in the output, else by its id, else the last one without either. */
  #itemOf(event: ObjectValue): StreamItem {
    const index = typeof event.output_index === "number" ? event.output_index : undefined;
    const id = idOf(event.item_id) ?? (isObject(event.item) ? idOf(event.item.id) : undefined);
    if (index !== undefined) {
      const known = this.#items.find((item) => item.index === index) ?? this.#begin(index, id);
      known.id ??= id;
      return known;
    }
    if (id !== undefined) return this.#byId(id) ?? this.#begin(undefined, id);
    const last = this.#items.at(-1);
    const goesOn = last?.isAnonymous === true && last.done === undefined && event.type !== "response.output_item.added";
    return goesOn && last !== undefined ? last : this.#begin(undefined, undefined);
  }

  #byId(id: string | undefined): StreamItem | undefined {
    return id === undefined ? undefined : this.#items.find((item) => item.id === id);
  }

  #begin(index: number | undefined, id: string | undefined): StreamItem {
    const item = new StreamItem(index, id);
    this.#items.push(item);
    return item;
  }

  /** Items that have a place take the places of such items in its order; the others keep theirs. */
  #inOrder(): readonly StreamItem[] {
    const placed = this.#items.filter((item) => item.index !== undefined).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
    let next = 0;
    return this.#items.map((item) => (item.index === undefined ? item : (placed[next++] ?? item)));
  }
}

/** An item as plain history: no reasoning, no item id. Items that are nothing without theirs stay. */
function visible(item: ObjectValue): readonly ObjectValue[] {
  if (item.type === "reasoning") return [];
  if (item.type !== "message" && item.type !== "function_call" && item.type !== "custom_tool_call") return [item];
  const { id: _id, ...others } = item as Readonly<Record<string, Value>>;
  return [others];
}

function placeOf({ content_index }: ObjectValue): number {
  return typeof content_index === "number" ? content_index : 0;
}

function idOf(id: Value | undefined): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}
