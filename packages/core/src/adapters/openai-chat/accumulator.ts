import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";
import { PartList } from "./part-list.ts";
import { isFinish } from "./reply.ts";

type Draft = Record<string, Value>;

/** Puts the chunks of a streamed chat completion together: the first choice, as the server would have answered without streaming. */
export class ChatAccumulator implements Accumulator {
  readonly #head: Draft = {};
  readonly #message: Draft = { role: "assistant", content: null };
  readonly #calls: Draft[] = [];
  readonly #callAt = new Map<Value, Draft>();
  readonly #details = new PartList(["text", "summary", "data"]);
  readonly #parts = new PartList(["text"]);
  #finishReason: Value = null;
  #failed = false;

  add(event: object): void {
    if (!isObject(event)) return;
    if (isObject(event.error)) this.#failed = true;
    if (!isArray(event.choices)) return;
    for (const [name, value] of Object.entries(event)) {
      if (name !== "choices" && name !== "obfuscation" && value !== null && value !== undefined) setMember(this.#head, name, value);
    }
    for (const choice of event.choices) if (isObject(choice) && (choice.index ?? 0) === 0) this.#addChoice(choice);
  }

  reply(): { readonly reply: object; readonly finished: boolean } {
    const message: Draft = structuredClone(this.#message);
    if (!this.#parts.isEmpty) message.content = this.#parts.list();
    if (!this.#details.isEmpty) message.reasoning_details = this.#details.list();
    if (this.#calls.length > 0) message.tool_calls = structuredClone(this.#calls);
    const reason = this.#failed ? "error" : this.#finishReason;
    const choice = { index: 0, message, finish_reason: reason };
    return { reply: { ...this.#head, object: "chat.completion", choices: [choice] }, finished: isFinish(reason) };
  }

  #addChoice(choice: ObjectValue): void {
    if (isObject(choice.usage)) this.#head.usage = choice.usage;
    if (isObject(choice.delta)) for (const [name, value] of Object.entries(choice.delta)) this.#addMember(name, value);
    if (typeof choice.finish_reason === "string") this.#finishReason = choice.finish_reason;
  }

  #addMember(name: string, value: Value): void {
    if (value === null || value === undefined || name === "role" || name === "index") return;
    switch (name) {
      case "content":
        this.#addContent(value);
        break;
      case "tool_calls":
        if (isArray(value)) for (const call of value) if (isObject(call)) this.#addCall(call);
        break;
      case "reasoning_details":
        if (isArray(value)) for (const detail of value) if (isObject(detail)) this.#details.add(detail);
        break;
      case "function_call":
        if (isObject(value)) extend(draftIn(this.#message, name), value);
        break;
      default:
        this.#addOther(name, value);
    }
  }

  /** Text goes on as text; once a server sends parts, everything is parts. */
  #addContent(value: Value): void {
    if (isArray(value)) {
      const before = this.#message.content;
      if (this.#parts.isEmpty && typeof before === "string" && before !== "") this.#parts.add({ type: "text", text: before });
      for (const part of value) if (isObject(part)) this.#parts.add(part);
    } else if (typeof value === "string") {
      if (this.#parts.isEmpty) this.#message.content = `${this.#message.content ?? ""}${value}`;
      else if (value !== "") this.#parts.add({ type: "text", text: value });
    }
  }

  /**
   * By index, where there is one. Without it a delta goes on with the call before unless it names another id; some servers give every call
   * index 0, so there, too, another id is another call. An id that is repeated, or empty, is no other.
   */
  #addCall(delta: ObjectValue): void {
    const last = this.#calls.at(-1);
    const known = delta.index === undefined || delta.index === null ? last : this.#callAt.get(delta.index);
    const isOther =
      known !== undefined && typeof delta.id === "string" && delta.id !== "" && known.id !== undefined && known.id !== delta.id;
    const call = known === undefined || isOther ? this.#newCall() : known;
    if (delta.index !== undefined && delta.index !== null) this.#callAt.set(delta.index, call);
    for (const [name, value] of Object.entries(delta)) {
      if (name === "index" || value === null || value === undefined) continue;
      if ((name === "function" || name === "custom") && isObject(value)) extend(draftIn(call, name), value);
      else if (name !== "id" || value !== "") setMember(call, name, value);
    }
  }

  #newCall(): Draft {
    const call: Draft = {};
    this.#calls.push(call);
    return call;
  }

  /** Reasoning, refusals and members that are not known: text and lists go on, anything else is the last one sent. */
  #addOther(name: string, value: Value): void {
    const before = Object.hasOwn(this.#message, name) ? this.#message[name] : undefined;
    if (typeof value === "string" && typeof before === "string") setMember(this.#message, name, before + value);
    else if (isArray(value) && isArray(before)) (before as Value[]).push(...value);
    else setMember(this.#message, name, isArray(value) ? [...value] : value);
  }
}

/** A name is sent once, whole; arguments and input in pieces. */
function extend(draft: Draft, delta: ObjectValue): void {
  for (const [name, value] of Object.entries(delta)) {
    const before = Object.hasOwn(draft, name) ? draft[name] : undefined;
    const goesOn = (name === "arguments" || name === "input") && typeof before === "string" && typeof value === "string";
    if (goesOn) draft[name] = before + value;
    else if (value !== null && value !== undefined && (value !== "" || before === undefined)) setMember(draft, name, value);
  }
}

function draftIn(holder: Draft, name: string): Draft {
  if (!isObject(holder[name])) holder[name] = {};
  return holder[name] as Draft;
}
