import type { ObjectValue, Profile } from "@tidemark/core";
import { digest } from "../digest.ts";
import { objectsOf } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { isSettled } from "../settled.ts";
import { blocksOf, isThinking, pathOf } from "./blocks.ts";
import type { CompactionSigner } from "./compaction.ts";
import { emptyPrefix, headDigest, type PrefixReader, type PrefixState } from "./prefix.ts";
import { markOf, type Seal, type Signer } from "./signatures.ts";

/** What happens to thinking whose prefix changed: the request fails, the block is dropped, or it is let pass and reported. */
export type MismatchMode = "error" | "drop" | "allow";

export type ThinkingChecker = {
  readonly signer: Signer;
  readonly prefixes: PrefixReader;
  readonly compactions: CompactionSigner;
  readonly organisation: string;
};

export type CheckedThinking = {
  /** Entries of `input_transformations`, in request order. */
  readonly transformations: readonly ObjectValue[];
  /** Positions of dropped blocks, by message. */
  readonly dropped: ReadonlyMap<number, ReadonlySet<number>>;
  /** Blocks that were dropped since their prefix changed: nobody owes them any more. */
  readonly voided: readonly ObjectValue[];
  /** What thinking of the reply to this request is bound to, but for its `previous`. */
  readonly seal: Seal;
};

export const bindingBeta = "thinking-binding-controls-2026-08-01";

type Context = { readonly profile: Profile; readonly mode: MismatchMode; readonly betas: readonly string[] };
type Fault = { readonly reason: string; readonly detail: string };
/** What the blocks of one request are judged by. `stoodFor`: the compaction blocks that the request's own one covers. */
type Bench = {
  readonly checker: ThinkingChecker;
  readonly context: Context;
  readonly head: string;
  readonly stoodFor: ReadonlySet<string>;
};

/**
 * AN-12 and AN-13. Each thinking block of the request is opened, in order: not made here is always refused; made by an organisation or a
 * model whose thinking is not read here is dropped without a word; bound to another prefix, or behind another thinking block than
 * the one it was made behind, is dealt with by `mode`. What was dropped counts as absent for those after it.
 */
export function checkThinking(request: ObjectValue, checker: ThinkingChecker, context: Context): CheckedThinking {
  const messages = objectsOf(request.messages);
  const compaction = checker.compactions.first(messages);
  const bench: Bench = { checker, context, head: headDigest(request), stoodFor: new Set(compaction?.covers ?? []) };
  const { places, replyStart } = thinkingOf(messages, checker.prefixes);
  const transformations: ObjectValue[] = [];
  const dropped = new Map<number, Set<number>>();
  const voided: ObjectValue[] = [];
  let previous = "";
  let failing: Fault | undefined;

  for (const place of places) {
    const { block, message, position, follows } = place;
    const path = pathOf(message, position);
    const seal = openedSeal(checker.signer, block, path);
    // The rest of a run of thinking goes with the one that failed.
    const fault = follows && failing !== undefined ? failing : faultOf(bench, place, seal, previous);
    const isMismatch = fault?.reason === prefixMismatch;
    if (isMismatch && context.mode === "error") throw boundElsewhere(block, path, context, fault);
    const isAllowed = isMismatch && context.mode === "allow";
    if (fault !== undefined)
      transformations.push({ type: isAllowed ? "thinking_mismatch_allowed" : "thinking_dropped", path, reason: fault.reason });
    failing = isAllowed ? undefined : fault;
    if (failing !== undefined && isMismatch) voided.push(block);
    if (failing === undefined) previous = markOf(block);
    else dropped.set(message, (dropped.get(message) ?? new Set()).add(position));
  }

  const made = { model: context.profile.id, organisation: checker.organisation };
  const seal = { ...made, prefix: prefixDigest(bench.head, replyStart, made), previous, compaction: compaction?.mark ?? "" };
  return { transformations, dropped, voided, seal };
}

/** What thinking is bound to that a reply has behind a compaction block of its own. */
export function sealBehind(request: ObjectValue, seal: Seal, block: ObjectValue, prefixes: PrefixReader): Seal {
  const state = prefixes.after(emptyPrefix, { role: "assistant", content: [block] });
  return { ...seal, prefix: prefixDigest(headDigest(request), state, seal) };
}

