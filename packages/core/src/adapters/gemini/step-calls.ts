import { laidOut } from "../../json/laid-out.ts";
import { wellFormed } from "../../json/unicode.ts";
import { freezeValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { NamedCall, Unit } from "../../wire/unit.ts";

type Call = Unit & { readonly kind: "call" };
type Result = Unit & { readonly kind: "result" };

const resultOrder: readonly string[] = ["type", "call_id", "name", "is_error", "result"];

export function readCall(block: ObjectValue): Call {
  return { kind: "call", block, id: text(block.id), name: text(block.name), value: block.arguments ?? {} };
}

/** A result that lost its call's id goes by the function's name. */
export function readResult(step: ObjectValue): Result {
  const block = laidOut(step, resultOrder);
  return { kind: "result", block, id: text(block.call_id) || text(block.name), text: outputText(block.result) };
}

/** A call that was made on another wire. */
export function callStepFor(call: NamedCall): Call {
  return readCall(freezeValue({ type: "function_call", id: call.id, name: call.name, arguments: call.arguments }));
}

export function resultStepFor(call: Call, words: string): Result {
  const block = Object.freeze({ type: "function_result", call_id: call.id, name: call.name, result: words });
  return { kind: "result", block, id: call.id, text: words };
}

export function withStepId<U extends Call | Result>(unit: U, id: string): U {
  if (unit.kind === "call")
    return { ...unit, id, block: laidOut(Object.freeze({ ...unit.block, id }), ["type", "id", "name", "arguments"]) };
  return { ...unit, id, block: laidOut(Object.freeze({ ...unit.block, call_id: id }), resultOrder) };
}

/** Text in the place of a result, as a list where it was one. */
export function withOutput(unit: Result, words: string): Result {
  const result: Value = isArray(unit.block.result) ? Object.freeze([Object.freeze({ type: "text", text: words })]) : words;
  return { ...unit, text: words, block: Object.freeze({ ...unit.block, result }) };
}

export function resultText(unit: Result): string {
  if (unit.text !== undefined) return unit.text;
  const { result } = unit.block;
  return isArray(result) ? result.map(named).join("\n") : JSON.stringify(result ?? {});
}

/** A result that is a text, or texts; `""` for one that is empty. */
function outputText(result: Value | undefined): string | undefined {
  if (result === undefined || result === null) return "";
  if (typeof result === "string") return result;
  if (isArray(result)) return result.every(isPlainText) ? result.map((part) => (part as ObjectValue).text).join("\n") : undefined;
  return isObject(result) && Object.keys(result).length === 0 ? "" : undefined;
}

function isPlainText(part: Value): boolean {
  return isObject(part) && part.type === "text" && typeof part.text === "string" && Object.keys(part).length === 2;
}

function named(part: Value): string {
  if (!isObject(part)) return JSON.stringify(part);
  return typeof part.text === "string" ? part.text : `[${text(part.type) || "part"}]`;
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? wellFormed(value) : "";
}
