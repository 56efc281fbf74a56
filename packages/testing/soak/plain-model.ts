import { byText } from "./by-text.ts";
import { type Block, blocksOf, isBlank, isThinking } from "./history.ts";

/**
 * What the soak itself believes of messages: made from their JSON alone, by no code of the library. Slow and plain, so that it can be trusted.
 */
export type AnyMessage = { readonly role: string; readonly content: unknown };

/** A message as it goes over the wire, without cache marks. */
export function bytesOf(message: unknown): string {
  const text = JSON.stringify(message);
  return marks.test(text) ? JSON.stringify(message, withoutMark) : text;
}

/** Members that are marks, and the block that is one. */
const marks = /"(?:cache_control|prompt_cache_breakpoint|cachePoint)"/;

function withoutMark(name: string, value: unknown): unknown {
  if (name === "cache_control" || name === "prompt_cache_breakpoint") return undefined;
  return Array.isArray(value) ? value.filter((item) => !(typeof item === "object" && item !== null && "cachePoint" in item)) : value;
}

/** How many leading texts are the same. */
export function commonLength(before: readonly string[], now: readonly string[]): number {
  let length = 0;
  while (length < before.length && length < now.length && before[length] === now[length]) length++;
  return length;
}

export function isPrefix(before: readonly string[], now: readonly string[]): boolean {
  return commonLength(before, now) === before.length;
}

/** Rule 1: a message is answered once a reply stands behind it in the same window; the last reply was part of a window too. */
export function answeredTo(messages: readonly AnyMessage[]): number {
  return messages.findLastIndex((message) => message.role === "assistant") + 1;
}

/** Messages as the provider reads them: a chain of blocks, and of what else a message says, however they are cut into messages, keys sorted, without blank text and marks. */
export function providerChain(messages: readonly AnyMessage[]): readonly string[] {
  return messages.flatMap(({ role, content, ...others }) => {
    const blocks = blocksOf({ content }).flatMap((block) => {
      if (isBlank(block)) return [];
      const said = block.type === "text" ? { ...block, text: String(block.text).trim() } : block;
      return [`${role} ${sortedJson(said.native === undefined ? said : { ...said, native: withoutLoose(said.native) })}`];
    });
    return Object.keys(others).length === 0 ? blocks : [...blocks, `${role} ${sortedJson(others)}`];
  });
}

/** A provider's own piece without what stores may drop: an item's id and status. */
function withoutLoose(native: unknown): unknown {
  if (typeof native !== "object" || native === null || Array.isArray(native)) return native;
  const { id: _id, status: _status, ...rest } = native as Record<string, unknown>;
  return rest;
}

/**
 * A host history up to representation (rule 4): a chain of blocks without thinking, marks, nulls and blank text; between two replies results stand first,
 * by id; a row of replies that only thinks is one piece. Two histories of the same chain are the same.
 */
export function givenChain(messages: readonly AnyMessage[]): readonly string[] {
  const chain: string[] = [];
  let turn: { results: string[]; rest: string[] } = { results: [], rest: [] };
  let row: { replies: string[]; thinks: boolean } = { replies: [], thinks: false };
  const closeTurn = () => {
    chain.push(...turn.results.sort(), ...turn.rest);
    turn = { results: [], rest: [] };
  };
  const closeRow = () => {
    chain.push(...(row.replies.length === 0 && row.thinks ? [onlyThinks] : row.replies));
    row = { replies: [], thinks: false };
  };
  for (const message of messages) {
    const { replies, thinks, results, rest } = givenParts(message);
    if (replies.length > 0 || thinks) closeTurn();
    if (results.length + rest.length > 0) closeRow();
    row = { replies: [...row.replies, ...replies], thinks: row.thinks || thinks };
    turn.results.push(...results);
    turn.rest.push(...rest);
  }
  closeRow();
  closeTurn();
  return chain;
}

export const onlyThinks = "assistant thinks";

type GivenParts = {
  readonly replies: readonly string[];
  readonly thinks: boolean;
  readonly results: readonly string[];
  readonly rest: readonly string[];
};

const givenParts = byText(({ role, content }: AnyMessage): GivenParts => {
  const all = blocksOf({ content }).filter((block) => !isBlank(block));
  const blocks = all.filter((block) => !isThinking(block));
  const texts = (kept: readonly Block[]) => kept.map((block) => `${role} ${sortedJson(plainBlock(block))}`);
  if (role === "assistant") return { replies: texts(blocks), thinks: blocks.length < all.length, results: [], rest: [] };
  const isResult = (block: Block) => block.type === "tool_result";
  return { replies: [], thinks: false, results: texts(blocks.filter(isResult)), rest: texts(blocks.filter((block) => !isResult(block))) };
});

/** Whether a piece of a chain is a reply's. */
export function isReply(text: string): boolean {
  return text.startsWith("assistant ");
}

/** The part of such a chain that ends with its last reply. */
export function untilLastReply(chain: readonly string[]): readonly string[] {
  return chain.slice(0, chain.findLastIndex(isReply) + 1);
}

/** Whether a history goes on with a reply to another one. */
export function repliesTo(before: readonly string[], now: readonly string[]): boolean {
  const next = now[before.length];
  return next !== undefined && isReply(next) && isPrefix(before, now);
}

function plainBlock(block: Block): object {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(block))
    if (value !== null && name !== "native" && !(name === "is_error" && value === false)) plain[name] = value;
  if (block.type === "tool_result") delete plain.name;
  if (block.type === "tool_result") plain.content = blocksOf({ content: block.content ?? "" }).filter((inner) => !isBlank(inner));
  return plain;
}

/** JSON text with sorted keys and without cache marks. */
export function sortedJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && name !== "cache_control");
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`).join(",")}}`;
}
