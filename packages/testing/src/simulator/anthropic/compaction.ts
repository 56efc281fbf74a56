import type { ObjectValue } from "@tidemark/core";
import { digest, keyedDigest } from "../digest.ts";
import { objectsOf, sortedJson, stringOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { blocksOf, pathOf } from "./blocks.ts";
import type { PrefixState } from "./prefix.ts";

/** What a signed block says of the range that it stands for. */
type CompactionSeal = {
  /** Digest of the block's content and tool changes. */
  readonly content: string;
  readonly toolChanges: string;
  /** Where the summarised messages ended; undefined when the model keeps no record of prefixes: kept thinking is then void. */
  readonly end: PrefixState | undefined;
  /** Marks of the compaction blocks inside the summarised range. */
  readonly within: readonly string[];
};

type StandingCompaction = {
  readonly mark: string;
  /** Its own mark and those of the blocks that it took over. */
  readonly covers: readonly string[];
};

/** AN-18: signs on-demand compaction blocks and reads them back. */
export interface CompactionSigner {
  sign(summary: string, made: { readonly end: PrefixState | undefined; readonly messages: readonly ObjectValue[] }): ObjectValue;
  /** Where the chain of prefixes goes on behind the block. */
  seam(block: ObjectValue): PrefixState | undefined;
  /** The signed block that the messages start with. */
  first(messages: readonly ObjectValue[]): StandingCompaction | undefined;
  /** @throws {Refusal} for a block that is not where or what it was. */
  check(request: ObjectValue): void;
}

export function compactionSigner(secret: string): CompactionSigner {
  const open = (block: ObjectValue): CompactionSeal | undefined => {
    const text = Buffer.from(stringOf(block.signature), "base64").toString("utf8");
    const payload = text.slice(43);
    return text.slice(0, 43) === keyedDigest(secret, payload) ? (JSON.parse(payload) as CompactionSeal) : undefined;
  };
  const first = (messages: readonly ObjectValue[]): StandingCompaction | undefined => {
    const block = blocksOf(messages[0]?.content)[0];
    if (block === undefined || !isSigned(block)) return undefined;
    const mark = digest(stringOf(block.signature)).slice(0, 22);
    return { mark, covers: [mark, ...(open(block)?.within ?? [])] };
  };
  return {
    first,
    seam: (block) => (isSigned(block) ? open(block)?.end : undefined),
    sign: (summary, { end, messages }) => {
      const block = { type: "compaction", content: summary, encrypted_content: null, tool_changes: [] };
      const role = stringOf(messages.at(-1)?.role);
      const seal: CompactionSeal = { ...contentOf(block), end: end && { ...end, seam: role }, within: first(messages)?.covers ?? [] };
      const payload = JSON.stringify(seal);
      return { ...block, signature: Buffer.from(keyedDigest(secret, payload) + payload).toString("base64") };
    },
    check: (request) => checkCompaction(request, open),
  };
}

function checkCompaction(request: ObjectValue, open: (block: ObjectValue) => CompactionSeal | undefined): void {
  const messages = objectsOf(request.messages);
  const block = blocksOf(messages[0]?.content)[0];
  if (block !== undefined && isSigned(block)) checkBlock(block, open(block));
  if (!asksForCompaction(request)) return;
  const blockCount = messages.reduce((count, message) => count + blocksOf(message.content).length, 0);
  if (blockCount === 1 && block?.type === "compaction")
    throw refused("compaction_nothing_to_summarize", "messages", "there is nothing to summarize");
  if (messages.at(-1)?.role === "assistant") throw refused("compaction_incomplete_turn", "messages", "the last turn is not complete");
}

export function asksForCompaction(request: ObjectValue): boolean {
  return request.compaction !== undefined && request.compaction !== null;
}

/** The shape rules see to it that it stands first and alone. */
function checkBlock(block: ObjectValue, seal: CompactionSeal | undefined): void {
  const path = pathOf(0, 0);
  if (seal === undefined) throw refused("compaction_signature_invalid", path, "Invalid `signature` in `compaction` block");
  const { content, toolChanges } = contentOf(block);
  if (seal.content !== content) throw refused("compaction_content_mismatch", path, "the content of the `compaction` block was changed");
  if (seal.toolChanges !== toolChanges)
    throw refused("compaction_tool_changes_mismatch", path, "the tool changes of the `compaction` block were changed");
}

/** A threshold compaction block has no signature, and other rules. */
function isSigned(block: ObjectValue): boolean {
  return block.type === "compaction" && typeof block.signature === "string";
}

function contentOf(block: ObjectValue): { readonly content: string; readonly toolChanges: string } {
  return {
    content: digest(sortedJson([block.content, block.encrypted_content ?? null])),
    // An empty list says what none says: `@ai-sdk/anthropic` 4.0.105 hands the block back without it.
    toolChanges: digest(sortedJson(objectsOf(block.tool_changes).length === 0 ? null : (block.tool_changes ?? null))),
  };
}

/** The wording was not found; the codes were (page on compaction, September 2026). */
function refused(code: string, path: string, problem: string): Refusal {
  return new Refusal(400, `${path}: ${problem}`, { rule: "AN-18", code, path });
}
