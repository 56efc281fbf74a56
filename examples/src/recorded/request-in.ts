import type { ObjectValue, Value } from "@tidemark/core";
import { isObject, listOf } from "../demo/body.ts";
import { type Document, whatIsRead } from "./documents.ts";
import { RecordingError } from "./recording-error.ts";
import type { Step } from "./step.ts";

/** The request that a document is or wraps, with its response where the wrapper has one. Bodies may be text in their wrapper, as loggers write them. @throws {RecordingError} */
export function requestIn(file: string, { value, line }: Document): Step {
  let [body, response, headers]: [Value | undefined, Value | undefined, Value | undefined] = [value, undefined, undefined];
  while (isObject(body) && !Array.isArray(body.messages) && (body.request ?? body.body) !== undefined) {
    response = body.response ?? response;
    headers = body.headers ?? headers;
    body = unquoted(body.request ?? body.body);
  }
  if (!isObject(body) || !Array.isArray(body.messages))
    throw new RecordingError({ file, line }, `this is ${naming(value)}, and holds no \`messages\``, whatIsRead);
  messagesIn(file, line, body);
  return { body, reply: replyIn(unquoted(response)), headers: headersIn(headers) };
}

/** @throws {RecordingError} for what has no role. */
export function messagesIn(file: string, line: number, { messages }: ObjectValue): readonly ObjectValue[] {
  return listOf(messages).map((message, index) => {
    if (isMessage(message)) return message;
    throw new RecordingError({ file, line }, `messages[${index}] is ${naming(message)}, and no message`, "a message with a `role`");
  });
}

export function messageIn(file: string, { value, line }: Document): ObjectValue {
  if (isMessage(value)) return value;
  throw new RecordingError({ file, line }, `this is ${naming(value)}, and no message`, "a message with a `role`, as the ones before it");
}

export function isMessage(value: Value): value is ObjectValue {
  return isObject(value) && typeof value.role === "string" && !Array.isArray(value.messages);
}

/** A recorded response of either wire as the message that a host would keep of it. */
function replyIn(response: Value | undefined): ObjectValue | undefined {
  if (!isObject(response)) return undefined;
  const inner = unquoted(response.body) ?? response;
  if (!isObject(inner)) return undefined;
  if (Array.isArray(inner.content)) return { role: "assistant", content: inner.content };
  const [choice] = listOf(inner.choices);
  return isObject(choice) && isObject(choice.message) ? choice.message : undefined;
}

function headersIn(headers: Value | undefined): Step["headers"] {
  if (!isObject(headers)) return {};
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.flatMap(([name, value]) => (name.startsWith("anthropic-") && typeof value === "string" ? [[name, value]] : [])),
  );
}

function unquoted(value: Value | undefined): Value | undefined {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as Value;
  } catch {
    return value;
  }
}

function naming(value: Value): string {
  if (isObject(value)) {
    const names = Object.keys(value).map((name) => `\`${name}\``);
    return names.length === 0 ? "an empty object" : `an object with ${names.slice(0, 4).join(", ")}`;
  }
  if (Array.isArray(value)) return "an array";
  return value === null ? "null" : `a ${typeof value}`;
}
