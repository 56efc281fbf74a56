import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../../json/value.ts";
import { InvalidMessageError, InvalidReplyError } from "../../wire/errors.ts";
import type { DroppedReasoning, ReplyReading } from "../../wire/reply.ts";
import { readUsage } from "./usage.ts";
import { readItem } from "./view.ts";

/**
 * Reads a response: its output items are the reply. Only a completed one settles; an incomplete or failed one has no state to go back to the
 * provider as its own. What goes wrong with an item is told by its place.
 */
export function readReply(reply: object): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "a reply must be an object");
  const { output, status, error, usage, id } = reply;
  if (!isArray(output))
    throw new InvalidReplyError("$.output", "a response has a list of output items (streamed events go through the accumulator)");
  const messages = output.map(readable).filter((item) => item !== undefined);
  return {
    messages,
    finished: isFinished(status) && !isObject(error),
    usage: readUsage(usage),
    dropped: droppedIn(reply.input_transformations),
    cacheMissReason: missReason(reply.prompt_cache_diagnostics),
    ...(typeof id === "string" ? { id } : {}),
  };
}

/** Some gateways leave the status out. */
function isFinished(status: Value | undefined): boolean {
  return status === "completed" || status === undefined || status === null;
}

function readable(item: Value, index: number): ObjectValue | undefined {
  const copy = copyValue(item, ["output", index]);
  if (!isObject(copy)) throw new InvalidReplyError(`$.output[${index}]`, "an item must be an object");
  try {
    return readItem(copy).units.length > 0 ? withSummary(copy) : undefined;
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(`$.output[${index}]${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

/** An absent summary goes back as `[]`. */
function withSummary(item: ObjectValue): ObjectValue {
  return item.type === "reasoning" && !isArray(item.summary) ? Object.freeze({ ...item, summary: [] }) : item;
}

/** Reasoning that the request's own `reasoning.context` left out is not lost. */
function droppedIn(transformations: Value | undefined): readonly DroppedReasoning[] {
  if (!isArray(transformations)) return [];
  return transformations.flatMap((item) => {
    if (!isObject(item) || item.type !== "reasoning" || typeof item.id !== "string" || item.reason === "turn_boundary") return [];
    return [{ id: item.id, reason: String(item.reason) }];
  });
}

/** `tools_changed`; undefined where the cache was hit or nothing was compared. */
function missReason(diagnostics: Value | undefined): string | undefined {
  return isObject(diagnostics) && typeof diagnostics.reason === "string" ? diagnostics.reason : undefined;
}
