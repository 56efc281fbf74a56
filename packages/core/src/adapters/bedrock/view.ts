import { inWords } from "../../json/in-words.ts";
import { laidOut } from "../../json/laid-out.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { NamedCall, Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { innerOf, isBlankText, isCachePoint, kindOf, listOf, sentBlock, withoutPoints } from "./blocks.ts";
import { reasoningUnit } from "./reasoning.ts";

type Call = Unit & { readonly kind: "call" };
type Result = Unit & { readonly kind: "result" };

const mediaKinds: readonly (string | undefined)[] = ["image", "document", "video", "audio"];

/** Reads a message: its blocks, with the cache points as marks on what they stand behind. */
export function readMessage(message: ObjectValue): Reading {
  const role = roleOf(message);
  const { content } = message;
  if (!isArray(content)) throw new InvalidMessageError("$.content", "the content must be an array of blocks");
  const fields = fieldsOf(message);
  const { kept, marks } = withoutPoints(content, (block, index) => readBlock(block, `$.content[${index}]`));
  const odd = content.findIndex((block) => !isObject(block));
  if (odd >= 0) throw new InvalidMessageError(`$.content[${odd}]`, "a block must be an object");
  return {
    role,
    nativeRole: role,
    units: [...fields, ...kept],
    marks: marks.map(({ at, mark }) => ({ unit: at + fields.length, mark })),
  };
}

/** The inverse of {@link readMessage} but for representation. */
export function composeMessage(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const content = units.filter(({ kind }) => kind !== "fields").map(({ block }) => block);
  const message: Record<string, Value> = { role: nativeRole, content };
  for (const { kind, block } of units) {
    if (kind === "fields") for (const [name, value] of Object.entries(block)) setMember(message, name, value);
  }
  return freezeValue(message);
}

export function say(role: Role, text: string): ObjectValue {
  return freezeValue({ role, content: [{ text }] });
}

/** A call that was made on another wire. */
export function callFor({ id, name, arguments: input }: NamedCall): Call {
  return { kind: "call", block: freezeValue({ toolUse: { toolUseId: id, name, input } }), id, name, value: input };
}

export function resultFor(call: Call, text: string): Result {
  return { kind: "result", block: freezeValue({ toolResult: { toolUseId: call.id, content: [{ text }] } }), id: call.id, text };
}

export function withId(unit: Unit & { readonly kind: "call" | "result" }, id: string): Unit {
  const kind = unit.kind === "call" ? "toolUse" : "toolResult";
  return { ...unit, id, block: freezeValue({ [kind]: { ...innerOf(unit.block, kind), toolUseId: id } }) };
}

export function withText(unit: Unit & { readonly kind: "result" | "text" }, text: string): Unit {
  if (unit.kind === "text") return { ...unit, text, block: freezeValue({ text }) };
  return { ...unit, text, block: freezeValue({ toolResult: { ...innerOf(unit.block, "toolResult"), content: [{ text }] } }) };
}

/** A unit in words. Media and what only the provider can read are named, never spelt out. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) =>
    worded.kind === "result"
      ? (worded.text ?? listOf(innerOf(worded.block, "toolResult")?.content).map(named).join("\n"))
      : named(worded.block),
  );
}

function roleOf({ role }: ObjectValue): Role {
  if (role === "user" || role === "assistant" || role === "system") return role;
  throw new InvalidMessageError("$.role", `the role must be user, assistant or system, not ${JSON.stringify(role) ?? "absent"}`);
}

function fieldsOf(message: ObjectValue): readonly Unit[] {
  const absent = Object.keys(message).filter((name) => message[name] === null);
  const block = laidOut(message, [], ["role", "content", ...absent]);
  return Object.keys(block).length === 0 ? [] : [{ kind: "fields", block }];
}

function readBlock(block: ObjectValue, path: string): Unit | undefined {
  const kind = kindOf(block);
  if (kind === "text") {
    if (typeof block.text !== "string") throw new InvalidMessageError(`${path}.text`, "a string is needed here");
    return isBlankText(block) ? undefined : { kind: "text", block, text: block.text };
  }
  if (kind === "reasoningContent") return reasoningUnit(block);
  const sent = sentBlock(block);
  if (kind === "toolUse") return callUnit(sent, path);
  if (kind === "toolResult") return resultUnit(sent, path);
  return { kind: mediaKinds.includes(kind) ? "media" : "other", block: sent };
}

/** A call of a tool that the provider runs itself is answered by the provider, in the same reply. */
function callUnit(block: ObjectValue, path: string): Unit {
  const call = innerOf(block, "toolUse") ?? {};
  if (call.type === "server_tool_use") return { kind: "other", block };
  const id = textAt(call, "toolUseId", `${path}.toolUse`);
  return { kind: "call", block, id, name: textAt(call, "name", `${path}.toolUse`), value: call.input ?? {} };
}

function resultUnit(block: ObjectValue, path: string): Unit {
  const result = innerOf(block, "toolResult") ?? {};
  if (result.type !== undefined && result.type !== "tool_result") return { kind: "other", block };
  return { kind: "result", block, id: textAt(result, "toolUseId", `${path}.toolResult`), text: resultText(result.content) };
}

function resultText(content: Value | undefined): string | undefined {
  const items = listOf(content);
  const texts = items.flatMap((item) => (isObject(item) && kindOf(item) === "text" && typeof item.text === "string" ? [item.text] : []));
  return texts.length === items.length ? texts.join("\n") : undefined;
}

function textAt(holder: ObjectValue, name: string, path: string): string {
  const value = holder[name];
  if (typeof value === "string") return value;
  throw new InvalidMessageError(`${path}.${name}`, "a string is needed here");
}

function named(block: Value): string {
  if (!isObject(block) || isCachePoint(block)) return "";
  const kind = kindOf(block);
  if (kind === "text") return inWords(block.text);
  if (kind === "json") return JSON.stringify(block.json);
  const title = kind === undefined ? undefined : innerOf(block, kind)?.name;
  return typeof title === "string" ? `[${kind}: ${title}]` : `[${kind ?? "block"}]`;
}
