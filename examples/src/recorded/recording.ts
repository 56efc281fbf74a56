import type { ObjectValue } from "@tidemark/core";
import { completeHead } from "./complete-head.ts";
import { readDocuments, whatIsRead } from "./documents.ts";
import { RecordingError } from "./recording-error.ts";
import { isMessage, messageIn, messagesIn, requestIn } from "./request-in.ts";
import { sentMessages } from "./sent-members.ts";
import type { Step } from "./step.ts";
import { stepsOfHistory, stepsOfRequests } from "./steps.ts";
import { type WireName, wireOf } from "./wire-of.ts";

/** A recorded session in the requests that its host made, or would have made. */
export type Recording = {
  readonly file: string;
  readonly wire: WireName;
  readonly steps: readonly Step[];
  /** What was assumed where the recording is silent, in words. */
  readonly assumed: readonly string[];
};

/** Reads the text of a recording: a history, as messages or with its head, or the requests of a session. @throws {RecordingError} */
export function readRecording(file: string, text: string): Recording {
  const documents = readDocuments(file, text);
  const [first] = documents;
  if (first === undefined) throw new RecordingError({ file }, "the array is empty", whatIsRead);
  if (isMessage(first.value)) {
    const messages = documents.map((document) => messageIn(file, document));
    return historyRecording(file, {}, messages);
  }
  const requests = documents.map((document) => requestIn(file, document));
  const [only, ...others] = requests;
  if (only !== undefined && others.length === 0) {
    return historyRecording(file, headIn(only.body), messagesIn(file, first.line, only.body));
  }
  return { file, wire: wireOf(only?.body ?? {}), steps: stepsOfRequests(requests), assumed: [] };
}

/** What stands beside the messages of a stored conversation is the host's own for the most part; this is what is sent. */
const headNames = new Set([
  "model",
  "max_tokens",
  "max_completion_tokens",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "cache_control",
]);

function headIn(body: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => headNames.has(name) && value !== null));
}

function historyRecording(file: string, head: ObjectValue, messages: readonly ObjectValue[]): Recording {
  const wire = wireOf({ ...head, messages });
  const { sent, left } = sentMessages(wire, messages);
  const { complete, assumed } = completeHead(wire, head, sent);
  const steps = stepsOfHistory(complete, sent);
  if (steps.length === 0) throw new RecordingError({ file }, "the history holds nothing to send", "a user message, and what followed it");
  const kept = left.length === 0 ? [] : [`that the messages' ${left.join(", ")} stay in the store`];
  return { file, wire, steps, assumed: [...assumed, ...kept] };
}
