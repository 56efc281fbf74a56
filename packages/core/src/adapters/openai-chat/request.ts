import { inWords } from "../../json/in-words.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidMessageError, InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import type { Reading } from "../../wire/unit.ts";
import type { Dialect } from "./dialects.ts";
import { markNames, markOn } from "./marks.ts";
import type { ChatRequest } from "./types.ts";
import { composeMessage, readMessage } from "./view.ts";

/** Takes a request apart. The leading run of system and developer messages is the head's system text, as messages in the form in which they are sent. */
export function openRequest(request: ChatRequest, dialect: Dialect, paramNames: readonly string[]): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const { model, messages } = request as unknown as { readonly model: unknown; readonly messages: unknown };
  if (typeof model !== "string") throw new InvalidRequestError("$.model", "model must be a string");
  if (!Array.isArray(messages)) throw new InvalidRequestError("$.messages", "messages must be a list");
  refuseSparse(messages, ["messages"]);
  const lead = leadOf(messages);
  const leading = messages.slice(0, lead).map((message, index) => readLeading(message, index, dialect));
  const tools = readTools(request);
  const system = leading.filter(({ units }) => units.length > 0);
  return {
    head: {
      model,
      system: system.map(({ nativeRole, units }) => composeMessage(nativeRole, units, dialect)),
      tools: tools.map(withoutMarks),
      params: paramsOf(request, paramNames),
    },
    messages: messages.slice(lead),
    lead,
    headMarks: [...systemMarks(system), ...toolMarks(tools)],
  };
}

/** The host's own request with this head and these messages in place of its own. */
export function closeRequest<R extends ChatRequest>(
  request: R,
  head: Head,
  messages: readonly ObjectValue[],
  paramNames: readonly string[],
): R {
  const closed: Record<string, unknown> = { ...(request as object), model: head.model };
  for (const name of paramNames) {
    if (head.params[name] !== undefined) closed[name] = head.params[name];
    else if (!isAbsent(closed[name])) delete closed[name];
  }
  closed.messages = [...head.system, ...messages];
  if (head.tools.length > 0) closed.tools = head.tools;
  else delete closed.tools;
  return closed as R;
}

/** Signs that a request is another wire's: a system field, Anthropic's tools and blocks, blocks without a type. Everything else with messages is taken for this one. */
export function recognises({ messages, system, tools }: ObjectValue): boolean {
  if (!isArray(messages) || system !== undefined) return false;
  if (isArray(tools) && tools.some((tool) => isObject(tool) && tool.input_schema !== undefined)) return false;
  return !messages.some((message) => isObject(message) && isArray(message.content) && message.content.some(isOtherBlock));
}

/** A tool definition's name; a server tool of a gateway has its type only. */
export function toolName({ function: named, custom, name, type }: ObjectValue): string {
  const inner = isObject(named) ? named.name : isObject(custom) ? custom.name : undefined;
  return inWords(inner ?? name ?? type ?? "");
}

const otherBlocks: readonly Value[] = ["tool_use", "tool_result", "image", "document", "redacted_thinking", "input_text", "output_text"];

function isOtherBlock(block: Value): boolean {
  return isObject(block) && (block.type === undefined || otherBlocks.includes(block.type) || typeof block.thinking === "string");
}

function leadOf(messages: readonly unknown[]): number {
  const end = messages.findIndex((message) => !isObject(message) || (message.role !== "system" && message.role !== "developer"));
  return end < 0 ? messages.length : end;
}

function readLeading(message: unknown, index: number, dialect: Dialect): Reading {
  const copy = wellFormedTexts(copyValue(message, ["messages", index]));
  if (!isObject(copy)) throw new InvalidRequestError(pathText(["messages", index]), "a message must be an object");
  try {
    return readMessage(copy, dialect);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidRequestError(`${pathText(["messages", index])}${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

function readTools({ tools }: ObjectValue): readonly ObjectValue[] {
  if (isAbsent(tools)) return [];
  const copies = wellFormedTexts(copyValue(tools, ["tools"]));
  if (!isArray(copies)) throw new InvalidRequestError("$.tools", "tools must be a list");
  const odd = copies.findIndex((tool) => !isObject(tool));
  if (odd >= 0) throw new InvalidRequestError(pathText(["tools", odd]), "a tool must be an object");
  return copies as readonly ObjectValue[];
}

/** A definition's own members stay in the order in which they came. */
function withoutMarks(tool: ObjectValue): ObjectValue {
  if (!markNames.some((name) => Object.hasOwn(tool, name))) return tool;
  return Object.freeze(Object.fromEntries(Object.entries(tool).filter(([name]) => !markNames.includes(name))));
}

function paramsOf(request: ObjectValue, names: readonly string[]): ObjectValue {
  const params: Record<string, Value> = {};
  for (const name of names) if (!isAbsent(request[name])) params[name] = copyValue(request[name], [name]);
  return Object.freeze(params);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Counted over the parts of all leading messages. */
function systemMarks(leading: readonly Reading[]): OpenRequest["headMarks"] {
  let before = 0;
  return leading.flatMap(({ units, marks }) => {
    const isPart = units.map(({ kind }) => kind !== "fields");
    const first = before - isPart.indexOf(true);
    before += isPart.filter(Boolean).length;
    return marks.map(({ unit, mark }) => ({ part: "system" as const, index: first + unit, mark }));
  });
}

function toolMarks(tools: readonly ObjectValue[]): OpenRequest["headMarks"] {
  return tools.flatMap((tool, index) => {
    const mark = markOn(tool);
    return mark === undefined ? [] : [{ part: "tools" as const, index, mark }];
  });
}
