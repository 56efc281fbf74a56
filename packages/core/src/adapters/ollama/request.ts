import { inWords } from "../../json/in-words.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidMessageError, InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import { paramsOf, setParams } from "./params.ts";
import { composeMessage, readMessage, textOf } from "./view.ts";

/**
 * The least structure that a chat request must have. The official SDK's `ChatRequest` with its messages fits it, a plain literal does too; what goes into a session
 * as `R extends OllamaRequest` comes out as `R`.
 */
export interface OllamaRequest {
  readonly model: string;
  readonly messages: readonly object[];
}

/** Takes a request apart. The leading run of system messages is the head's system text, in the form in which it is sent. */
export function openRequest(request: OllamaRequest): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const { model, messages } = request as unknown as { readonly model: unknown; readonly messages: unknown };
  if (typeof model !== "string") throw new InvalidRequestError("$.model", "model must be a string");
  if (!Array.isArray(messages)) throw new InvalidRequestError("$.messages", "messages must be a list");
  refuseSparse(messages, ["messages"]);
  const end = messages.findIndex((message) => !isObject(message) || message.role !== "system");
  const lead = end < 0 ? messages.length : end;
  const system = messages.slice(0, lead).flatMap(readLeading);
  return {
    head: { model, system, tools: readTools(request), params: paramsOf(request) },
    messages: messages.slice(lead),
    lead,
    headMarks: [],
  };
}

/**
 * The host's own request with this head and these messages in place of its own. A message with pictures is handed out as a copy: the official SDK writes
 * base64 over bytes in the messages that it is given (ollama 0.6.4, `chat`).
 */
export function closeRequest<R extends OllamaRequest>(request: R, head: Head, messages: readonly ObjectValue[]): R {
  const closed: Record<string, unknown> = { ...(request as object), model: head.model };
  setParams(closed, head.params);
  closed.messages = [...head.system, ...messages].map((message) => (message.images === undefined ? message : { ...message }));
  if (head.tools.length > 0) closed.tools = head.tools;
  else delete closed.tools;
  return closed as R;
}

/** Told by parameters, members and blocks that only this wire has. A request of plain text has none, and is as well Chat Completions. */
export function recognises(request: ObjectValue): boolean {
  const { messages, options, keep_alive, think, format } = request;
  if (!isArray(messages) || typeof request.model !== "string") return false;
  if (isObject(options) || keep_alive !== undefined || think !== undefined || isObject(format) || format === "json") return true;
  return messages.some((message) => {
    if (!isObject(message)) return false;
    const { tool_name, images, thinking, tool_calls } = message;
    if (typeof tool_name === "string" || isArray(images) || (typeof thinking === "string" && typeof message.content === "string"))
      return true;
    return isArray(tool_calls) && tool_calls.some((call) => isObject(call) && isObject(call.function) && isObject(call.function.arguments));
  });
}

/** A tool definition's name. */
export function toolName({ function: named, name }: ObjectValue): string {
  return inWords((isObject(named) ? named.name : undefined) ?? name ?? "");
}

export function systemText(head: Head): string {
  return head.system.map((message) => readMessage(message).units.map(textOf).join("\n")).join("\n\n");
}

/** The window that the server gives a request without `num_ctx`: its default on most machines (documentation, FAQ: context length). */
const windowByDefault = 4_096;

/** What the request itself says of its size: the window of `num_ctx`, beyond which the server drops the oldest messages in silence (facts 7.4), and the cap of the reply. */
export function askedFor(request: object): { readonly window: number; readonly output?: number } {
  const { options } = request as { readonly options?: unknown };
  const { num_ctx, num_predict } = (isObject(options) ? options : {}) as { readonly num_ctx?: Value; readonly num_predict?: Value };
  const window = typeof num_ctx === "number" && num_ctx > 0 ? num_ctx : windowByDefault;
  // -1 is no limit, -2 fills the window.
  return typeof num_predict === "number" && num_predict > 0 ? { window, output: num_predict } : { window };
}

function readLeading(message: unknown, index: number): readonly ObjectValue[] {
  const copy = wellFormedTexts(copyValue(message, ["messages", index])) as ObjectValue;
  try {
    const { nativeRole, units } = readMessage(copy);
    return units.length === 0 ? [] : [composeMessage(nativeRole, units)];
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidRequestError(`${pathText(["messages", index])}${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

function readTools({ tools }: ObjectValue): readonly ObjectValue[] {
  if (tools === undefined || tools === null) return [];
  const copies = wellFormedTexts(copyValue(tools, ["tools"]));
  if (!isArray(copies)) throw new InvalidRequestError("$.tools", "tools must be a list");
  const odd = copies.findIndex((tool) => !isObject(tool));
  if (odd >= 0) throw new InvalidRequestError(pathText(["tools", odd]), "a tool must be an object");
  return copies as readonly ObjectValue[];
}
