import { isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import type { Accumulator } from "../../wire/wire.ts";

type Draft = Record<string, Value>;
type OpenStep = { readonly step: Draft; arguments: string };

/** Puts the events of a streamed interaction together, step by step. Only `interaction.completed` finishes one; an `error` event leaves it unfinished. */
export class InteractionAccumulator implements Accumulator {
  #head: Draft = {};
  readonly #steps = new Map<number, OpenStep>();
  #completed = false;
  #failed = false;

  add(event: object): void {
    if (!isObject(event)) return;
    switch (event.event_type) {
      case "interaction.created":
      case "interaction.completed":
        if (isObject(event.interaction)) this.#head = { ...this.#head, ...event.interaction };
        this.#completed = event.event_type === "interaction.completed";
        break;
      case "interaction.status_update":
        if (typeof event.status === "string") this.#head.status = event.status;
        break;
      case "step.start":
        if (isObject(event.step)) this.#steps.set(Number(event.index), { step: { ...event.step }, arguments: "" });
        break;
      case "step.delta":
        if (isObject(event.delta)) extend(this.#steps.get(Number(event.index)), event.delta);
        break;
      case "error":
        this.#failed = true;
        break;
      default:
    }
  }

  reply(): { readonly reply: object; readonly finished: boolean } {
    const streamed = [...this.#steps].sort(([a], [b]) => a - b).map(([, open]) => closed(open));
    const steps = streamed.length === 0 && isArray(this.#head.steps) ? this.#head.steps : streamed;
    return { reply: { ...this.#head, steps: structuredClone(steps) }, finished: this.#completed && !this.#failed };
  }
}

function extend(open: OpenStep | undefined, delta: ObjectValue): void {
  if (open === undefined) return;
  const { type, ...members } = delta as Draft;
  const { step } = open;
  if (type === "text") addText(step, delta);
  else if (type === "text_annotation_delta") addAnnotations(step, members.annotations);
  else if (type === "thought_summary") push(step, "summary", members.content);
  else if (type === "arguments_delta") open.arguments += typeof members.arguments === "string" ? members.arguments : "";
  // Sounds, pictures and films of an output come whole; everything else sets members of its step: a signature, a server tool's call and result.
  else if (step.type === "model_output") push(step, "content", delta);
  else for (const [name, value] of Object.entries(members)) if (value !== null) setMember(step, name, value);
}

/** A text goes on with the one before it, which its annotations belong to as well. */
function addText(step: Draft, delta: ObjectValue): void {
  const last = lastContent(step);
  if (last?.type === "text" && typeof last.text === "string") last.text += String(delta.text ?? "");
  else push(step, "content", { ...delta });
}

function addAnnotations(step: Draft, annotations: Value | undefined): void {
  const last = lastContent(step);
  if (last !== undefined && isArray(annotations))
    last.annotations = [...(isArray(last.annotations) ? last.annotations : []), ...annotations];
}

function lastContent(step: Draft): Draft | undefined {
  return isArray(step.content) ? (step.content.at(-1) as Draft | undefined) : undefined;
}

function push(step: Draft, name: string, value: Value | undefined): void {
  if (value !== undefined) step[name] = [...(isArray(step[name]) ? step[name] : []), value];
}

/** A step with its arguments parsed. What was cut before it became JSON stays as the stream announced it. */
function closed({ step, arguments: text }: OpenStep): Draft {
  if (text.trim() === "") return step;
  try {
    return { ...step, arguments: JSON.parse(text) as Value };
  } catch {
    return step;
  }
}
