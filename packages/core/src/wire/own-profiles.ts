import { expecting, objectOf, optional, type Shape } from "../json/check.ts";
import { isObject } from "../json/value.ts";
import { stray } from "./checked.ts";
import type { Profile } from "./profile.ts";

/**
 * What a host knows better about models than a wire's table: figures and abilities by exact id, or a function that looks an id up, in a catalogue that is refreshed for one. A function's
 * answer is kept for a minute. What it says stands behind the figures of a session's `budget`, which no refresh moves.
 */
export type OwnProfiles = Readonly<Record<string, Partial<Profile>>> | ((model: string) => Partial<Profile> | undefined);

const profilesShape = optional(
  expecting("profiles by the exact ids of models, or a function of the id", (value) => isObject(value) || typeof value === "function"),
);

/** What the options of an adapter may look like: `profiles`, and those of its own. */
export function wireOptions(own: Readonly<Record<string, Shape>> = {}): Shape {
  return objectOf({ ...own, profiles: profilesShape }, stray);
}

/** Milliseconds for which a function's answer is kept. */
const keptFor = 60_000;

/** The look-up of a wire: the same object as long as the answer is the same one. */
export function ownProfiles(own: OwnProfiles = {}, now: () => number = Date.now): (model: string) => Partial<Profile> | undefined {
  if (typeof own !== "function") return (model) => (Object.hasOwn(own, model) ? own[model] : undefined);
  const answers = new Map<string, { readonly profile: Partial<Profile> | undefined; readonly until: number }>();
  return (model) => {
    const time = now();
    const kept = answers.get(model);
    if (kept !== undefined && time < kept.until) return kept.profile;
    const profile = own(model);
    answers.set(model, { profile, until: time + keptFor });
    return profile;
  };
}
