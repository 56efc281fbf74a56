import { laidOut } from "../../json/laid-out.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, freezeValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { NamedCall, Unit } from "../../wire/unit.ts";
import type { Dialect } from "./dialects.ts";
import { markNames, markOn } from "./marks.ts";
import { isNothing } from "./nothing.ts";
import { textContent } from "./parts.ts";

export type Call = Unit & { readonly kind: "call" };
export type Result = Unit & { readonly kind: "result" };

export type ReadCall = { readonly unit: Call; readonly mark: Value | undefined };

/** `index` is an artefact of streamed replies: the place in the list says the same. */
const withoutInCall: readonly string[] = ["index", ...markNames];

/**
 * The calls of an assistant message. A call without an id has the id `""`: giving it one is admission's task. The older `function_call` is a
 * call without an id, too; its block has no `function` inside, and a result answers it under the role `function`.
 */
export function readCalls({ tool_calls, function_call }: ObjectValue, dialect: Dialect): readonly ReadCall[] {
  const calls: ReadCall[] = [];
  if (!isNothing(tool_calls)) {
    if (!isArray(tool_calls)) throw new InvalidMessageError("$.tool_calls", "tool_calls must be a list");
    for (const [index, call] of tool_calls.entries()) {
      if (!isObject(call)) throw new InvalidMessageError(pathText(["tool_calls", index]), "a call must be an object");
      calls.push({ unit: readCall(call, dialect), mark: markOn(call) });
    }
  }
  if (isNothing(function_call)) return calls;
  if (!isObject(function_call)) throw new InvalidMessageError("$.function_call", "function_call must be an object");
  const block = namedArguments(function_call, dialect);
  return [...calls, { unit: { kind: "call", block, id: "", ...meaning(block) }, mark: undefined }];
}

export function isLegacyCall(block: ObjectValue): boolean {
  return typeof block.name === "string" && block.function === undefined;
}

/** A call that was made on another wire. */
export function callFor(call: NamedCall, dialect: Dialect): Call {
  const named = { name: call.name, arguments: JSON.stringify(call.arguments) };
  return readCall(freezeValue({ id: call.id, type: "function", function: named }), dialect);
}

export function resultFor(call: Call, text: string, dialect: Dialect): Result {
  const block = isLegacyCall(call.block)
    ? { role: "function", content: text, name: call.name }
    : { role: "tool", content: textContent(text, dialect), ...(call.id === "" ? {} : { tool_call_id: call.id }) };
  return { kind: "result", block: Object.freeze(block), id: call.id, text };
}

export function withId<U extends Call | Result>(unit: U, id: string): U {
  if (unit.kind === "result") {
    if (unit.block.role === "function") return { ...unit, id };
    return { ...unit, id, block: laidOut(Object.freeze({ ...unit.block, tool_call_id: id }), ["role", "content", "tool_call_id", "name"]) };
  }
  if (isLegacyCall(unit.block)) return { ...unit, id };
  return { ...unit, id, block: laidOut(Object.freeze({ ...unit.block, id }), ["id", "type", "function", "custom"]) };
}

function readCall(call: ObjectValue, dialect: Dialect): Call {
  const inner = isObject(call.function) ? namedArguments(call.function, dialect) : undefined;
  const id = typeof call.id === "string" ? call.id : "";
  const type = call.type ?? (call.custom === undefined ? "function" : "custom");
  const isSame = call.type === type && (inner === undefined || inner === call.function) && id === call.id;
  const whole = isSame ? call : Object.freeze({ ...call, id, type, ...(inner === undefined ? {} : { function: inner }) });
  const block = laidOut(whole, ["id", "type", "function", "custom"], id === "" ? ["id", ...withoutInCall] : withoutInCall);
  return { kind: "call", block, id, ...meaning(inner ?? (isObject(call.custom) ? call.custom : {})) };
}

/** A function with its arguments as a string, as received; an object only where the dialect takes one. */
function namedArguments(named: ObjectValue, dialect: Dialect): ObjectValue {
  const received = named.arguments;
  if (typeof received === "string" || (dialect.objectArguments && isObject(received))) return laidOut(named, ["name", "arguments"]);
  const text = received === undefined || received === null ? "{}" : JSON.stringify(received);
  return laidOut(Object.freeze({ ...named, arguments: text }), ["name", "arguments"]);
}

function meaning(named: ObjectValue): Pick<Call, "name" | "value"> {
  const carried = named.arguments ?? named.input ?? null;
  const name = typeof named.name === "string" ? named.name : "";
  return { name, value: typeof named.arguments === "string" ? parsed(named.arguments) : carried };
}

function parsed(text: string): Value {
  try {
    return copyValue(JSON.parse(text));
  } catch {
    return text;
  }
}
