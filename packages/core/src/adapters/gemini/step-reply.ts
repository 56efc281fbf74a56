import { copyValue, isArray, isObject, type ObjectValue } from "../../json/value.ts";
import { InvalidMessageError, InvalidReplyError } from "../../wire/errors.ts";
import type { ReplyReading } from "../../wire/reply.ts";
import { contentTypes } from "./step-contents.ts";
import { readStep } from "./steps.ts";
import { readStepUsage } from "./usage.ts";

/** `requires_action` waits for results. One that is in progress, failed or cancelled settles nothing. */
const finishedStatuses: readonly unknown[] = ["completed", "requires_action", "incomplete"];

/** Reads an interaction: the steps of the model. Before it was generally available a reply had `outputs`, with words that stand in no step. */
export function readInteraction(reply: object): ReplyReading {
  if (!isObject(reply)) throw new InvalidReplyError("$", "a reply must be an object");
  const [place, list] = reply.steps === undefined ? (["outputs", reply.outputs] as const) : (["steps", reply.steps] as const);
  if (list === undefined && reply.status === undefined) throw new InvalidReplyError("$.steps", "an interaction has steps");
  if (list !== undefined && !isArray(list)) throw new InvalidReplyError(`$.${place}`, "the steps must be a list");
  const messages = (list ?? []).flatMap((step, index) => readReplyStep(step, `$.${place}[${index}]`));
  return {
    messages,
    finished: finishedStatuses.includes(reply.status),
    usage: readStepUsage(reply),
    dropped: [],
    cacheMissReason: undefined,
  };
}

function readReplyStep(given: unknown, path: string): readonly ObjectValue[] {
  const step = copyValue(given);
  if (!isObject(step)) throw new InvalidReplyError(path, "a step must be an object");
  const whole: ObjectValue = contentTypes.includes(step.type ?? null)
    ? Object.freeze({ type: "model_output", content: Object.freeze([step]) })
    : step;
  try {
    const { role, units } = readStep(whole);
    // A stored interaction that is read again has the words of the user, too.
    return role === "assistant" && units.length > 0 ? [whole] : [];
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidReplyError(`${path}${error.path?.slice(1) ?? ""}`, error.problem);
  }
}
