import { type Path, pathText } from "../json/path.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Head } from "../wire/head.ts";

/** What is remembered of a rendered request: its text, piece by piece. */
export type RenderedText = { readonly head: string; readonly messages: readonly string[]; readonly answeredTo: number };

export function renderedText(head: Head, messages: readonly ObjectValue[], roleOf: (message: ObjectValue) => string): RenderedText {
  const texts = messages.map((message) => JSON.stringify(message));
  const answeredTo = messages.findLastIndex((message) => roleOf(message) === "assistant") + 1;
  return { head: JSON.stringify([head.model, head.system, head.tools, head.params]), messages: texts, answeredTo };
}

/** Rule 1, checked on what was rendered and not on what was decided: where a request differs from the last one although no checkpoint says so. */
export function unexplained(
  before: RenderedText,
  now: RenderedText,
  checkpoints: readonly Checkpoint[],
  place: Path,
  lead: number,
): string | undefined {
  const headExplained = checkpoints.some((checkpoint) => checkpoint.reason !== "history");
  if (before.head !== now.head && !headExplained) return "$ (head fields)";
  if (headExplained) return undefined;
  for (let index = 0; index < before.answeredTo; index++) {
    if (before.messages[index] === now.messages[index]) continue;
    return checkpoints.some((checkpoint) => checkpoint.at <= index + lead) ? undefined : pathText([...place, index + lead]);
  }
  return undefined;
}