/** A thinking block in its request. `follows`: the block before it in its message is thinking as well. */
type ThinkingPlace = {
  readonly block: ObjectValue;
  readonly message: number;
  readonly position: number;
  /** The prefix where the assistant turn that holds it begins. */
  readonly turnStart: PrefixState;
  readonly follows: boolean;
};

/**
 * All thinking of a request, and the prefix where its reply begins. A request that ends in a reply is continued: what comes belongs to that turn.
 * A compaction block begins a turn anew.
 */
function thinkingOf(
  messages: readonly ObjectValue[],
  prefixes: PrefixReader,
): { readonly places: readonly ThinkingPlace[]; readonly replyStart: PrefixState } {
  const places: ThinkingPlace[] = [];
  let state = emptyPrefix;
  let turnStart = state;
  for (const [index, message] of messages.entries()) {
    const before = state;
    state = prefixes.after(before, message);
    if (message.role !== "assistant") continue;
    if (messages[index - 1]?.role !== "assistant") turnStart = before;
    const blocks = blocksOf(message.content);
    for (const [position, block] of blocks.entries()) {
      if (block.type === "compaction") turnStart = prefixes.after(before, { ...message, content: blocks.slice(0, position + 1) });
      const follows = position > 0 && isThinking(blocks[position - 1] as ObjectValue);
      if (isThinking(block)) places.push({ block, message: index, position, turnStart, follows });
    }
  }
  return { places, replyStart: messages.at(-1)?.role === "assistant" ? turnStart : state };
}

const prefixMismatch = "prefix_binding_mismatch";

function openedSeal(signer: Signer, block: ObjectValue, path: string): Seal {
  const seal = signer.open(block);
  if (seal !== undefined) return seal;
  throw new Refusal(400, `${path}: ${invalid(block)}`, {
    rule: "AN-12",
    path,
    detail: "the block was not made by this simulator, or was changed",
  });
}

function faultOf(bench: Bench, place: ThinkingPlace, seal: Seal, previous: string): Fault | undefined {
  const { profile } = bench.context;
  if (seal.organisation !== bench.checker.organisation) return { reason: "organization_binding_mismatch", detail: seal.organisation };
  if (seal.model !== profile.id && !profile.readsReasoningOf.includes(seal.model))
    return { reason: "model_binding_mismatch", detail: seal.model };
  if (profile.bindsReasoning !== "yes") return undefined;
  const detail = bindingFault(bench, place, seal, previous);
  return detail === undefined ? undefined : { reason: prefixMismatch, detail };
}

function bindingFault(bench: Bench, { block, turnStart }: ThinkingPlace, seal: Seal, previous: string): string | undefined {
  if (seal.prefix !== expectedPrefix(block, bench.head, turnStart, seal)) return "the system text, the tools or an earlier message changed";
  if (seal.compaction !== "" && !bench.stoodFor.has(seal.compaction)) return "the compaction block that it was made behind is gone";
  if (previous !== "" && previous !== seal.previous) return "the thinking block before it is another one than when it was made";
  return undefined;
}

/** The digest that a block should bear, remembered with the block: most are asked about again, over the same prefix. */
function expectedPrefix(block: ObjectValue, head: string, state: PrefixState, seal: Seal): string {
  const known = expected.get(block);
  if (known !== undefined && known.head === head && known.shown === state.shown) return known.digest;
  const made = prefixDigest(head, state, seal);
  if (isSettled(block)) expected.set(block, { head, shown: state.shown, digest: made });
  return made;
}

const expected = new WeakMap<object, { readonly head: string; readonly shown: string; readonly digest: string }>();

/** The prefix is bound together with the model and the organisation that made the block. */
function prefixDigest(head: string, state: PrefixState, made: { readonly model: string; readonly organisation: string }): string {
  return digest([head, state.shown, made.model, made.organisation].join("\n"));
}

function invalid(block: ObjectValue): string {
  return block.type === "thinking" ? "Invalid `signature` in `thinking` block" : "Invalid `data` in `redacted_thinking` block";
}

function boundElsewhere(block: ObjectValue, path: string, context: Context, fault: Fault): Refusal {
  const text = `${path}: ${invalid(block)}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
  const hint = ` That setting requires the \`${bindingBeta}\` value in the \`anthropic-beta\` header.`;
  return new Refusal(400, context.betas.includes(bindingBeta) ? text : text + hint, { rule: "AN-13", path, detail: fault.detail });
}
