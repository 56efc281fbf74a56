import { inWords } from "../../json/in-words.ts";
import { laidOut } from "../../json/laid-out.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { isLegacyCall, type ReadCall, readCalls } from "./calls.ts";
import type { Dialect } from "./dialects.ts";
import { markNames, markOn } from "./marks.ts";
import { isNothing } from "./nothing.ts";
import { isPlainText, readParts, readResultContent, textContent } from "./parts.ts";
import { readReasoning, reasoningFor, reasoningNames, thinkingPart } from "./reasoning.ts";

const roles: Readonly<Record<string, Role>> = {
  user: "user",
  assistant: "assistant",
  system: "system",
  developer: "system",
  tool: "user",
  function: "user",
};
const resultOrder: readonly string[] = ["role", "content", "tool_call_id", "name"];
const fieldOrder: readonly string[] = ["name", "refusal", "audio", "prefix"];
/** Members that are read alike when null, empty or absent. */
const emptyAlike: readonly string[] = [...fieldOrder, "annotations", "tool_calls", "function_call", ...reasoningNames];

/**
 * Takes a message apart: the fields of the message itself, reasoning, the parts of the content, calls. A tool message is one result that
 * holds all of its members.
 */
export function readMessage(message: ObjectValue, dialect: Dialect): Reading {
  const nativeRole = message.role;
  const role = typeof nativeRole === "string" && Object.hasOwn(roles, nativeRole) ? roles[nativeRole] : undefined;
  if (role === undefined) throw new InvalidMessageError("$.role", `role must be one of ${Object.keys(roles).join(", ")}`);
  if (nativeRole === "tool" || nativeRole === "function") return readResult(message, nativeRole, dialect);
  const found: (ReadCall | { readonly unit: Unit | undefined; readonly mark: Value | undefined })[] = [fieldsOf(message, role)];
  if (role === "assistant") found.push({ unit: readReasoning(message), mark: undefined });
  found.push(...readParts(message.content, role === "assistant"));
  if (role === "assistant") found.push(...readCalls(message, dialect));
  return reading(role, nativeRole as string, found, markOn(message));
}

/** Puts units together to a message, the inverse but for representation. Results come alone and are the whole message. */
export function composeMessage(nativeRole: string, units: readonly Unit[], dialect: Dialect): ObjectValue {
  const first = units[0];
  if (first?.kind === "result") return freezeValue(first.block);
  const blocks = (kind: Unit["kind"]): readonly ObjectValue[] => units.filter((unit) => unit.kind === kind).map(({ block }) => block);
  const calls = blocks("call");
  const message: Record<string, Value> = { role: nativeRole, content: contentOf(units, dialect) };
  const fields = laidOut(merged(blocks("fields")), fieldOrder);
  if (nativeRole === "assistant") {
    if (message.content === "" && (calls.length > 0 || Object.keys(fields).some((name) => name === "refusal" || name === "audio"))) {
      message.content = null;
    }
    Object.assign(message, reasoningFor(dialect, blocks("reasoning"), calls.length > 0), callMembers(calls));
  }
  for (const [name, value] of Object.entries(fields)) setMember(message, name, value);
  return freezeValue(message);
}

/** A unit as text, for orphan and late results and for folded loops. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) =>
    worded.kind === "result" ? (worded.text ?? textOfParts(worded.block.content)) : textOfPart(worded.block),
  );
}

/** The same unit with other text: a placeholder, a cap. */
export function withText<U extends Unit & { readonly kind: "result" | "text" }>(unit: U, text: string, dialect: Dialect): U {
  if (unit.kind === "text") return { ...unit, text, block: Object.freeze({ ...unit.block, text }) };
  const content = unit.block.role === "function" ? text : textContent(text, dialect);
  return { ...unit, text, block: Object.freeze({ ...unit.block, content }) };
}

