import { copyValue, isArray, isObject, type ObjectValue } from "../../json/value.ts";
import { InvalidMessageError, InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import { memberOf } from "./layout.ts";
import { readUsage } from "./usage.ts";
import { readContent } from "./view.ts";

/** Reads a `GenerateContentResponse`: its first candidate. One without a finish reason is not finished; a prompt that was blocked is, and has no message. */
export function readReply(reply: object): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "a reply must be an object");
  const { candidates } = reply;
  const isBlocked = isObject(memberOf(reply, "promptFeedback"));
  if (candidates !== undefined && candidates !== null && !isArray(candidates)) {
    throw new InvalidReplyError("$.candidates", "the candidates must be a list");
  }
  if (candidates == null && !isBlocked && memberOf(reply, "usageMetadata") === undefined) {
    throw new InvalidReplyError("$.candidates", "a reply has candidates");
  }
  const candidate = candidates?.[0];
  if (candidate === undefined) return readingOf(reply, undefined, isBlocked);
  if (!isObject(candidate)) throw new InvalidReplyError("$.candidates[0]", "a candidate must be an object");
  const finished = typeof memberOf(candidate, "finishReason") === "string";
  if (candidate.content === undefined || candidate.content === null) return readingOf(reply, undefined, finished);
  const content = copyValue(candidate.content, ["candidates", 0, "content"]);
  if (!isObject(content)) throw new InvalidReplyError("$.candidates[0].content", "a content must be an object");
  const whole: ObjectValue = content.role === "model" ? content : Object.freeze({ ...content, role: "model" });
  return readingOf(reply, bearsAnything(whole) ? whole : undefined, finished);
}

function bearsAnything(content: ObjectValue): boolean {
  try {
    return readContent(content).units.length > 0;
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(`$.candidates[0].content${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

function readingOf(reply: ObjectValue, message: ObjectValue | undefined, finished: boolean): ReplyReading {
  return { messages: message === undefined ? [] : [message], finished, usage: readUsage(reply), dropped: [], cacheMissReason: undefined };
}
