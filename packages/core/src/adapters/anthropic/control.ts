import { isObject, type Value } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import { hasTrait } from "./models.ts";
import type { AnthropicRequest } from "./request.ts";

export const bindingBeta = "thinking-binding-controls-2026-08-01";

type Controlled<R> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };

/**
 * Says what the provider shall do with thinking whose prefix changed (rule 58). The setting belongs to adaptive thinking, which is written out on
 * models that think without being asked. Thinking of another form has no place for it, and a host that set it knows what it wants.
 */
export function control<R extends AnthropicRequest>(request: R, mismatch: "drop" | "error", profile: Profile): Controlled<R> {
  const thinking = adaptive(request.thinking as Value | undefined, profile);
  if (profile.bindsReasoning === "no" || thinking === undefined || isObject(thinking.block_binding as Value))
    return { request, headers: {} };
  const block_binding = { prefix_mismatch_behavior: mismatch === "drop" ? "drop_block" : "error" };
  const controlled = { ...request, thinking: { ...thinking, block_binding } };
  const { betas } = request;
  if (!Array.isArray(betas)) return { request: controlled, headers: { "anthropic-beta": bindingBeta } };
  return { request: betas.includes(bindingBeta) ? controlled : { ...controlled, betas: [...betas, bindingBeta] }, headers: {} };
}

function adaptive(thinking: Value | undefined, profile: Profile): Readonly<Record<string, unknown>> | undefined {
  if (thinking === undefined || thinking === null) return hasTrait(profile, "thinks-unasked") ? { type: "adaptive" } : undefined;
  return isObject(thinking) && thinking.type === "adaptive" ? thinking : undefined;
}
