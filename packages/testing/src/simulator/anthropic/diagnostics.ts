import type { ObjectValue } from "@tidemark/core";
import { isObjectValue } from "../json.ts";
import type { CacheReading, Fingerprint } from "./cache.ts";

/** Answers `diagnostics.previous_message_id`: why the cache could not repeat that request's prefix. */
export interface Diagnostics {
  /** The reply's `diagnostics` member; null when nothing was asked or nothing diverged. */
  compare(request: ObjectValue, reading: CacheReading): ObjectValue | null;
  remember(messageId: string, fingerprint: Fingerprint): void;
}

const rememberedMax = 10_000;

export function cacheDiagnostics(): Diagnostics {
  const known = new Map<string, Fingerprint>();
  return {
    compare: (request, reading) => {
      const asked = request.diagnostics;
      const id = isObjectValue(asked) ? asked.previous_message_id : undefined;
      if (typeof id !== "string") return null;
      const reason = missReason(known.get(id), reading);
      return reason === undefined ? null : { cache_miss_reason: reason };
    },
    remember: (messageId, fingerprint) => {
      known.set(messageId, fingerprint);
      if (known.size > rememberedMax) for (const oldest of known.keys()) return void known.delete(oldest);
    },
  };
}

/** In the order in which the prompt is made: what differs first is named. */
function missReason(before: Fingerprint | undefined, reading: CacheReading): ObjectValue | undefined {
  const now = reading.fingerprint;
  if (before === undefined) return { type: "previous_message_not_found" };
  const changed = (type: string) => ({ type, cache_missed_input_tokens: Math.max(0, before.cachedTokens - reading.account.read) });
  if (before.model !== now.model) return changed("model_changed");
  if (before.tools !== now.tools) return changed("tools_changed");
  if (before.system !== now.system) return changed("system_changed");
  if (!reading.repeats(before.messages)) return changed("messages_changed");
  return before.params === now.params ? undefined : { type: "unavailable" };
}
