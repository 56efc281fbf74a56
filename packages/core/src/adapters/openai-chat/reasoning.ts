import { isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";
import type { Dialect } from "./dialects.ts";
import { isNothing } from "./nothing.ts";

type Reasoning = Unit & { readonly kind: "reasoning" };

/** Message members that are read as reasoning, whatever the dialect. */
export const reasoningNames: readonly string[] = ["reasoning_content", "reasoning", "reasoning_details"];

/**
 * The reasoning that a message bears beside its content. The block says what it is, not how it was called: `reasoning` is plain text, under
 * whichever name it came; `reasoning_details` are verbatim, with plain text beside them only where it says something else.
 */
export function readReasoning(message: ObjectValue): Reasoning | undefined {
  const texts = [message.reasoning_content, message.reasoning].filter((text) => typeof text === "string" && text !== "");
  const plain = [...new Set(texts)].join("\n");
  const details = message.reasoning_details;
  if (!isArray(details) || details.length === 0) return plain === "" ? undefined : plainReasoning(plain);
  const said = details.map(textOfDetail).join("");
  const block = Object.freeze(
    plain === "" || plain === said ? { reasoning_details: details } : { reasoning: plain, reasoning_details: details },
  );
  return { kind: "reasoning", block, bound: details.some(isSealed), readable: plain === "" ? said : plain };
}

/** A thinking part of the content. */
export function readThinking(part: ObjectValue): Reasoning {
  return { kind: "reasoning", block: part, bound: isSealed(part), readable: readable(part) };
}

/** A block's reasoning as the members and parts under which a dialect takes it. */
export function reasoningFor(dialect: Dialect, blocks: readonly ObjectValue[], hasCalls: boolean): ObjectValue {
  const text = blocks.map(readable).filter(Boolean).join("\n");
  const details = blocks.flatMap((block) => (isArray(block.reasoning_details) ? block.reasoning_details : []));
  switch (dialect.reasoning) {
    case "none":
    case "thinking":
      return {};
    case "reasoning_details":
      if (details.length > 0) return { reasoning_details: single(blocks) ?? Object.freeze(details) };
      return text === "" ? {} : { reasoning: text };
    default:
      return text === "" && !(dialect.emptyReasoning && hasCalls) ? {} : { [dialect.reasoning]: text };
  }
}

/** A reasoning block as a part of the content; undefined: it has no text that one could read. */
export function thinkingPart(block: ObjectValue): ObjectValue | undefined {
  if (block.type === "thinking") return block;
  const text = readable(block);
  if (text === "") return undefined;
  return Object.freeze({ type: "thinking", thinking: Object.freeze([Object.freeze({ type: "text", text })]) });
}

function plainReasoning(text: string): Reasoning {
  return { kind: "reasoning", block: Object.freeze({ reasoning: text }), bound: false, readable: text };
}

/** The received list itself, so that its bytes stay. */
function single(blocks: readonly ObjectValue[]): Value | undefined {
  return blocks.length === 1 ? blocks[0]?.reasoning_details : undefined;
}

function readable(block: ObjectValue): string {
  if (typeof block.reasoning === "string") return block.reasoning;
  const parts = block.reasoning_details ?? block.thinking;
  return isArray(parts) ? parts.map(textOfDetail).join("") : typeof parts === "string" ? parts : "";
}

function textOfDetail(detail: Value): string {
  if (!isObject(detail)) return "";
  const text = detail.text ?? detail.summary;
  return typeof text === "string" ? text : "";
}

/** Signed or encrypted. */
function isSealed(detail: Value): boolean {
  return isObject(detail) && (!isNothing(detail.signature) || !isNothing(detail.data));
}
