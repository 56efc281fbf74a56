import {
  freezeValue,
  InvalidMessageError,
  inWords,
  isArray,
  isObject,
  type NamedCall,
  type ObjectValue,
  type Reading,
  type Role,
  type Unit,
  unitText,
  type Value,
} from "@tidemark/core/adapter";
import { isBlank, isOffTheWire, marksOf, outputOf, outputText, sentPart, withoutMarks } from "./parts.ts";
import { isReasoning, reasoningUnit } from "./reasoning.ts";

const roles: ReadonlyMap<Value | undefined, Role> = new Map([
  ["system", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "user"],
]);

/** Reads a message. A mark on the message is one on its last part: so providers take it. */
export function read(message: ObjectValue): Reading {
  if (!isObject(message)) throw new InvalidMessageError("$", "a message must be an object");
  const role = roles.get(message.role);
  if (role === undefined) throw new InvalidMessageError("$.role", "the role must be system, user, assistant or tool");
  const fields = fieldsOf(message);
  const units: Unit[] = fields === undefined ? [] : [{ kind: "fields", block: fields }];
  const first = units.length;
  const marks = new Map<number, Value>();
  partsOf(message).forEach((part, index) => {
    const unit = readPart(part, `$.content[${index}]`);
    if (unit !== undefined) units.push(unit);
    const mark = marksOf((part as ObjectValue).providerOptions);
    if (mark !== undefined && units.length > first) marks.set(units.length - 1, mark);
  });
  const whole = marksOf(message.providerOptions);
  if (whole !== undefined && units.length > first) marks.set(units.length - 1, whole);
  return { role, nativeRole: String(message.role), units, marks: [...marks].map(([unit, mark]) => ({ unit, mark })) };
}

/** What a message has beside role, content and marks; a system message keeps its own. */
function fieldsOf(message: ObjectValue): ObjectValue | undefined {
  const { role: _role, content: _content, providerOptions, ...others } = message;
  const options = withoutMarks(providerOptions);
  const fields = { ...others, ...(options !== undefined && { providerOptions: options }) };
  return Object.keys(fields).length === 0 ? undefined : freezeValue(fields as ObjectValue);
}

/** The parts of a message; a system message is one text. */
function partsOf({ role, content }: ObjectValue): readonly Value[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (role !== "system" && isArray(content)) return content;
  throw new InvalidMessageError("$.content", role === "system" ? "the content must be a string" : "the content must be an array of parts");
}

function readPart(part: Value, path: string): Unit | undefined {
  if (!isObject(part)) throw new InvalidMessageError(path, "a part must be an object");
  const type = textIn(part, "type", path);
  if (isOffTheWire(part)) return undefined;
  const sent = sentPart(part);
  if (type === "text") {
    const text = textIn(part, "text", path);
    return isBlank(sent) ? undefined : { kind: "text", block: sent, text };
  }
  if (isReasoning(sent)) return reasoningUnit(sent);
  if (type === "tool-call" && sent.providerExecuted !== true) {
    return {
      kind: "call",
      block: sent,
      id: textIn(part, "toolCallId", path),
      name: textIn(part, "toolName", path),
      value: sent.input ?? null,
    };
  }
  if (type === "tool-result") return { kind: "result", block: sent, id: textIn(part, "toolCallId", path), text: outputText(sent.output) };
  return { kind: type === "file" ? "media" : "other", block: sent };
}

function textIn(part: ObjectValue, name: string, path: string): string {
  const value = part[name];
  if (typeof value === "string") return value;
  throw new InvalidMessageError(`${path}.${name}`, "a string is needed here");
}

/** The inverse of {@link read} but for representation. Results, and answers to what a provider's tool asked, stand in a tool message. */
export function compose(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const blocks = units.filter(({ kind }) => kind !== "fields").map(({ block }) => block);
  const fields = Object.assign({}, ...units.filter(({ kind }) => kind === "fields").map(({ block }) => block)) as ObjectValue;
  if (nativeRole === "system")
    return freezeValue({ role: "system", content: blocks.map(({ text }) => String(text)).join("\n"), ...fields });
  const answersTools = blocks.length > 0 && blocks.every(({ type }) => type === "tool-result" || type === "tool-approval-response");
  const role = nativeRole === "assistant" ? "assistant" : answersTools ? "tool" : "user";
  return freezeValue({ role, content: blocks, ...fields });
}

export function say(role: Role, text: string): ObjectValue {
  return freezeValue(role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] });
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: input }: NamedCall): Unit & { readonly kind: "call" } {
  return { kind: "call", block: freezeValue({ type: "tool-call", toolCallId: id, toolName: name, input }), id, name, value: input };
}

export function resultFor(call: Unit & { readonly kind: "call" }, text: string): Unit {
  const block = freezeValue({ type: "tool-result", toolCallId: call.id, toolName: call.name, output: { type: "text", value: text } });
  return { kind: "result", block, id: call.id, text };
}

export function withId(unit: Unit & { readonly kind: "call" | "result" }, id: string): Unit {
  return { ...unit, id, block: freezeValue({ ...unit.block, toolCallId: id }) };
}

export function withText(unit: Unit & { readonly kind: "result" | "text" }, text: string): Unit {
  const member = unit.kind === "result" ? { output: outputOf(unit.block.output, text) } : { text };
  return { ...unit, text, block: freezeValue({ ...unit.block, ...member }) };
}

/** A unit in words. Media are named, never spelt out. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) => (worded.kind === "result" ? (worded.text ?? wordsOf(worded.block.output)) : named(worded.block)));
}

function wordsOf(output: Value | undefined): string {
  if (!isObject(output)) return "";
  if (isArray(output.value)) return output.value.map((item) => (isObject(item) ? named(item) : inWords(item))).join("\n");
  return inWords(output.reason ?? output.value ?? `[${inWords(output.type)}]`);
}

function named(part: ObjectValue): string {
  if (typeof part.text === "string") return part.text;
  const title = part.filename ?? part.mediaType ?? part.kind ?? part.toolName;
  return title === undefined ? `[${inWords(part.type)}]` : `[${inWords(part.type)}: ${inWords(title)}]`;
}
