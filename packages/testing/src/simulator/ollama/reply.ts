import type { ObjectValue } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { partsOf, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import { messageText } from "./prompt.ts";

/** The message of a scripted reply. A recorded one is given as it is. */
export function messageOf(reply: ScriptedReply, chance: Chance, ids: boolean): ObjectValue {
  if (reply.message !== undefined) return { ...reply.message, role: "assistant" };
  const parts = partsOf(reply);
  const thinking = parts.flatMap((part) => ("thinking" in part ? [part.thinking] : [])).join("\n");
  const calls = parts.flatMap((part) => ("call" in part ? [part.call] : []));
  return {
    role: "assistant",
    content: parts.map((part) => ("text" in part ? part.text : "")).join(""),
    ...(thinking !== "" && { thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }, index) => ({
        ...(ids && { id: id ?? `call_${chance.token(8)}` }),
        function: { ...(ids && { index }), name, arguments: input },
      })),
    }),
  };
}

/** Nanoseconds that evaluating one token takes: the one sign of the cache that a reply bears. */
const evaluationNs = 50_000;

export function responseOf(
  message: ObjectValue,
  account: CacheAccount,
  facts: { readonly model: string; readonly at: number; readonly stop: string },
): ObjectValue {
  const output = Math.max(1, tokensOf(messageText(message)));
  const evaluated = account.prompt - account.read;
  return {
    model: facts.model,
    created_at: new Date(facts.at).toISOString(),
    message,
    done: true,
    done_reason: facts.stop,
    total_duration: (evaluated + output) * evaluationNs,
    load_duration: 0,
    prompt_eval_count: account.prompt,
    prompt_eval_duration: evaluated * evaluationNs,
    eval_count: output,
    eval_duration: output * evaluationNs,
  };
}
