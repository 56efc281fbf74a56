import { isObject, type Value } from "../../json/value.ts";
import type { Announced } from "../../wire/in-band.ts";
import type { Profile } from "../../wire/profile.ts";
import { hasTrait } from "./models.ts";
import type { AnthropicRequest } from "./request.ts";

export const bindingBeta = "thinking-binding-controls-2026-08-01";

/**
 * Says what the provider shall do with thinking whose prefix changed (rule 58). The setting belongs to adaptive thinking, which is written out on
 * models that think without being asked. Thinking of another form has no place for it, and a host that set it knows what it wants.
 */
export function control<R extends AnthropicRequest>(request: R, mismatch: "drop" | "error", profile: Profile): Announced<R> {
  const thinking = adaptive(request.thinking as Value | undefined, profile);
  if (profile.bindsReasoning === "no" || thinking === undefined || isObject(thinking.block_binding as Value))
    return { request, headers: {} };
  const block_binding = { prefix_mismatch_behavior: mismatch === "drop" ? "drop_block" : "error" };
  return announce({ ...request, thinking: { ...thinking, block_binding } }, [bindingBeta]);
}

/** Names betas where the request does so itself, else in the header. */
export function announce<R extends object>(request: R, betas: readonly string[]): Announced<R> {
  const { betas: own } = request as { readonly betas?: unknown };
  if (!Array.isArray(own)) return { request, headers: { "anthropic-beta": betas.join(",") } };
  const missing = betas.filter((beta) => !own.includes(beta));
  return { request: missing.length === 0 ? request : { ...request, betas: [...own, ...missing] }, headers: {} };
}

function adaptive(thinking: Value | undefined, profile: Profile): Readonly<Record<string, unknown>> | undefined {
  if (thinking === undefined || thinking === null) return hasTrait(profile, "thinks-unasked") ? { type: "adaptive" } : undefined;
  return isObject(thinking) && thinking.type === "adaptive" ? thinking : undefined;
}
