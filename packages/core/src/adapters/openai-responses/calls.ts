import { laidOut } from "../../json/laid-out.ts";
import { copyValue, freezeValue, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { NamedCall, Unit } from "../../wire/unit.ts";
import { looseMembers, withMembers } from "./loose.ts";
import { readOutput, textParts } from "./parts.ts";

export type Call = Unit & { readonly kind: "call" };
export type Result = Unit & { readonly kind: "result" };

/** Calls that the host answers, with the type of the answer. Those of hosted tools, and of tools with an answer of their own form, are carried verbatim. */
const outputTypes: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

export function isCall(item: ObjectValue): boolean {
  return typeof item.type === "string" && Object.hasOwn(outputTypes, item.type);
}

export function isOutput(item: ObjectValue): boolean {
  return Object.values(outputTypes).some((type) => type === item.type);
}

/** A function's arguments are a string; a custom tool's input is free text. */
export function readCall(item: ObjectValue): Call {
  const id = callId(item);
  const { loose, without } = looseMembers(item);
  const received = item.type === "function_call" ? asString(item) : item;
  const block = laidOut(received, ["type", "call_id", "name", "arguments", "input"], without);
  const value = typeof block.arguments === "string" ? parsed(block.arguments) : (block.input ?? null);
  return { kind: "call", block, id, name: typeof item.name === "string" ? item.name : "", value, loose };
}

/** Output that is a string goes out as one; it is compared as one text part. */
export function readResult(item: ObjectValue): { readonly unit: Result; readonly mark: Value | undefined } {
  const { parts, text, mark } = readOutput(item.output);
  const { loose, without } = looseMembers(item);
  const block = laidOut(Object.freeze({ ...item, output: parts }), ["type", "call_id", "output"], without);
  const asText = item.output === undefined || item.output === null || typeof item.output === "string";
  const unit: Result = { kind: "result", block, id: callId(item), text, loose: asText ? Object.freeze({ ...loose, text: true }) : loose };
  return { unit, mark };
}

export function callItem(unit: Call): ObjectValue {
  return withMembers(unit, unit.block, ["type", "id", "call_id", "name", "arguments", "input"]);
}

export function resultItem(unit: Result): ObjectValue {
  const parts = unit.block.output as readonly ObjectValue[];
  const output = unit.loose?.text === true ? parts.map(({ text }) => text).join("") : parts;
  return withMembers(unit, { ...unit.block, output }, ["type", "id", "call_id", "output"]);
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: input }: NamedCall): Call {
  return readCall(freezeValue({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) }));
}

/** A result that is made up, in the form that its call wants. */
export function resultFor(call: Call, text: string): Result {
  const type = outputTypes[String(call.block.type)] ?? "function_call_output";
  const block = Object.freeze({ type, call_id: call.id, output: textParts(text) });
  return { kind: "result", block, id: call.id, text, loose: Object.freeze({ text: true }) };
}

export function withId<U extends Call | Result>(unit: U, id: string): U {
  return { ...unit, id, block: Object.freeze({ ...unit.block, call_id: id }) };
}

function callId({ call_id }: ObjectValue): string {
  if (call_id === undefined || call_id === null) return "";
  if (typeof call_id !== "string") throw new InvalidMessageError("$.call_id", "call_id must be a string");
  return call_id;
}

function asString(item: ObjectValue): ObjectValue {
  const { arguments: received } = item;
  if (typeof received === "string") return item;
  return Object.freeze({ ...item, arguments: received === undefined || received === null ? "{}" : JSON.stringify(received) });
}

function parsed(text: string): Value {
  try {
    return copyValue(JSON.parse(text));
  } catch {
    return text;
  }
}
