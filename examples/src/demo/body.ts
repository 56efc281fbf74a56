import type { ObjectValue, Value } from "@tidemark/core";

/** Reading a request's body as the plain JSON that goes over the wire, whichever wire that is. */
export function messagesOf(body: ObjectValue): readonly Value[] {
  return listOf(body.messages);
}

/** How many messages stand at the front in place of a system field. */
export function leadCount(body: ObjectValue): number {
  const messages = messagesOf(body);
  const first = messages.findIndex((message) => !isObject(message) || (message.role !== "system" && message.role !== "developer"));
  return first < 0 ? messages.length : first;
}

export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

export function isObject(value: unknown): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
