import type { ObjectValue } from "@tidemark/core";
import { isObject, messagesOf } from "../demo/body.ts";
import type { Step } from "./step.ts";

/** A history message by message, as a host would go through it: a request before each reply, and one at the end for what was not answered. */
export function stepsOfHistory(head: ObjectValue, messages: readonly ObjectValue[]): readonly Step[] {
  const steps: Step[] = [];
  for (const [at, message] of messages.entries()) {
    const begins = message.role === "assistant" && at > 0 && messages[at - 1]?.role !== "assistant";
    if (begins) steps.push({ body: { ...head, messages: messages.slice(0, at) }, reply: message, headers: {} });
  }
  if (messages.length > 0 && messages.at(-1)?.role !== "assistant")
    steps.push({ body: { ...head, messages }, reply: undefined, headers: {} });
  return steps;
}

/** Recorded requests; each is answered by what the next one holds behind its messages, where the recording has no response. */
export function stepsOfRequests(requests: readonly Step[]): readonly Step[] {
  return requests.map((step, at) => {
    const next = requests[at + 1];
    const answer = next === undefined ? undefined : messagesOf(next.body)[messagesOf(step.body).length];
    return { ...step, reply: step.reply ?? (isObject(answer) && answer.role === "assistant" ? answer : undefined) };
  });
}
