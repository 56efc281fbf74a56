import type { ObjectValue } from "@tidemark/core";
import { stringOf } from "../json.ts";
import { isThinking, proofOf } from "./blocks.ts";

/** A reply that the simulator gave, as far as later requests are held against it. */
export type IssuedReply = {
  readonly model: string;
  readonly organisation: string;
  readonly thinking: readonly ObjectValue[];
  readonly hasFallback: boolean;
};

/** Remembers which thinking was issued beside which call ids, and which replies had a fallback block. */
export interface IssuedReplies {
  record(content: readonly ObjectValue[], model: string, organisation: string): void;
  /** Undefined also where several replies had a call of this id: it is not known which one is meant. */
  byCall(id: string): IssuedReply | undefined;
  /** A block that was reported as dropped is owed no more. */
  release(block: ObjectValue): void;
  isReleased(block: ObjectValue): boolean;
  /** By any of its thinking blocks; only replies with a fallback block are known by these. */
  byProof(proof: string): IssuedReply | undefined;
}

export function issuedReplies(): IssuedReplies {
  const calls = new Map<string, IssuedReply>();
  const repeated = new Set<string>();
  const fallbacks = new Map<string, IssuedReply>();
  const released = new Set<string>();
  return {
    record: (content, model, organisation) => {
      const thinking = content.filter(isThinking);
      const reply = { model, organisation, thinking, hasFallback: content.some((block) => block.type === "fallback") };
      for (const block of content) {
        if (block.type !== "tool_use") continue;
        const id = stringOf(block.id);
        if (calls.has(id)) repeated.add(id);
        calls.set(id, reply);
      }
      if (reply.hasFallback) for (const block of thinking) fallbacks.set(proofOf(block), reply);
    },
    byCall: (id) => (repeated.has(id) ? undefined : calls.get(id)),
    byProof: (proof) => (fallbacks.size === 0 ? undefined : fallbacks.get(proof)),
    release: (block) => {
      released.add(proofOf(block));
    },
    isReleased: (block) => released.has(proofOf(block)),
  };
}
