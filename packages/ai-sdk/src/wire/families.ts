import type { Profile } from "@tidemark/core/adapter";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";

/** What the middleware must know of the provider behind a model. The AI SDK names providers by what they speak: `anthropic.messages`, `openai.responses`. */
export type Family = "anthropic" | "openai" | "google" | "other";

export function familyOf(provider: string): Family {
  if (/anthropic/i.test(provider)) return "anthropic";
  if (/^(?:openai|azure)\b/i.test(provider)) return "openai";
  return /google|vertex/i.test(provider) ? "google" : "other";
}

/** The model of a request: the provider as the AI SDK names it, and the provider's own id. */
export function modelName(provider: string, modelId: string): string {
  return `${provider}/${modelId}`;
}

/** The provider's own id of a request's model. */
export function modelId(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}

export function familyOfModel(model: string): Family {
  return familyOf(model.slice(0, model.indexOf("/")));
}

/** Anthropic's package asks such a model freely whatever `toolChoice` says, and declares the one tool alone that is named. Source: `prepareTools` of `@ai-sdk/anthropic` 4.0.105. */
export function refusesForcedTools(model: string): boolean {
  return familyOfModel(model) === "anthropic" && claude.profile(modelId(model)).traits.includes("refuses-forced-tools");
}

const claude = anthropic();
const chat = openaiChat();

/** Figures and abilities of a model: what core knows of the provider's own id, as far as they hold behind the AI SDK. */
export function profiles(own: Readonly<Record<string, Partial<Profile>>>): (model: string) => Profile {
  const made = new Map<string, Profile>();
  return (model) => {
    const profile = made.get(model) ?? profileOf(model, Object.hasOwn(own, model) ? own[model] : undefined);
    made.set(model, profile);
    return profile;
  };
}

function profileOf(model: string, own: Partial<Profile> = {}): Profile {
  const provider = model.slice(0, model.indexOf("/"));
  const id = modelId(model);
  const family = familyOf(provider);
  const known = family === "anthropic" ? claude.profile(id) : chat.profile(id);
  return {
    ...known,
    id: model,
    readsReasoningOf: known.readsReasoningOf.map((other) => modelName(provider, other)),
    userFirst: family === "anthropic" || family === "google" || /bedrock/i.test(provider),
    // Its own API only: other backends need not know these betas.
    inBand: /^anthropic\b/.test(provider) ? (known.inBand ?? []) : [],
    // Anthropic's and Google's converters move a late system message to the front of the request, or refuse it (facts 1.2).
    positionalSystem: family === "openai" || family === "other" ? known.positionalSystem : false,
    ...own,
  };
}
