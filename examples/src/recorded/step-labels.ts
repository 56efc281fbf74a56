import type { ObjectValue, Value } from "@tidemark/core";
import { isObject, messagesOf } from "../demo/body.ts";
import type { Step } from "./step.ts";

/** What the host brings to each request, in a few words: what stands behind the last reply, and which head fields are others than before. */
export function labelsOf(steps: readonly Step[]): readonly string[] {
  return steps.map(({ body }, at) => {
    const before = steps[at - 1]?.body;
    const changed =
      before === undefined ? [] : (["model", "system", "tools"] as const).filter((name) => textOf(before[name]) !== textOf(body[name]));
    return [tailLabel(body), ...changed].join(" + ");
  });
}

function tailLabel(body: ObjectValue): string {
  const messages = messagesOf(body).filter(isObject);
  const tail = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const results = tail.reduce((sum, message) => sum + resultCount(message), 0);
  if (results > 0) return results === 1 ? "1 result" : `${results} results`;
  if (tail.length === 0) return "ends in a reply";
  return messages.some(({ role }) => role === "assistant") ? "question" : "first question";
}

function resultCount({ role, content }: ObjectValue): number {
  if (role === "tool") return 1;
  const blocks: readonly Value[] = Array.isArray(content) ? content : [];
  return blocks.filter((block) => isObject(block) && block.type === "tool_result").length;
}

function textOf(value: Value | undefined): string {
  return JSON.stringify(value) ?? "";
}
