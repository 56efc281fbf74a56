import type { ObjectValue, Profile } from "@tidemark/core";
import { digest } from "../digest.ts";
import { objectOf, stringOf } from "../json.ts";
import { headPieces, itemPieces } from "./pieces.ts";

/** What a response's prompt consisted of, for a later one that asks why its cache did not help. */
type Fingerprint = { readonly settings: Readonly<Record<string, string>>; readonly items: readonly string[] };

/** `prompt_cache_options.comparison_response_id`: the reasons of SDK 7.59.0, in the order in which they are looked at. */
export interface CacheDiagnostics {
  compare(request: ObjectValue, items: readonly ObjectValue[], profile: Profile): ObjectValue | undefined;
  remember(id: string, request: ObjectValue, items: readonly ObjectValue[], profile: Profile): void;
}

export function cacheDiagnostics(): CacheDiagnostics {
  const known = new Map<string, Fingerprint>();
  return {
    compare: (request, items, profile) => {
      const id = stringOf(objectOf(request.prompt_cache_options).comparison_response_id);
      if (id === "") return undefined;
      const before = known.get(id);
      if (before === undefined) return { type: "comparison_response_not_found" };
      const now = fingerprintOf(request, items, profile);
      const changed = Object.keys(now.settings).find((name) => now.settings[name] !== before.settings[name]);
      if (changed !== undefined) return { type: "cache_miss", reason: `${changed}_changed` };
      return before.items.every((item, index) => item === now.items[index])
        ? { type: "cache_hit" }
        : { type: "cache_miss", reason: "input_changed" };
    },
    remember: (id, request, items, profile) => {
      known.set(id, fingerprintOf(request, items, profile));
    },
  };
}

function fingerprintOf(request: ObjectValue, items: readonly ObjectValue[], profile: Profile): Fingerprint {
  const { format = null, verbosity = null } = objectOf(request.text);
  const settings = {
    model: profile.id,
    prompt_cache_key: stringOf(request.prompt_cache_key),
    tools: JSON.stringify(request.tools ?? []),
    text_format: JSON.stringify(format),
    reasoning_effort: stringOf(objectOf(request.reasoning).effort),
    verbosity: JSON.stringify(verbosity),
    service_tier: stringOf(request.service_tier),
  };
  const head = headPieces({ instructions: request.instructions ?? null }, profile).map(({ text }) => text);
  return {
    settings,
    items: [
      digest(head.join("\n")),
      ...items.map((item) =>
        digest(
          itemPieces(item)
            .map(({ text }) => text)
            .join("\n"),
        ),
      ),
    ],
  };
}
