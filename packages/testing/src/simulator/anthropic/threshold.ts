import type { ObjectValue } from "@tidemark/core";
import { objectOf, objectsOf } from "../json.ts";
import { blocksOf } from "./blocks.ts";

/** Tokens above which the provider compacts by itself; the default of `compact_20260112`. Undefined: it was not asked to. */
export function thresholdOf(request: ObjectValue): number | undefined {
  const edit = objectsOf(objectOf(request.context_management).edits).find(({ type }) => type === "compact_20260112");
  if (edit === undefined) return undefined;
  const { value } = objectOf(edit.trigger);
  return typeof value === "number" ? value : 150_000;
}

/** The block by which it says what it read no more: unsigned, unlike one that was asked for. */
export function thresholdBlock(summary: string): ObjectValue {
  return { type: "compaction", content: summary };
}

type Read = { readonly request: ObjectValue; readonly dropped: ReadonlyMap<number, ReadonlySet<number>> };

/** What the provider reads of a request: what precedes the last block is dropped; one without content failed and stands for nothing. */
export function readFrom({ request, dropped }: Read): Read {
  const messages = objectsOf(request.messages);
  const start = messages.findLastIndex(({ content }) => blockAt(content) >= 0);
  if (start < 0) return { request, dropped };
  const first = messages[start] as ObjectValue;
  const from = blockAt(first.content);
  const moved = Array.from(dropped, ([message, blocks]): [number, ReadonlySet<number>] => {
    const kept = message === start ? Array.from(blocks, (block) => block - from).filter((block) => block >= 0) : [...blocks];
    return [message - start, new Set(kept)];
  });
  const kept = [{ ...first, content: blocksOf(first.content).slice(from) }, ...messages.slice(start + 1)];
  return { request: { ...request, messages: kept }, dropped: new Map(moved.filter(([message]) => message >= 0)) };
}

function blockAt(content: ObjectValue[string] | undefined): number {
  return blocksOf(content).findLastIndex((block) => block.type === "compaction" && block.content !== null && block.signature === undefined);
}
