import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import { readUsage } from "./usage.ts";

/** Stop reasons of a reply that is no message of the history: a refusal is not sent back, a compaction stands for messages that were. */
const withoutMessage: ReadonlySet<unknown> = new Set(["refusal", "compaction"]);

/** Reads a reply of the Messages endpoint, or what the accumulator made of a stream. */
export function readReply(given: object): ReplyReading {
  if (typeof given !== "object" || given === null) throw new InvalidReplyError("$", "a reply object is needed");
  const reply = copyReply(given as Readonly<Record<string, unknown>>);
  if (!isArray(reply.content)) {
    throw new InvalidReplyError("$.content", reply.type === "error" ? "this is an error, not a reply" : "a reply has an array of blocks");
  }
  if (reply.role !== "assistant") throw new InvalidReplyError("$.role", "a reply's role is assistant");
  const hasMessage = reply.content.length > 0 && !withoutMessage.has(reply.stop_reason);
  return {
    messages: hasMessage ? [Object.freeze({ role: "assistant", content: reply.content })] : [],
    finished: typeof reply.stop_reason === "string",
    usage: readUsage(reply.usage),
    dropped: isArray(reply.input_transformations) ? reply.input_transformations.flatMap(readDrop) : [],
    cacheMissReason: missReason(reply.diagnostics),
    ...(typeof reply.id === "string" ? { id: reply.id } : {}),
  };
}

const read = ["id", "type", "role", "content", "stop_reason", "usage", "input_transformations", "diagnostics"] as const;

/** What is read of a reply. The SDKs hang methods and hidden members on theirs, which are none of our business. */
function copyReply(given: Readonly<Record<string, unknown>>): ObjectValue {
  const reply: Record<string, Value> = {};
  for (const name of read) if (given[name] !== undefined) reply[name] = copyValue(given[name], [name]);
  return reply;
}

const droppedPath = /^messages\.(\d+)\.content\.(\d+)/;

/** Only `thinking_dropped` is a drop; `thinking_mismatch_allowed` was shown to the model, and types to come are ignored as the SDK asks. */
function readDrop(entry: Value): ReplyReading["dropped"] {
  if (!isObject(entry) || entry.type !== "thinking_dropped") return [];
  const { path, reason } = entry;
  const place = typeof path === "string" ? droppedPath.exec(path) : null;
  return place === null ? [] : [{ message: Number(place[1]), block: Number(place[2]), reason: typeof reason === "string" ? reason : "" }];
}

function missReason(diagnostics: Value | undefined): string | undefined {
  const reason = isObject(diagnostics) ? diagnostics.cache_miss_reason : undefined;
  const word = isObject(reason) ? reason.type : reason;
  return typeof word === "string" ? word : undefined;
}
