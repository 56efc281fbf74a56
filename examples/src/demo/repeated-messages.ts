import type { ObjectValue, Value } from "@tidemark/core";
import { isObject, listOf, messagesOf } from "./body.ts";

/**
 * How many leading messages a request repeats of the one before: 0 when what stands ahead of them differs. Told from the bodies alone, without
 * Tidemark, as a prompt cache tells it: cache marks, the order of a block's own members, and text in a block or bare make no difference.
 */
export function repeatedMessages(before: ObjectValue, now: ObjectValue): number {
  if (headText(before) !== headText(now)) return 0;
  const [old, messages] = [messagesOf(before), messagesOf(now)];
  let same = 0;
  while (same < old.length && same < messages.length && messageText(old[same]) === messageText(messages[same])) same += 1;
  return same;
}

function headText({ model = null, system, tools }: ObjectValue): string {
  return JSON.stringify([model, blocksOf(system), listOf(tools).map(unmarked)]);
}

function messageText(message: Value | undefined): string {
  if (!isObject(message)) return JSON.stringify(message) ?? "";
  const { content, ...others } = message;
  return JSON.stringify([unmarked(others), blocksOf(content)]);
}

function blocksOf(content: Value | undefined): readonly Value[] {
  return typeof content === "string" ? [unmarked({ type: "text", text: content })] : listOf(content).map(unmarked);
}

function unmarked(block: Value): Value {
  if (!isObject(block)) return block;
  const members = Object.entries(block).filter(([name, member]) => name !== "cache_control" && member !== null);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
