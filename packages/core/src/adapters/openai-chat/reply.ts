import { copyValue, isArray, isObject, type ObjectValue } from "../../json/value.ts";
import { InvalidMessageError, InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import type { Dialect } from "./dialects.ts";
import { readUsage } from "./usage.ts";
import { readMessage } from "./view.ts";

/** Reads a `chat.completion`: its first choice. One without a finish reason, or that ended in an error, settles nothing. */
export function readReply(reply: object, dialect: Dialect): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "a reply must be an object");
  const { choices } = reply;
  if (!isArray(choices)) throw new InvalidReplyError("$.choices", "a chat completion has a list of choices");
  const choice = choices[0];
  if (choice === undefined) return readingOf(reply, undefined, false);
  if (!isObject(choice)) throw new InvalidReplyError("$.choices[0]", "a choice must be an object");
  const finished = isFinish(choice.finish_reason);
  if (choice.message === undefined || choice.message === null) {
    if (finished)
      throw new InvalidReplyError("$.choices[0].message", "a finished choice has a message (streamed chunks go through the accumulator)");
    return readingOf(reply, undefined, false);
  }
  const message = copyValue(choice.message, ["choices", 0, "message"]);
  if (!isObject(message)) throw new InvalidReplyError("$.choices[0].message", "a message must be an object");
  const whole: ObjectValue = message.role === undefined ? Object.freeze({ role: "assistant", ...message }) : message;
  return readingOf(reply, bearsAnything(whole, dialect) ? whole : undefined, finished);
}

/** `error` is how OpenRouter ends a choice whose upstream failed. */
export function isFinish(reason: unknown): boolean {
  return typeof reason === "string" && reason !== "error";
}

function bearsAnything(message: ObjectValue, dialect: Dialect): boolean {
  try {
    return readMessage(message, dialect).units.length > 0;
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(`$.choices[0].message${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

function readingOf(reply: ObjectValue, message: ObjectValue | undefined, finished: boolean): ReplyReading {
  return { messages: message === undefined ? [] : [message], finished, usage: readUsage(reply), dropped: [], cacheMissReason: undefined };
}
