import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";
import { nameIn } from "./layout.ts";
import { addPartialArg } from "./partial-args.ts";

type Draft = Record<string, Value>;

/** What tells a chunk from anything else that a stream may bring. */
const chunkNames = ["candidates", "usageMetadata", "promptFeedback"] as const;

/**
 * Puts the chunks of a streamed reply together, each of them a `GenerateContentResponse`: the first candidate, its text joined. A part with a signature
 * stays by itself, since it must go back as it came (facts 3.2). Chunks are never written to.
 */
export class GeminiAccumulator implements Accumulator {
  readonly #head: Draft = {};
  readonly #candidate: Draft = {};
  readonly #parts: Draft[] = [];
  #openCall: Draft | undefined;
  #failed = false;

  add(event: object): void {
    if (!isObject(event)) return;
    if (isObject(event.error)) this.#failed = true;
    if (!chunkNames.some((name) => event[nameIn(event, name)] !== undefined)) return;
    for (const [name, value] of Object.entries(event)) {
      if (name !== "candidates" && !isAbsent(value)) setMember(this.#head, name, grown(this.#head[name], value));
    }
    for (const candidate of isArray(event.candidates) ? event.candidates : []) {
      if (isObject(candidate) && (candidate.index ?? 0) === 0) this.#addCandidate(candidate);
    }
  }

  reply(): { readonly reply: object; readonly finished: boolean } {
    const reason = this.#candidate[nameIn(this.#candidate, "finishReason")];
    const content = { role: "model", parts: structuredClone(this.#parts) };
    const isEmpty = Object.keys(this.#candidate).length === 0 && this.#parts.length === 0;
    const candidates = isEmpty ? {} : { candidates: [{ content, ...this.#candidate }] };
    const isBlocked = isObject(this.#head[nameIn(this.#head, "promptFeedback")]);
    return { reply: { ...candidates, ...this.#head }, finished: !this.#failed && (typeof reason === "string" || (isEmpty && isBlocked)) };
  }

  #addCandidate(candidate: ObjectValue): void {
    for (const [name, value] of Object.entries(candidate)) {
      if (name !== "content" && !isAbsent(value)) setMember(this.#candidate, name, grown(this.#candidate[name], value));
    }
    const parts = isObject(candidate.content) ? candidate.content.parts : undefined;
    for (const part of isArray(parts) ? parts : []) if (isObject(part)) this.#addPart(part);
  }

  #addPart(part: ObjectValue): void {
    const call = part[nameIn(part, "functionCall")];
    if (isObject(call) && this.#addToCall(part, call)) return;
    const last = this.#parts.at(-1);
    if (typeof part.text === "string" && isUnsigned(part)) {
      if (last !== undefined && isSameText(last, part)) last.text = `${last.text}${part.text}`;
      // The last chunk of a stream often has an empty text beside the finish reason.
      else if (part.text !== "" || Object.keys(part).length > 1) this.#parts.push({ ...part });
      return;
    }
    this.#parts.push({ ...part });
  }

  /** A call whose arguments come in pieces: begun by a name, ended by a piece that does not go on, or by the next name. False: it came whole. */
  #addToCall(part: ObjectValue, call: ObjectValue): boolean {
    const { partialArgs, willContinue, ...rest } = call as Draft;
    const begins = typeof rest.name === "string";
    if (begins && !isArray(partialArgs) && willContinue !== true) {
      this.#openCall = undefined;
      return false;
    }
    if (begins) {
      const args: Draft = isObject(rest.args) ? structuredClone(rest.args as Draft) : {};
      const begun: Draft = { ...part, [nameIn(part, "functionCall")]: { ...rest, args } };
      this.#parts.push(begun);
      this.#openCall = args;
    }
    for (const piece of isArray(partialArgs) ? partialArgs : []) {
      if (this.#openCall !== undefined && isObject(piece)) addPartialArg(this.#openCall, piece);
    }
    return begins || this.#openCall !== undefined || Object.keys(rest).length === 0;
  }
}

/** Text goes on only with text of its kind, and never with signed text. */
function isSameText(last: ObjectValue, part: ObjectValue): boolean {
  if (typeof last.text !== "string" || !isUnsigned(last)) return false;
  const others = (object: ObjectValue): string => JSON.stringify({ ...object, text: "", thought: object.thought === true });
  return others(last) === others(part);
}

function isUnsigned(part: ObjectValue): boolean {
  return isAbsent(part[nameIn(part, "thoughtSignature")]) || part[nameIn(part, "thoughtSignature")] === "";
}

/** Usage grows member by member; of everything else the last one holds. */
function grown(before: Value | undefined, value: Value): Value {
  return isObject(before) && isObject(value) ? { ...before, ...value } : value;
}

function isAbsent(value: Value | undefined): boolean {
  return value === undefined || value === null;
}
