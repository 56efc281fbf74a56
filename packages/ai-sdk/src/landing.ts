import type { Landing } from "@tidemark/core";
import { isArray, isObject, type ObjectValue, type Value } from "@tidemark/core/adapter";
import type { SentRequest } from "@tidemark/core/fetch";
import type { ModelMessage, UIMessage } from "ai";

/** A window that was brought down, in the host's own words: what to store, if the host wants to. One that goes on with its full history may as well. */
export type PromptLanding = Omit<Landing, "replaces" | "replacement"> & {
  /** Positions among the messages, without leading system messages, half open; undefined: what was cut stays in place. */
  readonly replaces: { readonly from: number; readonly to: number } | undefined;
  readonly replacement: readonly ModelMessage[];
  /** The same as UI messages, for a host that stores those. */
  readonly uiReplacement: readonly UIMessage[];
  /** How many messages there were, without leading system messages: what came later was said over the new window. */
  readonly messageCount: number;
  /** The provider binds reasoning to what was replaced: that of the messages so far is no longer sent. */
  readonly voidsReasoning: boolean;
};

/** The landings that a request carries. `lead`: leading system messages of its prompt, of which there are `messageCount` in all. */
export function landingsOf({ session, turn }: SentRequest, lead: number, messageCount: number): readonly PromptLanding[] {
  const voids = turn.continuity.checkpoints.some((checkpoint) => checkpoint.reason === "compaction" && checkpoint.voids.length > 0);
  const landings = session.landings.filter((landing) => landing.turn === turn.number);
  return landings.map(({ replaces, replacement, ...landing }) => ({
    ...landing,
    replaces: replaces && { from: replaces.from - lead, to: replaces.to - lead },
    replacement: replacement.map(asModelMessage),
    uiReplacement: replacement.map((message, index) => asUIMessage(message, `tidemark-${landing.number}-${index}`)),
    messageCount: messageCount - lead,
    voidsReasoning: voids,
  }));
}

/**
 * The messages with a landing's replacement in place of what it replaced, ready to store. Kept messages lose only the reasoning that the provider binds to what was replaced; what
 * was said after the landing keeps it. Messages that the landing does not fit come back as they are.
 */
export function compactModelMessages(messages: readonly ModelMessage[], landing: PromptLanding): ModelMessage[] {
  const { replaces, replacement, messageCount, voidsReasoning } = landing;
  if (replaces === undefined) return [...messages];
  const positions = promptPositions(messages);
  const from = positions.indexOf(replaces.from);
  const end = positions.findIndex((position) => position >= replaces.to);
  const to = end < 0 ? messages.length : end;
  if (from < 0 || (positions.at(-1) ?? -1) < replaces.to - 1) return [...messages];
  const kept = messages
    .slice(to)
    .map((message, index) => (voidsReasoning && (positions[to + index] as number) < messageCount ? withoutReasoning(message) : message));
  return [...messages.slice(0, from), ...replacement, ...kept];
}

/** Where each message stands in the prompt that the AI SDK makes of them: neighbouring tool messages are one; leading system messages, -1, are none of the conversation. */
function promptPositions(messages: readonly ModelMessage[]): readonly number[] {
  let next = 0;
  return messages.map((message, index) => {
    if (message.role === "system" && next === 0) return -1;
    const joins = message.role === "tool" && messages[index - 1]?.role === "tool";
    next += joins ? 0 : 1;
    return next - 1;
  });
}

function withoutReasoning(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  return { ...message, content: message.content.filter(({ type }) => type !== "reasoning" && type !== "reasoning-file") };
}

function asModelMessage(message: ObjectValue): ModelMessage {
  const { content } = message;
  const parts = isArray(content) ? content.map(withPlainData) : content;
  return { ...message, content: parts } as unknown as ModelMessage;
}

/** A file's data without its tag: an address as a URL. */
function withPlainData(part: Value): unknown {
  if (!isObject(part) || !isObject(part.data)) return part;
  const { type, data, url } = part.data;
  return { ...part, data: type === "url" ? new URL(String(url)) : (data ?? part.data) };
}

function asUIMessage({ role, content }: ObjectValue, id: string): UIMessage {
  const texts = isArray(content)
    ? content.flatMap((part) => (isObject(part) && typeof part.text === "string" ? part.text : []))
    : [String(content)];
  return { id, role: role === "assistant" ? "assistant" : "user", parts: texts.map((text) => ({ type: "text", text })) };
}
