import { wellFormed } from "../../json/unicode.ts";
import { freezeValue, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import type { NamedCall, Unit } from "../../wire/unit.ts";
import { objectIn, withMember } from "./layout.ts";

export type Call = Unit & { readonly kind: "call" };
export type Result = Unit & { readonly kind: "result" };

/** The member under which a response bears what a function put out, and nothing else: the SDK's JSDoc of `FunctionResponse.response`. */
const outputName = "output";

/**
 * Calls had no ids before Gemini 3, and a store may lose them. A call or response without one goes by its function's name; several of
 * one name are told by their order. Its block has no id then, and gets none.
 */
export function callUnit(block: ObjectValue, call: ObjectValue): Call {
  return { kind: "call", block, ...identity(call), value: call.args ?? {} };
}

export function resultUnit(block: ObjectValue, response: ObjectValue): Result {
  return { kind: "result", block, id: identity(response).id, text: outputText(response) };
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: args }: NamedCall): Call {
  const call = freezeValue({ id, name, args });
  return callUnit(Object.freeze({ functionCall: call }), call);
}

/** A response for a call of which there is none. */
export function resultFor(call: Call, text: string): Result {
  const { id } = objectIn(call.block, "functionCall") ?? {};
  const response = { ...(id === undefined ? {} : { id }), name: call.name, response: Object.freeze({ [outputName]: text }) };
  return { kind: "result", block: Object.freeze({ functionResponse: Object.freeze(response) }), id: call.id, text };
}

export function withId<U extends Call | Result>(unit: U, id: string): U {
  const name = unit.kind === "call" ? "functionCall" : "functionResponse";
  const { id: _old, ...rest } = objectIn(unit.block, name) ?? {};
  return { ...unit, id, block: withMember(unit.block, name, Object.freeze({ id, ...rest })) };
}

/** Text in the place of a response's own, under the name that it had and beside what stood with it. Media beside it go. */
export function withResultText(unit: Result, text: string): Result {
  const { parts: _parts, ...rest } = objectIn(unit.block, "functionResponse") ?? {};
  const before = objectIn(rest, "response") ?? {};
  const name = wordsName(before) ?? Object.keys(before)[0] ?? outputName;
  const response = unit.text === undefined ? { [outputName]: text } : { ...before, [name]: text };
  const block = withMember(unit.block, "functionResponse", Object.freeze({ ...rest, response: Object.freeze(response) }));
  return { ...unit, text, block };
}

/** Words behind a response's own, as text. Media beside it stay. */
export function addResultWords(unit: Result, words: string): Result {
  const held = objectIn(unit.block, "functionResponse") ?? {};
  const bare = { ...unit, text: outputText({ ...held, parts: [] }) };
  const said = withResultText(bare, [bare.text ?? resultText(bare), words].filter((line) => line !== "").join("\n"));
  if (!Array.isArray(held.parts) || held.parts.length === 0) return said;
  const { response = {} } = objectIn(said.block, "functionResponse") ?? {};
  return { ...unit, block: withMember(unit.block, "functionResponse", withMember(held, "response", response)) };
}

/** What a response says, whatever form it has. */
export function resultText(unit: Result): string {
  const { response = {} } = objectIn(unit.block, "functionResponse") ?? {};
  const hasMore = !isObject(response) || Object.keys(response).length > 1;
  return unit.text === undefined || hasMore ? JSON.stringify(response) : unit.text;
}

function identity({ id, name }: ObjectValue): { readonly id: string; readonly name: string } {
  const called = typeof name === "string" ? wellFormed(name) : "";
  return { id: typeof id === "string" && id !== "" ? wellFormed(id) : called, name: called };
}

/** The words of a response that has nothing else to read; `""` for one that is empty. */
function outputText({ response, parts }: ObjectValue): string | undefined {
  if (Array.isArray(parts) && parts.length > 0) return undefined;
  if (response === undefined) return "";
  if (!isObject(response)) return undefined;
  if (Object.values(response).every((member) => member === "")) return Object.keys(response).length > 1 ? undefined : "";
  const name = wordsName(response);
  return name === undefined ? undefined : (response[name] as string);
}

/** The member that holds the words: the only text that is not empty, beside figures and flags such as an exit code. */
function wordsName(response: ObjectValue): string | undefined {
  const names = Object.keys(response).filter((name) => response[name] !== "" && typeof response[name] === "string");
  const isRest = (value: Value): boolean => value === null || typeof value !== "object";
  return names.length === 1 && Object.values(response).every(isRest) ? names[0] : undefined;
}
