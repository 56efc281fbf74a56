import type { ObjectValue } from "@tidemark/core";
import { link } from "../digest.ts";
import { objectOf, objectsOf, shallowSortedJson, sortedJson, stringOf } from "../json.ts";
import { isSettled, rememberSettled } from "../settled.ts";
import { documentTokens, pictureTokens, tokensOf } from "../tokens.ts";
import { blocksOf, fieldsOf, isTurnScoped, unmarked } from "./blocks.ts";

/**
 * The places of a prompt at which a cache entry may end, front to back: tools, system blocks, message blocks.
 *  1. `tokens` and `digest` are those of everything of its part up to and including the place.
 *  2. Neighbouring places share an `ordinal` when they are a run of calls or a run of results: the look-back counts ordinals.
 */
export type Position = {
  readonly digest: string;
  readonly tokens: number;
  readonly ordinal: number;
  /** Time to live of the cache mark that sits here. */
  readonly mark: string | undefined;
  /** Whether an automatic mark may sit here. */
  readonly markable: boolean;
};

/** A part of the prompt read up to some place. */
type Stretch = {
  readonly digest: string;
  readonly tokens: number;
  readonly ordinal: number;
  readonly run: string | undefined;
  readonly hasPicture: boolean;
  readonly hasCitations: boolean;
};

export type Part = {
  readonly positions: readonly Position[];
  readonly end: Stretch;
};

/** `lasting`: digest of what the next request repeats, without a turn-scoped message at the end. */
export type MessagesPart = Part & { readonly lasting: string };

const start: Stretch = { digest: "", tokens: 0, ordinal: 0, run: undefined, hasPicture: false, hasCitations: false };

/** `significant`: key order inside a call's input or a tool's schema is part of the prefix, since the model is shown it. */
export type KeyOrder = "significant" | "ignored";

export interface PositionReader {
  tools(request: ObjectValue): Part;
  system(request: ObjectValue): Part;
  /** `dropped`: positions of thinking blocks that the model is not shown, by message. */
  messages(request: ObjectValue, dropped: ReadonlyMap<number, ReadonlySet<number>>): MessagesPart;
}

export function positionReader(keyOrder: KeyOrder): PositionReader {
  const facts = rememberSettled((block: ObjectValue) => factsOf(block, keyOrder));
  const known = new WeakMap<object, { readonly from: string; readonly part: Part }>();
  const row = rememberSettled((blocks: readonly ObjectValue[]): Part => extended(start, "", blocks, true, facts));

  const afterMessage = (from: Stretch, message: ObjectValue, dropped: ReadonlySet<number> | undefined): Part => {
    const hit = dropped === undefined ? known.get(message) : undefined;
    if (hit !== undefined && hit.from === from.digest) return hit.part;
    const fields = fieldsOf(message);
    const blocks = blocksOf(message.content).filter((_block, position) => dropped?.has(position) !== true);
    const lead = fields === undefined ? from : { ...from, digest: link(from.digest, sortedJson(fields)) };
    const part = blocks.length === 0 ? fieldsAlone(lead) : extended(lead, stringOf(message.role), blocks, !isTurnScoped(message), facts);
    if (dropped === undefined && isSettled(message)) known.set(message, { from: from.digest, part });
    return part;
  };

  return {
    tools: (request) => row(objectsOf(request.tools)),
    system: (request) => row(blocksOf(request.system)),
    messages: (request, dropped) => {
      const messages = objectsOf(request.messages);
      const lastUser = messages.findLastIndex((message) => message.role === "user");
      const positions: Position[] = [];
      let end = start;
      let lasting: string | undefined;
      for (const [index, message] of messages.entries()) {
        // A cleared message costs nothing and is no part of the key.
        if (index < lastUser && isTurnScoped(message)) continue;
        if (isTurnScoped(message)) lasting ??= end.digest;
        const part = afterMessage(end, message, dropped.get(index));
        for (const position of part.positions) positions.push(position);
        end = part.end;
      }
      return { positions, end, lasting: lasting ?? end.digest };
    },
  };
}

/** A message without blocks, such as one that only sets the effort. */
function fieldsAlone(end: Stretch): Part {
  return { positions: [{ digest: end.digest, tokens: end.tokens, ordinal: end.ordinal, mark: undefined, markable: false }], end };
}

type BlockFacts = { readonly text: string; readonly tokens: number; readonly isPicture: boolean; readonly isCited: boolean };

function extended(
  from: Stretch,
  role: string,
  blocks: readonly ObjectValue[],
  markable: boolean,
  factsOf: (block: ObjectValue) => BlockFacts,
): Part {
  const positions: Position[] = [];
  let end = from;
  for (const block of blocks) {
    const facts = factsOf(block);
    const type = stringOf(block.type);
    const run = type === "tool_use" || type === "tool_result" ? type : undefined;
    end = {
      digest: link(end.digest, `${role}\n${facts.text}`),
      tokens: end.tokens + facts.tokens,
      ordinal: run !== undefined && run === end.run ? end.ordinal : end.ordinal + 1,
      run,
      hasPicture: end.hasPicture || facts.isPicture,
      hasCitations: end.hasCitations || facts.isCited,
    };
    positions.push({
      digest: end.digest,
      tokens: end.tokens,
      ordinal: end.ordinal,
      mark: markOf(block),
      markable: markable && takesMark(block),
    });
  }
  return { positions, end };
}

function factsOf(block: ObjectValue, keyOrder: KeyOrder): BlockFacts {
  const bare = unmarked(block);
  const text = keyOrder === "ignored" ? sortedJson(bare) : shallowSortedJson(bare);
  const inner = bare.type === "tool_result" ? objectsOf(bare.content) : [];
  return {
    text,
    tokens: blockTokens(bare, text),
    isPicture: bare.type === "image" || inner.some((part) => part.type === "image"),
    isCited: objectOf(bare.citations).enabled === true,
  };
}

/** The tokens of a block. A signature costs nothing, hidden or shown; bytes cost a fixed figure. */
function blockTokens(block: ObjectValue, text: string): number {
  if (block.type === "image") return pictureTokens;
  if (block.type === "document" && objectOf(block.source).type === "base64") return documentTokens;
  if (block.type === "thinking") return 1 + tokensOf(stringOf(block.thinking));
  const media =
    block.type === "tool_result" ? objectsOf(block.content).filter((part) => part.type === "image" || part.type === "document") : [];
  if (media.length === 0) return tokensOf(text);
  const words = objectsOf(block.content).filter((part) => !media.includes(part));
  return tokensOf(JSON.stringify(words)) + media.reduce((sum, part) => sum + blockTokens(part, JSON.stringify(part)), 0);
}

function markOf(block: ObjectValue): string | undefined {
  const mark = block.cache_control;
  if (mark === undefined || mark === null) return undefined;
  return stringOf(objectOf(mark).ttl) || "5m";
}

function takesMark(block: ObjectValue): boolean {
  if (block.type === "text") return stringOf(block.text) !== "";
  return block.type !== "thinking" && block.type !== "redacted_thinking";
}
