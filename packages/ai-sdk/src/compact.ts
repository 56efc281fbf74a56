import { OptionError } from "@tidemark/core";
import type { ObjectValue } from "@tidemark/core/adapter";
import type { ModelMessage } from "ai";
import { sentPart } from "./wire/parts.ts";
import { isReasoning, reasoningUnit } from "./wire/reasoning.ts";

/** What stands for a part of a history. Plain JSON, but for files that a replacement keeps. */
export type Compacting = {
  /** Positions among the messages, without leading system messages, half open, counted as the SDK sends them (neighbouring tool messages are one); undefined: what was cut stays in place. */
  readonly replaces: { readonly from: number; readonly to: number } | undefined;
  readonly replacement: readonly ModelMessage[];
  /** How many messages there were, counted alike: what came later was said over the new window. */
  readonly messageCount: number;
  /** The provider binds reasoning to what was replaced: that of the messages so far is no longer sent. */
  readonly voidsReasoning: boolean;
};

/** Where a plan's replacement has its summary. */
export const summaryPlace = "[[tidemark: the summary]]";

/**
 * The messages with a replacement in place of what it replaces, ready to store. Kept messages lose only the reasoning that the provider binds to what was replaced; what was said after
 * it keeps it. Messages that it does not fit come back as they are.
 *
 * @param summary What was written for a plan of `planCompaction`; a landing has its own words.
 * @throws {OptionError} for what is neither landing nor plan, and for a plan without its summary.
 */
export function compactModelMessages(messages: readonly ModelMessage[], compacting: Compacting, summary?: string): ModelMessage[] {
  if (!Array.isArray((compacting as Partial<Compacting> | undefined)?.replacement))
    throw new OptionError("$.compacting", "expected a landing of onLanding, or what planCompaction resolved to");
  const { replaces, messageCount, voidsReasoning } = compacting;
  const replacement = compacting.replacement.map((message) => withSummary(message, summary));
  if (replaces === undefined) return [...messages];
  const positions = promptPositions(messages);
  const from = positions.indexOf(replaces.from);
  const end = positions.findIndex((position) => position >= replaces.to);
  const to = end < 0 ? messages.length : end;
  if (from < 0 || (positions.at(-1) ?? -1) < replaces.to - 1) return [...messages];
  const kept = messages
    .slice(to)
    .map((message, index) => (voidsReasoning && (positions[to + index] as number) < messageCount ? withoutBound(message) : message));
  return [...messages.slice(0, from), ...replacement, ...kept];
}

function withSummary(message: ModelMessage, summary: string | undefined): ModelMessage {
  if (message.role !== "user" || typeof message.content === "string") return message;
  if (!message.content.some((part) => part.type === "text" && part.text.includes(summaryPlace))) return message;
  if (summary === undefined || summary.trim() === "") throw new OptionError("$.summary", "expected the text that was written for the plan");
  const content = message.content.map((part) =>
    part.type === "text" ? { ...part, text: part.text.replace(summaryPlace, () => summary.trim()) } : part,
  );
  return { ...message, content };
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

function withoutBound(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  return { ...message, content: message.content.filter((part) => !isBound(part as unknown as ObjectValue)) };
}

function isBound(part: ObjectValue): boolean {
  return isReasoning(part) && (reasoningUnit(sentPart(part)) as { readonly bound: boolean }).bound;
}
