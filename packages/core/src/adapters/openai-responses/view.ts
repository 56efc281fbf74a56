import { inWords } from "../../json/in-words.ts";
import { laidOut } from "../../json/laid-out.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { callItem, isCall, isOutput, readCall, readResult, resultItem } from "./calls.ts";
import { looseMessage } from "./loose.ts";
import { partOf, readParts, textParts } from "./parts.ts";
import { asReply, readReasoning, reasoningItem } from "./reasoning.ts";
import { cutReply, isItem } from "./reply-items.ts";
import type { Route } from "./routes.ts";

const roles: Readonly<Record<string, Role>> = { user: "user", assistant: "assistant", system: "system", developer: "system" };
/** Items that are not a reply's: changes in band, and what a host answers or asks for. Every other item without a role stands in replies. */
const others: Readonly<Record<string, { readonly role: Role; readonly nativeRole: string }>> = {
  configuration_update: { role: "system", nativeRole: "developer" },
  compaction_trigger: { role: "user", nativeRole: "user" },
  computer_call_output: { role: "user", nativeRole: "user" },
  mcp_approval_response: { role: "user", nativeRole: "user" },
};
const messageOrder: readonly string[] = ["type", "id", "role", "status", "phase", "content"];
const inMessage: readonly string[] = ["type", "role", "content", "id", "status"];

/**
 * Reads one item of the input, or a whole reply as {@link composeItems} makes one. Items that are neither messages nor calls, outputs or reasoning
 * are carried verbatim: hosted tools, compaction, references, whatever comes.
 */
export function readItem(item: ObjectValue): Reading {
  if (isArray(item.items)) return readReply(item.items as readonly ObjectValue[]);
  if (item.type === "message" || (isNothing(item.type) && !isNothing(item.role))) return readMessage(item);
  if (isNothing(item.type) && typeof item.id !== "string")
    throw new InvalidMessageError("$.type", "an item must have a type, a role or an id");
  if (item.type === "reasoning") return alone("assistant", "assistant", readReasoning(item));
  if (isCall(item)) return alone("assistant", "assistant", readCall(item));
  if (isOutput(item)) {
    const { unit, mark } = readResult(item);
    return { ...alone("user", "tool", unit), marks: mark === undefined ? [] : [{ unit: 0, mark }] };
  }
  const { role, nativeRole } = sideOf(item);
  return alone(role, nativeRole, { kind: "other", block: item, loose: wholeItem });
}

/** Puts units together: a reply of several items is one message of them, which {@link spreadItems} takes apart. */
export function composeItems(nativeRole: string, units: readonly Unit[], route: Route): ObjectValue {
  const [first] = units;
  if (nativeRole === "assistant") {
    const whole = asReply(units);
    // Reasoning alone is composed as it stands: whether it goes out is asked before.
    const items = cutReply(whole.length === 0 ? units : whole).map((item) => replyItem(item.units));
    return items.length === 1 ? (items[0] as ObjectValue) : Object.freeze({ role: "assistant", items: Object.freeze(items) });
  }
  if (first !== undefined && isItem(first)) return itemOf(first);
  return messageItem(nativeRole === "system" && route.developer ? "developer" : nativeRole, units);
}

/** The items of a composed message. */
export function spreadItems(message: ObjectValue): readonly ObjectValue[] {
  return isArray(message.items) ? (message.items as readonly ObjectValue[]) : [message];
}

/** A unit as text, for orphan and late results and for folded loops. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) =>
    worded.kind === "result"
      ? (worded.text ?? (worded.block.output as readonly ObjectValue[]).map(textOfPart).join("\n"))
      : textOfPart(worded.block),
  );
}

/** The same unit with other text: a placeholder, a cap. */
export function withText<U extends Unit & { readonly kind: "result" | "text" }>(unit: U, text: string): U {
  const block = unit.kind === "text" ? { ...unit.block, text } : { ...unit.block, output: textParts(text) };
  return { ...unit, text, block: Object.freeze(block) };
}

const wholeItem: ObjectValue = Object.freeze({ item: true });

function readReply(items: readonly ObjectValue[]): Reading {
  return { role: "assistant", nativeRole: "assistant", units: items.flatMap((item) => readItem(item).units), marks: [] };
}

function readMessage(item: ObjectValue): Reading {
  const nativeRole = item.role;
  const role = typeof nativeRole === "string" && Object.hasOwn(roles, nativeRole) ? roles[nativeRole] : undefined;
  if (role === undefined) throw new InvalidMessageError("$.role", `role must be one of ${Object.keys(roles).join(", ")}`);
  const parts = readParts(item.content, role);
  const without = Object.keys(item).filter((name) => inMessage.includes(name) || item[name] === null);
  const fields: Unit[] =
    Object.keys(item).length === without.length ? [] : [{ kind: "fields", block: laidOut(item, messageOrder, without) }];
  const [first, ...rest] = [...fields, ...parts.map(({ unit }) => unit)];
  const marks = parts.flatMap(({ mark }, index) => (mark === undefined ? [] : [{ unit: index + fields.length, mark }]));
  const started = first === undefined ? [] : [{ ...first, loose: Object.freeze({ ...first.loose, message: looseMessage(item) }) }];
  return { role, nativeRole: nativeRole as string, units: [...started, ...rest], marks };
}

function alone(role: Role, nativeRole: string, unit: Unit): Reading {
  return { role, nativeRole, units: [unit], marks: [] };
}

/** Tools that the provider loaded stand in a reply; those that a host adds are the developer's. */
function sideOf({ type, role }: ObjectValue): { readonly role: Role; readonly nativeRole: string } {
  if (type === "additional_tools" && role === "developer") return { role: "system", nativeRole: "developer" };
  const known = typeof type === "string" && Object.hasOwn(others, type) ? others[type] : undefined;
  return known ?? { role: "assistant", nativeRole: "assistant" };
}

function replyItem(units: readonly Unit[]): ObjectValue {
  const [first] = units;
  return first !== undefined && isItem(first) ? itemOf(first) : messageItem("assistant", units);
}

function itemOf(unit: Unit): ObjectValue {
  if (unit.kind === "call") return callItem(unit);
  if (unit.kind === "result") return resultItem(unit);
  return unit.kind === "reasoning" ? reasoningItem(unit) : unit.block;
}

function messageItem(role: string, units: readonly Unit[]): ObjectValue {
  const [first] = units;
  const members = isObject(first?.loose?.message) ? first.loose.message : { type: "message" };
  const message: Record<string, Value> = { ...members, role };
  for (const unit of units)
    if (unit.kind === "fields") for (const [name, value] of Object.entries(unit.block)) setMember(message, name, value);
  message.content = units.flatMap((unit) => (unit.kind === "fields" ? [] : [partOf(unit)]));
  return laidOut(freezeValue(message), messageOrder);
}

function textOfPart(part: ObjectValue): string {
  const text = part.text ?? part.refusal;
  return typeof text === "string" ? text : `[${inWords(part.type ?? "part")}]`;
}

function isNothing(value: Value | undefined): boolean {
  return value === undefined || value === null;
}
