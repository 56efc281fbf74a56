import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import { readUsage } from "./usage.ts";

/** Stop reasons of a reply that came to nothing: what it holds cannot be sent back. */
const failed: ReadonlySet<unknown> = new Set(["malformed_tool_use", "malformed_model_output"]);

/** Reads what Converse answered, or what the accumulator made of a stream. The SDK's own members beside it are none of our business. */
export function readReply(given: object): ReplyReading {
  if (typeof given !== "object" || given === null) throw new InvalidReplyError("$", "a reply object is needed");
  const { output, stopReason, usage } = given as { readonly [name in "output" | "stopReason" | "usage"]?: unknown };
  const message = messageOf(copyOf(output, "output"));
  const finished = typeof stopReason === "string" && !failed.has(stopReason);
  return {
    messages: message === undefined ? [] : [message],
    finished,
    usage: readUsage(copyOf(usage, "usage")),
    dropped: [],
    cacheMissReason: undefined,
  };
}

function copyOf(value: unknown, name: string): Value {
  return value === undefined ? null : copyValue(value, [name]);
}

function messageOf(output: Value): ObjectValue | undefined {
  const message = isObject(output) ? output.message : undefined;
  if (!isObject(message) || !isArray(message.content)) throw new InvalidReplyError("$.output.message", "a reply has a message with blocks");
  if (message.role !== "assistant") throw new InvalidReplyError("$.output.message.role", "a reply's role is assistant");
  return message.content.length === 0 ? undefined : message;
}
