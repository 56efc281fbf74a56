import type { ObjectValue } from "@tidemark/core";
import { contentOf, type ReplyMaking } from "../anthropic/reply.ts";
import type { Chance } from "../chance.ts";
import { objectsOf } from "../json.ts";
import { partsOf, type ReplyPart, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import { asBlock, fromBlock } from "./as-anthropic.ts";

/** The content of a scripted reply of Claude: its thinking is signed over the request, a recorded one's anew. */
export function signedContent(reply: ScriptedReply, making: ReplyMaking): readonly ObjectValue[] {
  const message = reply.message && { ...reply.message, content: objectsOf(reply.message.content).map(asBlock) };
  const parts = partsOf(reply).map((part) => named(part, making.chance));
  const { message: _recorded, ...scripted } = reply;
  return contentOf({ ...scripted, ...(message === undefined ? { parts } : { message }) }, making).map(fromBlock);
}

/** Of another family: reasoning in plain words. */
export function plainContent(reply: ScriptedReply, chance: Chance): readonly ObjectValue[] {
  if (reply.message !== undefined) return objectsOf(reply.message.content);
  return partsOf(reply).map((given) => {
    const part = named(given, chance);
    if ("thinking" in part) return { reasoningContent: { reasoningText: { text: part.thinking } } };
    if ("text" in part) return { text: part.text };
    if ("block" in part) return part.block;
    return { toolUse: { toolUseId: part.call.id as string, name: part.call.name, input: part.call.input } };
  });
}

function named(part: ReplyPart, chance: Chance): ReplyPart {
  if (!("call" in part)) return part;
  return { call: { ...part.call, id: part.call.id ?? `tooluse_${chance.token(22)}` } };
}

export function replyOf(content: readonly ObjectValue[], stop: string | undefined, account: CacheAccount): ObjectValue {
  const calls = content.some((block) => block.toolUse !== undefined);
  const outputTokens = Math.max(
    1,
    content.reduce((sum, block) => sum + tokensOf(JSON.stringify(block)), 0),
  );
  return {
    output: { message: { role: "assistant", content } },
    stopReason: stop ?? (calls ? "tool_use" : "end_turn"),
    usage: { ...promptUsage(account), outputTokens, totalTokens: account.prompt + outputTokens },
    metrics: { latencyMs: 100 },
  };
}

/** `inputTokens` is what was neither read nor written. */
function promptUsage({ uncached, read, written, writtenByLifetime }: CacheAccount): ObjectValue {
  const cacheDetails = ["1h", "5m"].flatMap((ttl) => {
    const inputTokens = writtenByLifetime[ttl];
    return inputTokens === undefined ? [] : [{ ttl, inputTokens }];
  });
  return {
    inputTokens: uncached,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    ...(cacheDetails.length > 0 && { cacheDetails }),
  };
}
