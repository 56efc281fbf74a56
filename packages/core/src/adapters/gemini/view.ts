import { inWords } from "../../json/in-words.ts";
import { freezeValue, isArray, isObject, type ObjectValue, setMember, type Value } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import type { Reading, Role, Unit } from "../../wire/unit.ts";
import { unitText } from "../../wire/unit-text.ts";
import { resultText, withResultText } from "./calls.ts";
import { objectIn } from "./layout.ts";
import { readPart, textUnit } from "./parts.ts";
import { signedParts } from "./reasoning.ts";

/** `function` and no role at all are older ways to write `user` (facts 3.1). */
const roles: Readonly<Record<string, "user" | "model">> = { user: "user", model: "model", function: "user" };

/** Takes a content apart: the fields of the content itself, then what its parts say. */
export function readContent(content: ObjectValue): Reading {
  const nativeRole = roleOf(content);
  const isReply = nativeRole === "model";
  const { parts } = content;
  if (parts !== undefined && parts !== null && !isArray(parts)) throw new InvalidMessageError("$.parts", "the parts must be a list");
  const said = (parts ?? []).flatMap((part, index) => readPart(part, `$.parts[${index}]`, isReply));
  const words = said.length > 0 || isReply ? said : blankAlone(parts ?? []);
  return { role: isReply ? "assistant" : "user", nativeRole, units: [...fieldsOf(content), ...words], marks: [] };
}

/** Blank text that is all that the user says: the provider takes it, and some hosts begin with it since contents must not be empty (recorded). */
function blankAlone(parts: readonly Value[]): readonly Unit[] {
  const blank = parts.find((part) => isObject(part) && typeof part.text === "string");
  return isObject(blank) ? [textUnit(blank.text as string)] : [];
}

/** Puts units together to a content, the inverse but for representation. */
export function composeContent(nativeRole: string, units: readonly Unit[]): ObjectValue {
  const content: Record<string, Value> = { role: nativeRole === "model" ? "model" : "user", parts: signedParts(units) };
  for (const unit of units) {
    if (unit.kind === "fields") for (const [name, value] of Object.entries(unit.block)) setMember(content, name, value);
  }
  return freezeValue(content);
}

export function say(role: Role, text: string): ObjectValue {
  return composeContent(role === "assistant" ? "model" : "user", [textUnit(text)]);
}

/** The same unit with other text: a placeholder, a cap. */
export function withText(unit: Unit & { readonly kind: "result" | "text" }, text: string): Unit {
  if (unit.kind === "result") return withResultText(unit, text);
  return { ...unit, text, block: Object.freeze({ ...unit.block, text }) };
}

/** A unit in words. Media and what only the provider can read are named, never spelt out. */
export function textOf(unit: Unit): string {
  return unitText(unit, (worded) => (worded.kind === "result" ? resultText(worded) : named(worded.block)));
}

function named(block: ObjectValue): string {
  const code = objectIn(block, "executableCode")?.code ?? objectIn(block, "codeExecutionResult")?.output;
  if (typeof code === "string") return code;
  const [name = "part"] = Object.keys(block);
  const held = objectIn(block, name) ?? {};
  const title = [held.displayName, held.toolType, held.mimeType].find((text) => typeof text === "string");
  return title === undefined ? `[${name}]` : `[${name}: ${inWords(title)}]`;
}

function roleOf({ role }: ObjectValue): "user" | "model" {
  const known =
    role === undefined || role === null ? "user" : typeof role === "string" && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known === undefined) throw new InvalidMessageError("$.role", `the role must be user or model, not ${inWords(role)}`);
  return known;
}

/** Members of the content beside role and parts: none is documented, and unknown ones are carried. */
function fieldsOf(content: ObjectValue): readonly Unit[] {
  const names = Object.keys(content).filter((name) => name !== "role" && name !== "parts" && content[name] !== null);
  if (names.length === 0) return [];
  const block = Object.fromEntries(names.toSorted().map((name) => [name, content[name] as Value]));
  return [{ kind: "fields", block: freezeValue(block) }];
}
