import { laidOut } from "../../json/laid-out.ts";
import { freezeValue, isArray, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { type Call, readCalls } from "./calls.ts";
import { readThinking } from "./reasoning.ts";

type Result = Unit & { readonly kind: "result" };

const roles: Readonly<Record<string, Role>> = { user: "user", assistant: "assistant", system: "system", tool: "user" };
/** Of `Message` in the server's api package and in ollama 0.6.4. */
const order: readonly string[] = ["role", "content", "thinking", "images", "tool_calls", "tool_name", "tool_call_id"];
/** Members that the server reads alike when null, empty or absent: Go's zero values. */
const emptyAlike: readonly string[] = ["thinking", "images", "tool_calls", "tool_name", "tool_call_id"];

/** Takes a message apart: its other members, thinking, text, pictures, calls. A tool message is one result that holds all of its members. */
export function readMessage(message: ObjectValue): Reading {
  const { role: nativeRole } = message;
  const role = typeof nativeRole === "string" && Object.hasOwn(roles, nativeRole) ? roles[nativeRole] : undefined;
  if (role === undefined) throw new InvalidMessageError("$.role", `role must be one of ${Object.keys(roles).join(", ")}`);
  const content = contentOf(message);
  if (nativeRole === "tool") return { role, nativeRole, units: [readResult(message, content)], marks: [] };
  const units: Unit[] = [...fieldsOf(message), ...readThinking(message)];
  if (content.trim() !== "") units.push(textUnit(content));
  units.push(...imagesOf(message), ...readCalls(message));
  return { role, nativeRole: nativeRole as string, units, marks: [] };
}

/** Puts units together to a message, the inverse but for representation. Results come alone and are the whole message. */
export function composeMessage(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const first = units[0];
  if (first?.kind === "result") return freezeValue(first.block);
  const texts: string[] = [];
  const lists: Record<string, Value[]> = {};
  const message: Record<string, Value> = { role: nativeRole, content: "" };
  for (const { kind, block } of units) {
    if (kind === "text") texts.push(block.content as string);
    else if (kind === "media") append(lists, "images", block.images);
    else if (kind === "call") append(lists, "tool_calls", [block]);
    else for (const [name, value] of Object.entries(block)) setMember(message, name, value);
  }
  message.content = texts.join("\n");
  return laidOut(freezeValue({ ...message, ...lists }), order);
}

export function say(role: Role, text: string): ObjectValue {
  return freezeValue({ role, content: text });
}

export function resultFor(call: Call, text: string): Result {
  const named = typeof call.block.id === "string" ? { tool_name: call.name, tool_call_id: call.id } : { tool_name: call.name };
  return { kind: "result", block: freezeValue({ role: "tool", content: text, ...named }), id: call.id, text };
}

/** Only what bears an id is given another: without one, the call's name and the order tell which result is whose. */
export function withId(unit: Unit & { readonly kind: "call" | "result" }, id: string): Unit {
  const member = unit.kind === "call" ? "id" : "tool_call_id";
  if (unit.block[member] === undefined) return { ...unit, id };
  return { ...unit, id, block: Object.freeze({ ...unit.block, [member]: id }) };
}

export function withText(unit: Unit & { readonly kind: "result" | "text" }, text: string): Unit {
  return { ...unit, text, block: Object.freeze({ ...unit.block, content: text }) };
}

/** A unit as text, for orphan and late results and for folded loops. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) => {
    if (worded.kind === "result") return worded.text ?? [worded.block.content, "[image]"].filter((said) => said !== "").join("\n");
    return worded.kind === "media" ? "[image]" : "";
  });
}

function textUnit(text: string): Unit & { readonly kind: "text" } {
  return { kind: "text", block: Object.freeze({ content: text }), text };
}

function contentOf({ content }: ObjectValue): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  throw new InvalidMessageError("$.content", "content must be a string");
}

/** A result says which call it answers: by the call's id where the server gives ids, else by the tool's name. */
function readResult(message: ObjectValue, content: string): Result {
  const absent = ["tool_call_id", "tool_name", "images"].filter((name) => isEmpty(message[name]));
  const block = laidOut(message.content === content ? message : Object.freeze({ ...message, content }), order, absent);
  const id = [message.tool_call_id, message.tool_name].find((name) => typeof name === "string" && name !== "");
  return { kind: "result", block, id: typeof id === "string" ? id : "", text: block.images === undefined ? content : undefined };
}

function fieldsOf(message: ObjectValue): readonly Unit[] {
  const read = ["role", "content", "thinking", "images", "tool_calls"];
  const without = [...read, ...emptyAlike.filter((name) => isEmpty(message[name]))];
  if (Object.keys(message).every((name) => without.includes(name))) return [];
  return [{ kind: "fields", block: laidOut(message, order, without) }];
}

function imagesOf({ images }: ObjectValue): readonly Unit[] {
  if (isEmpty(images)) return [];
  if (!isArray(images)) throw new InvalidMessageError("$.images", "images must be a list of base64 texts or bytes");
  return images.map((image) => ({ kind: "media", block: Object.freeze({ images: Object.freeze([image]) }) }));
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || value === "" || (isArray(value) && value.length === 0);
}

function append(lists: Record<string, Value[]>, name: string, items: Value | undefined): void {
  const list = lists[name] ?? [];
  lists[name] = list;
  if (isArray(items)) list.push(...items);
}
