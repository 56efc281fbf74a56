import type { Chance } from "../src/simulator/chance.ts";
import type { Ability } from "./sides/side.ts";
import { sideNamed, sides } from "./sides/table.ts";
import { strategyNames } from "./strategies.ts";
import type { Way } from "./way-in.ts";

/** What one session's host is like from beginning to end. Each first value is the plainest: the shrinker tries it. */
export const traitValues = {
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
  way: ["session", "store"],
  /** Whether sources speak into its windows. */
  sources: ["none", "all"],
  /** How it makes room; whoever has a strategy has a small window and much to say. */
  overflow: strategyNames,
  /** Whether a landing that costs more in lost cache than it saves is declined (rule 43). */
  declines: ["no", "yes"],
  /** A long system text is cached by the provider, and an account of the cache can be held against it. */
  prompt: ["short", "long"],
} as const;

type Drawn = { readonly [name in keyof typeof traitValues]: (typeof traitValues)[name][number] };

export type Traits = Omit<Drawn, "way"> & {
  /** One that is drawn, or one that the run asks for. */
  readonly way: Way;
  /** Which wire it speaks: the name of a side. */
  readonly wire: string;
  readonly model: string;
};

/** How often the first value is taken; the others share the rest. */
const plainShare: { readonly [name in keyof typeof traitValues]: number } = {
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
  way: 0.8,
  sources: 0.7,
  overflow: 0.75,
  declines: 0.7,
  prompt: 0.88,
};

/** Shares of sessions that speak the first of the wires, and of those that begin with its first model. */
const firstShare = { wire: 0.3, model: 0.35 };

/** A host whose requests come through an SDK: what sees the replies settles them, the whole history is handed over, and nobody sets sources. */
export function traitsThrough(way: Way | undefined, traits: Traits): Traits {
  if (way === undefined || way === traits.way) return traits;
  return { ...traits, way, settles: "turn", history: "full", sources: "none" };
}

export function drawTraits(chance: Chance, wires: readonly string[] = sides.map(({ name }) => name)): Traits {
  const wire = drawOne(chance, wires, firstShare.wire);
  const { models, has } = sideNamed(wire);
  const model = drawOne(chance, models, firstShare.model);
  const drawn = Object.entries(traitValues).map(([name, values]) => {
    const [first, ...others] = values as readonly string[];
    const able = abilityOf[name as keyof typeof traitValues];
    if (others.length === 0 || (able !== undefined && !has.has(able))) return [name, first];
    return [name, drawOne(chance, [first, ...others], plainShare[name as keyof typeof traitValues])];
  });
  return { wire, model, ...Object.fromEntries(drawn) } as Traits;
}

/** A session that owns the history takes the replies from `settle`. */
export function settledIfOwned(traits: Traits): Traits {
  return traits.history === "new" && traits.settles === "never" ? { ...traits, settles: "turn" } : traits;
}

/** Traits of hosts on wires that have what they are about. */
const abilityOf: { readonly [name in keyof typeof traitValues]?: Ability } = { header: "mismatch-header", marks: "host-marks" };

function drawOne<T>(chance: Chance, values: readonly T[], firstShare: number): T {
  const [first, ...others] = values as readonly [T, ...T[]];
  return others.length === 0 || chance.happens(firstShare) ? first : chance.pick(others);
}

/** What differs from the plainest host, for the transcript. */
export function describeTraits(traits: Traits): string {
  const { wire, model } = traits;
  const odd = Object.entries(traitValues).flatMap(([name, values]) => {
    const value = traits[name as keyof Traits];
    return value === values[0] ? [] : [`${name}: ${value}`];
  });
  return [`${wire}, ${model}`, ...odd].join(", ");
}
