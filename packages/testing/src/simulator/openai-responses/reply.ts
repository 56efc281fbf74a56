import type { ObjectValue, Profile } from "@tidemark/core";
import type { Chance } from "../chance.ts";
import { objectsOf, stringOf } from "../json.ts";
import { partsOf, type ReplyPart, type ScriptedReply } from "../script.ts";
import type { CacheAccount } from "../simulated-request.ts";
import { tokensOf } from "../tokens.ts";
import type { Encrypter, Seal } from "./ciphertext.ts";
import { afterItem } from "./reasoning-check.ts";

export type Making = { readonly profile: Profile; readonly seal: Seal; readonly encrypter: Encrypter; readonly chance: Chance };

/** The output items of a scripted reply, reasoning encrypted over what stands before it. Models that do not reason leave it out. */
export function outputOf(reply: ScriptedReply, { profile, seal, encrypter, chance }: Making): readonly ObjectValue[] {
  const output: ObjectValue[] = [];
  let prefix = seal.prefix;
  const parts = partsOf(reply);
  for (const [index, part] of parts.entries()) {
    const item = itemOf(part, { profile, chance, calls: parts.slice(index).some((later) => "call" in later) });
    if (item === undefined) continue;
    const text = "thinking" in part ? part.thinking : JSON.stringify(item.summary ?? null);
    const whole = item.type === "reasoning" ? { ...item, encrypted_content: encrypter.seal(text, { ...seal, prefix }) } : item;
    output.push(whole);
    prefix = afterItem(prefix, whole);
  }
  return output;
}

/** `calls`: the part stands before calls of the same reply. A recorded item is given as it is. */
function itemOf(
  part: ReplyPart,
  { profile, chance, calls }: { profile: Profile; chance: Chance; calls: boolean },
): ObjectValue | undefined {
  if ("block" in part) return part.block;
  if ("thinking" in part) {
    if (!profile.traits.includes("reasons")) return undefined;
    const summary = part.thinking === "" ? [] : [{ type: "summary_text", text: part.thinking }];
    return { id: `rs_${chance.token(48)}`, type: "reasoning", summary };
  }
  if ("text" in part) {
    const phase = profile.traits.includes("breakpoints") ? { phase: calls ? "commentary" : "final_answer" } : {};
    const content = [{ type: "output_text", annotations: [], logprobs: [], text: part.text }];
    return { id: `msg_${chance.token(48)}`, type: "message", status: "completed", content, ...phase, role: "assistant" };
  }
  const { name, input, id } = part.call;
  const call_id = id ?? `call_${chance.token(24)}`;
  return { id: `fc_${chance.token(48)}`, type: "function_call", status: "completed", arguments: JSON.stringify(input), call_id, name };
}

export type ResponseFacts = {
  readonly id: string;
  readonly createdAt: number;
  readonly request: ObjectValue;
  readonly output: readonly ObjectValue[];
  /** Why the reply is incomplete; undefined: it is complete. */
  readonly incomplete: string | undefined;
  readonly usage: ObjectValue;
  readonly transformations: readonly ObjectValue[];
  readonly diagnostics: ObjectValue | undefined;
};

export function responseOf(facts: ResponseFacts): ObjectValue {
  const { id, createdAt, request, output, incomplete, usage, transformations, diagnostics } = facts;
  return {
    id,
    object: "response",
    created_at: createdAt,
    status: incomplete === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: request.instructions ?? null,
    model: stringOf(request.model),
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: request.reasoning ?? null,
    store: request.store !== false,
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    ...(transformations.length > 0 && { input_transformations: transformations }),
    ...(diagnostics !== undefined && { prompt_cache_diagnostics: diagnostics }),
    usage,
  };
}

export function usageOf(account: CacheAccount, output: readonly ObjectValue[], byBreakpoints: boolean): ObjectValue {
  const reasoning = objectsOf(output).reduce(
    (sum, item) => sum + (item.type === "reasoning" ? tokensOf(stringOf(item.encrypted_content)) : 0),
    0,
  );
  const said = output.reduce((sum, item) => sum + (item.type === "reasoning" ? 0 : tokensOf(JSON.stringify(item))), 0);
  const { "30m": short = 0, "12h": long = 0 } = account.writtenByLifetime;
  return {
    input_tokens: account.prompt,
    input_tokens_details: {
      cached_tokens: account.read,
      ...(byBreakpoints && {
        cache_write_tokens: account.written,
        cache_write_tokens_details: { ttl_30m_tokens: short, ttl_12h_tokens: long },
      }),
    },
    output_tokens: reasoning + said,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: account.prompt + reasoning + said,
  };
}
