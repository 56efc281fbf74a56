import { copyValue, isObject, type ObjectValue } from "../../json/value.ts";
import { InvalidMessageError, InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import { readUsage } from "./usage.ts";
import { readMessage } from "./view.ts";

/** Reads a `ChatResponse`. One that is not done, or that only loaded the model, settles nothing. */
export function readReply(reply: object): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "a reply must be an object");
  const { message: given, done, done_reason } = reply;
  if (given === undefined && reply.error !== undefined) throw new InvalidReplyError("$.error", "this is an error, not a reply");
  const message = copyValue(given, ["message"]);
  if (!isObject(message)) throw new InvalidReplyError("$.message", "a reply has a message");
  const whole: ObjectValue = message.role === undefined ? Object.freeze({ role: "assistant", ...message }) : message;
  return {
    messages: bearsAnything(whole) ? [whole] : [],
    finished: done === true && done_reason !== "load" && done_reason !== "unload",
    usage: readUsage(reply),
    dropped: [],
    cacheMissReason: undefined,
  };
}

function bearsAnything(message: ObjectValue): boolean {
  try {
    return readMessage(message).units.length > 0;
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(`$.message${error.path?.slice(1) ?? ""}`, error.problem);
  }
}
