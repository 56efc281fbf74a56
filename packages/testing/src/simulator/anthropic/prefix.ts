import type { ObjectValue } from "@tidemark/core";
import { digest, link } from "../digest.ts";
import { objectsOf, sortedJson, stringOf } from "../json.ts";
import { isSettled, rememberSettled } from "../settled.ts";
import { blocksOf, fieldsOf, isThinking, isTurnScoped, unmarked } from "./blocks.ts";

/**
 * The canonical prefix of the preserved-thinking check, as a chain of digests over (role, block).
 *  1. Left out: thinking, cache marks, white-space-only text, white space around text, key order, how one role's blocks are cut into messages.
 *  2. A turn-scoped system message counts while no user message stands behind it *in this prefix*.
 *  3. A compaction block starts the chain anew: a signed one where the summarised messages ended, a threshold one from itself.
 *  4. Nothing else is alike: splitting a text block, another block order, an added `citations: null` is another prefix.
 */
export type PrefixState = {
  /** All that counts here. */
  readonly shown: string;
  /** The same without turn-scoped messages: what `shown` becomes with the next user message. */
  readonly lasting: string;
  /** Role of the last summarised message, right behind a compaction block: what follows must not be of that role. */
  readonly seam: string | undefined;
};

export const emptyPrefix: PrefixState = { shown: "", lasting: "", seam: undefined };

/** Where a signed compaction block lets the chain go on; undefined for a block that the reader does not vouch for. */
export type CompactionSeam = (block: ObjectValue) => PrefixState | undefined;

export interface PrefixReader {
  after(state: PrefixState, message: ObjectValue): PrefixState;
}

export function prefixReader(seamOf: CompactionSeam): PrefixReader {
  const known = new WeakMap<object, { readonly from: PrefixState; readonly to: PrefixState }>();
  return {
    after: (state, message) => {
      const hit = known.get(message);
      if (hit !== undefined && sameState(hit.from, state)) return hit.to;
      const to = afterMessage(state, message, seamOf);
      if (isSettled(message)) known.set(message, { from: state, to });
      return to;
    },
  };
}

/** Digest of what stands ahead of the messages: the system text and the tools that are not deferred. */
export function headDigest(request: ObjectValue): string {
  return digest(`${systemText(blocksOf(request.system))}\n\n${toolsText(objectsOf(request.tools))}`);
}

const systemText = rememberSettled((blocks: readonly ObjectValue[]) => blocks.flatMap((block) => canonicalBlock(block) ?? []).join("\n"));

const toolsText = rememberSettled((tools: readonly ObjectValue[]) =>
  tools
    .filter((tool) => tool.defer_loading !== true)
    .map((tool) => sortedJson(unmarked(tool)))
    .join("\n"),
);

function afterMessage(before: PrefixState, message: ObjectValue, seamOf: CompactionSeam): PrefixState {
  const role = stringOf(message.role);
  const scoped = isTurnScoped(message);
  let state = role === "user" ? { ...before, shown: before.lasting } : before;
  const fields = fieldsOf(message);
  if (fields !== undefined) state = extended(state, role, sortedJson(fields), scoped);
  for (const block of blocksOf(message.content)) {
    if (block.type === "compaction") state = afterCompaction(state, block, seamOf);
    else if (!isThinking(block)) {
      const text = canonicalBlock(block);
      if (text !== undefined) state = extended(state, role, text, scoped);
    }
  }
  return state;
}

function extended(state: PrefixState, role: string, text: string, scoped: boolean): PrefixState {
  const from = joined(state, role);
  const piece = `${role}\n${text}`;
  const shown = link(from.shown, piece);
  if (scoped) return { ...from, shown };
  return { shown, lasting: from.shown === from.lasting ? shown : link(from.lasting, piece), seam: undefined };
}

/** Kept turns go on with the summarised ones only if another role speaks, and no system message. */
function joined(state: PrefixState, role: string): PrefixState {
  if (state.seam === undefined || (role !== state.seam && role !== "system")) return state;
  const apart = link(state.shown, "seam");
  return { shown: apart, lasting: apart, seam: undefined };
}

function afterCompaction(state: PrefixState, block: ObjectValue, seamOf: CompactionSeam): PrefixState {
  if (block.content === null) return state;
  const restart = digest(`compaction\n${sortedJson(unmarked(block))}`);
  return seamOf(block) ?? { shown: restart, lasting: restart, seam: undefined };
}

/** Undefined: the block does not count. */
function canonicalBlock(block: ObjectValue): string | undefined {
  const bare = unmarked(block);
  if (bare.type !== "text") return sortedJson(bare);
  const text = stringOf(bare.text).trim();
  return text === "" ? undefined : sortedJson({ ...bare, text });
}

function sameState(a: PrefixState, b: PrefixState): boolean {
  return a.shown === b.shown && a.lasting === b.lasting && a.seam === b.seam;
}
