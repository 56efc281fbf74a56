import type { ObjectValue } from "@tidemark/core";
import { isObject, listOf } from "../demo/body.ts";
import type { WireName } from "./wire-of.ts";

const usualModels: Readonly<Record<WireName, string>> = { anthropic: "claude-sonnet-5-5", "openai-chat": "gpt-5.4" };

/** A history's head with what a provider wants and the recording does not hold. `assumed` says what that was. */
export function completeHead(
  wire: WireName,
  head: ObjectValue,
  messages: readonly ObjectValue[],
): { readonly complete: ObjectValue; readonly assumed: readonly string[] } {
  const assumed: string[] = [];
  let complete = head;
  if (typeof complete.model !== "string") {
    complete = { model: usualModels[wire], ...complete };
    assumed.push(`the model ${usualModels[wire]}`);
  }
  if (wire !== "anthropic") return { complete, assumed };
  complete = { max_tokens: 8_192, cache_control: { type: "ephemeral" }, ...complete };
  const called = toolsCalled(messages);
  if (complete.tools === undefined && called.length > 0) {
    complete = { ...complete, tools: called.map((name) => ({ name, input_schema: { type: "object" } })) };
    assumed.push(called.length === 1 ? "one tool by its name alone" : `${called.length} tools by their names alone`);
  }
  return { complete, assumed };
}

function toolsCalled(messages: readonly ObjectValue[]): readonly string[] {
  const blocks = messages.flatMap(({ content }) => listOf(content)).filter(isObject);
  return [...new Set(blocks.flatMap(({ type, name }) => (type === "tool_use" && typeof name === "string" ? [name] : [])))].sort();
}
