import type { Chance } from "../src/simulator/chance.ts";

/** What one session's host is like from beginning to end. Each first value is the plainest: the shrinker tries it. */
export const traitValues = {
  /** Models that bind thinking to its prefix, and one that does not and takes no system messages either. */
  model: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-sonnet-4-6"],
  /** Whether Tidemark writes the beta header, and what the provider is then asked to do with thinking whose prefix changed. */
  header: ["none", "error", "drop"],
  settles: ["turn", "session", "never"],
  history: ["full", "new"],
  systemChanges: ["checkpoint", "append"],
  trims: ["obey", "ignore"],
  cache: ["automatic", "planned", "off"],
  /** The host hands over the same objects, changed in place; new ones each time; frozen ones. */
  objects: ["in-place", "rebuilt", "frozen"],
  /** The host sets cache marks of its own. */
  marks: ["no", "yes"],
  system: ["text", "blocks"],
  /** What is said: words alone, or pictures, broken Unicode and results above their cap among them. */
  content: ["words", "mixed"],
  /** How its requests come to the provider. */
  way: ["session"],
} as const;

export type Traits = { readonly [name in keyof typeof traitValues]: (typeof traitValues)[name][number] };

/** How often the first value is taken; the others share the rest. */
const plainShare: { readonly [name in keyof Traits]: number } = {
  model: 0.35,
  header: 0.5,
  settles: 0.6,
  history: 0.88,
  systemChanges: 0.5,
  trims: 0.9,
  cache: 0.6,
  objects: 0.4,
  marks: 0.75,
  system: 0.7,
  content: 0.6,
  way: 0.7,
};

export function drawTraits(chance: Chance): Traits {
  const drawn = Object.entries(traitValues).map(([name, values]) => {
    const [first, ...others] = values as readonly string[];
    if (others.length === 0) return [name, first];
    return [name, chance.happens(plainShare[name as keyof Traits]) ? first : chance.pick(others)];
  });
  const traits = Object.fromEntries(drawn) as Traits;
  // A session that owns the history takes the replies from `settle`.
  return traits.history === "new" && traits.settles === "never" ? { ...traits, settles: "turn" } : traits;
}

/** What differs from the plainest host, for the transcript. */
export function describeTraits(traits: Traits): string {
  const odd = Object.entries(traitValues).flatMap(([name, values]) => {
    const value = traits[name as keyof Traits];
    return value === values[0] && name !== "model" ? [] : [name === "model" ? value : `${name}: ${value}`];
  });
  return odd.join(", ");
}
