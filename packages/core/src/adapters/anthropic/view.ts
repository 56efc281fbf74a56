import { inWords } from "../../json/in-words.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { NamedCall, Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { innerBlocks, isBlankText, isPlainText, markOf, sentBlock, sentFields } from "./blocks.ts";
import { isReasoning, reasoningUnit } from "./reasoning.ts";

type Mark = Reading["marks"][number];

/** Reads a message. Content is composed in block form again, so that a string and one text block of the same text are the same thing. */
export function read(message: ObjectValue): Reading {
  const role = roleOf(message);
  const fields = sentFields(message);
  const units: Unit[] = fields === undefined ? [] : [{ kind: "fields", block: fields }];
  const first = units.length;
  const marks: Mark[] = [];
  let early: Value | undefined;
  const blocks = contentOf(message, fields);
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Value;
    const unit = readBlock(block, index);
    if (unit !== undefined) units.push(unit);
    const mark = markOf(block);
    if (mark === undefined) continue;
    if (units.length > first) addMark(marks, units.length - 1, mark);
    else early ??= mark;
  }
  if (early !== undefined && units.length > first) addMark(marks, units.length - 1, early);
  return { role, nativeRole: role, units, marks };
}

/** A block bears one mark: its own, or the nearest of those that could not stay where they were. Marks come in the order of the units. */
function addMark(marks: Mark[], unit: number, mark: Value): void {
  if (marks.at(-1)?.unit !== unit) marks.push({ unit, mark });
}

function roleOf(message: ObjectValue): Role {
  if (!isObject(message)) throw new InvalidMessageError("$", "a message must be an object");
  const { role } = message;
  if (role === "user" || role === "assistant" || role === "system") return role;
  throw new InvalidMessageError("$.role", `the role must be user, assistant or system, not ${JSON.stringify(role) ?? "absent"}`);
}

function contentOf(message: ObjectValue, fields: ObjectValue | undefined): readonly Value[] {
  const { content } = message;
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (isArray(content)) return content;
  // A system message may do nothing but set the effort: then its content is empty or absent.
  if (content === undefined && message.role === "system" && fields?.output_config !== undefined) return [];
  throw new InvalidMessageError("$.content", "the content must be a string or an array of blocks");
}

function readBlock(block: Value, index: number): Unit | undefined {
  if (!isObject(block)) throw new InvalidMessageError(`$.content[${index}]`, "a block must be an object");
  const type = text(block, "type", index);
  const sent = sentBlock(block);
  if (type === "text") {
    const said = text(block, "text", index);
    return isBlankText(sent) ? undefined : { kind: "text", block: freezeValue(sent), text: said };
  }
  if (isReasoning(sent)) return reasoningUnit(sent);
  if (type === "tool_use") return callUnit(sent, text(block, "id", index), text(block, "name", index));
  if (type === "tool_result") return { kind: "result", block: sent, id: text(block, "tool_use_id", index), text: resultText(sent) };
  return { kind: type === "image" || type === "document" ? "media" : "other", block: sent };
}

function text(block: ObjectValue, name: string, index: number): string {
  const value = block[name];
  if (typeof value === "string") return value;
  throw new InvalidMessageError(`$.content[${index}].${name}`, "a string is needed here");
}

function callUnit(block: ObjectValue, id: string, name: string): Unit {
  const { input } = block;
  if (input !== undefined && input !== null) return { kind: "call", block, id, name, value: input };
  const called = sentBlock(freezeValue({ ...block, input: {} }));
  return { kind: "call", block: called, id, name, value: called.input as Value };
}

function resultText({ content }: ObjectValue): string | undefined {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return isArray(content) && content.every(isPlainText) ? content.map((block) => block.text).join("\n") : undefined;
}

/** The inverse of {@link read} but for representation. */
export function compose(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const fields = units.filter(({ kind }) => kind === "fields");
  const content = (fields.length === 0 ? units : units.filter(({ kind }) => kind !== "fields")).map(({ block }) => block);
  const message: Record<string, Value> = { role: nativeRole, content };
  for (const { block } of fields) for (const name of Object.keys(block)) setMember(message, name, block[name] as Value);
  return freezeValue(message);
}

export function say(role: Role, words: string): ObjectValue {
  return freezeValue({ role, content: [{ type: "text", text: words }] });
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: input }: NamedCall): Unit & {
  readonly kind: "call";
} {
  return callUnit(sentBlock(freezeValue({ type: "tool_use", id, name, input })), id, name) as Unit & { readonly kind: "call" };
}

/** A result for a call; one of a toolset's member names the toolset, as its call does. */
export function resultFor(call: Unit & { readonly kind: "call" }, words: string): Unit {
  const { toolset_name } = call.block;
  const block = { type: "tool_result", tool_use_id: call.id, content: words, ...(toolset_name === undefined ? {} : { toolset_name }) };
  return { kind: "result", block: sentBlock(freezeValue(block)), id: call.id, text: words };
}

export function withId(unit: Unit & { readonly kind: "call" | "result" }, id: string): Unit {
  const member = unit.kind === "call" ? "id" : "tool_use_id";
  return { ...unit, id, block: freezeValue({ ...unit.block, [member]: id }) };
}

export function withText(unit: Unit & { readonly kind: "result" | "text" }, words: string): Unit {
  const member = unit.kind === "result" ? "content" : "text";
  return { ...unit, text: words, block: sentBlock(freezeValue({ ...unit.block, [member]: words })) };
}

/** A unit in words. Media and what only the provider can read are named, never spelt out. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) =>
    worded.kind === "result" ? (worded.text ?? innerBlocks(worded.block).map(named).join("\n")) : named(worded.block),
  );
}

function named(block: Value): string {
  if (!isObject(block)) return inWords(block);
  if (block.type === "text") return inWords(block.text);
  if (block.type === "compaction" && typeof block.content === "string") return block.content;
  const title = [block.title, block.name, block.tool_name].find((name) => typeof name === "string");
  return title === undefined ? `[${inWords(block.type)}]` : `[${inWords(block.type)}: ${title}]`;
}
