import type { ObjectValue, Value } from "@tidemark/core";
import { digest } from "../digest.ts";
import { objectsOf, stringOf } from "../json.ts";
import { rememberSettled } from "../settled.ts";
import { unitsPerToken } from "../tokens.ts";

/** What a picture counts, whatever its size: the server's own figure. */
const pictureTokens = 768;

/** The prompt as the model reads it, and how many messages did not fit into the window. */
export type Prompt = { readonly text: string; readonly tokens: number; readonly truncated: number };

/**
 * Renders a request as the server does: when it is longer than the window, the oldest messages are dropped one by one until it fits; system messages stay, the last message
 * stays, and results are never parted from the reply that called. Nobody is told.
 */
export function promptOf(messages: readonly ObjectValue[], tools: Value | undefined, windowTokens: number): Prompt {
  const head = objectsOf(tools).map(toolText).join("");
  for (let from = 0; from < messages.length; from++) {
    const start = turnStart(messages, from);
    const system = messages.slice(0, start).filter(({ role }) => role === "system");
    const text = [head, ...system.map(messageText), ...messages.slice(start).map(messageText)].join("");
    const tokens = Math.ceil(text.length / unitsPerToken);
    if (tokens <= windowTokens || from === messages.length - 1) return { text, tokens, truncated: start - system.length };
  }
  return { text: head, tokens: Math.ceil(head.length / unitsPerToken), truncated: 0 };
}

export const messageText: (message: ObjectValue) => string = rememberSettled((message) => {
  const { role, content, thinking, images, tool_calls, tool_name } = message;
  const pictures = (Array.isArray(images) ? images : []).map((image) => digest(String(image)).padEnd(pictureTokens * unitsPerToken, "."));
  const calls = objectsOf(tool_calls).map((call) => JSON.stringify(call.function ?? null));
  return [`<${stringOf(role)} ${stringOf(tool_name)}>`, stringOf(thinking), stringOf(content), ...pictures, ...calls].join("\n");
});

const toolText: (tool: ObjectValue) => string = rememberSettled((tool) => JSON.stringify(tool));

/** Where the turn begins that a result belongs to: results are kept with their calls. */
function turnStart(messages: readonly ObjectValue[], at: number): number {
  let start = at;
  while (start > 0 && messages[at]?.role === "tool" && messages[start - 1]?.role === "tool") start -= 1;
  const before = messages[start - 1];
  const called = messages[at]?.role === "tool" && before?.role === "assistant" && objectsOf(before.tool_calls).length > 0;
  return called ? start - 1 : at;
}
