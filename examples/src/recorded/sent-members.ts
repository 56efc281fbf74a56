import type { ObjectValue } from "@tidemark/core";
import type { WireName } from "./wire-of.ts";

/** What a message has on each wire. A stored one often bears more: the reply's id and usage, times, ids of the store's own. */
const messageMembers: Readonly<Record<WireName, readonly string[]>> = {
  anthropic: ["role", "content", "clear_at", "output_config"],
  "openai-chat": [
    ...["role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio"],
    ...["reasoning", "reasoning_content", "reasoning_details", "cache_control"],
  ],
};

/** A stored history as it is sent, and the names of the members that stay in the store. */
export function sentMessages(
  wire: WireName,
  messages: readonly ObjectValue[],
): { readonly sent: readonly ObjectValue[]; readonly left: readonly string[] } {
  const left = new Set<string>();
  const sent = messages.map((message) => {
    const own = Object.entries(message).filter(([name]) => messageMembers[wire].includes(name));
    for (const name of Object.keys(message)) if (!messageMembers[wire].includes(name)) left.add(name);
    return Object.fromEntries(own);
  });
  return { sent, left: [...left].sort() };
}