function readResult(message: ObjectValue, nativeRole: string, dialect: Dialect): Reading {
  const { tool_call_id } = message;
  if (!isNothing(tool_call_id) && typeof tool_call_id !== "string") {
    throw new InvalidMessageError("$.tool_call_id", "tool_call_id must be a string");
  }
  const { content, text, mark } = readResultContent(message.content, nativeRole === "function" ? { ...dialect, marks: false } : dialect);
  const whole = content === message.content ? message : Object.freeze({ ...message, content });
  const absent = ["tool_call_id", "name"].filter((name) => isNothing(message[name]));
  const block = laidOut(whole, resultOrder, [...markNames, ...absent]);
  const unit: Unit = { kind: "result", block, id: typeof tool_call_id === "string" ? tool_call_id : "", text };
  return reading("user", nativeRole, [{ unit, mark: mark ?? markOn(message) }], undefined);
}

/** A mark on the message itself counts as one on its last unit. */
function reading(
  role: Role,
  nativeRole: string,
  found: readonly { readonly unit: Unit | undefined; readonly mark: Value | undefined }[],
  messageMark: Value | undefined,
): Reading {
  const units: Unit[] = [];
  const marks: { readonly unit: number; readonly mark: Value }[] = [];
  for (const { unit, mark } of found) {
    if (unit === undefined) continue;
    if (mark !== undefined) marks.push({ unit: units.length, mark });
    units.push(unit);
  }
  const last = units.length - 1;
  if (messageMark !== undefined && last >= 0 && marks.at(-1)?.unit !== last) marks.push({ unit: last, mark: messageMark });
  return { role, nativeRole, units, marks };
}

function fieldsOf(message: ObjectValue, role: Role): { readonly unit: Unit | undefined; readonly mark: undefined } {
  const read = role === "assistant" ? ["role", "content", "tool_calls", "function_call", ...reasoningRead(message)] : ["role", "content"];
  const absent = emptyAlike.filter((name) => isNothing(message[name]));
  const without = [...read, ...absent, ...markNames];
  if (Object.keys(message).every((name) => without.includes(name))) return { unit: undefined, mark: undefined };
  return { unit: { kind: "fields", block: laidOut(message, fieldOrder, without) }, mark: undefined };
}

/** Reasoning of another type than the known ones is carried like any unknown field. */
function reasoningRead(message: ObjectValue): readonly string[] {
  return reasoningNames.filter((name) => (name === "reasoning_details" ? isArray(message[name]) : typeof message[name] === "string"));
}

function contentOf(units: readonly Unit[], dialect: Dialect): Value {
  const parts = units.flatMap(({ kind, block }): readonly ObjectValue[] => {
    if (kind === "text" || kind === "media" || kind === "other") return [block];
    const thinking = kind === "reasoning" && dialect.reasoning === "thinking" ? thinkingPart(block) : undefined;
    return thinking === undefined ? [] : [thinking];
  });
  const only = parts[0];
  if (only === undefined) return "";
  if (parts.length === 1 && isPlainText(only) && !dialect.marks) return only.text as string;
  return Object.freeze(parts);
}

/** One object of all members; a later one wins. */
function merged(objects: readonly ObjectValue[]): ObjectValue {
  if (objects.length === 1) return objects[0] as ObjectValue;
  const all: Record<string, Value> = {};
  for (const object of objects) for (const [name, value] of Object.entries(object)) setMember(all, name, value);
  return all;
}

function callMembers(calls: readonly ObjectValue[]): ObjectValue {
  if (calls.length === 0) return {};
  const [only] = calls;
  if (calls.length === 1 && only !== undefined && isLegacyCall(only)) return { function_call: only };
  return {
    tool_calls: Object.freeze(calls.map((call) => (isLegacyCall(call) ? Object.freeze({ type: "function", function: call }) : call))),
  };
}

function textOfParts(content: Value | undefined): string {
  return isArray(content) ? content.map((part) => (isObject(part) ? textOfPart(part) : "")).join("\n") : inWords(content ?? "");
}

function textOfPart(part: ObjectValue): string {
  const text = part.text ?? part.refusal;
  return typeof text === "string" ? text : `[${inWords(part.type ?? "part")}]`;
}
