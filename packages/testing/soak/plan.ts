import { type Chance, chanceOf } from "../src/simulator/chance.ts";
import type { Behaviour } from "./behaviour.ts";
import { behaviours } from "./behaviours/table.ts";
import { sideNamed } from "./sides/table.ts";
import { drawTraits, settledIfOwned, type Traits, traitsThrough } from "./traits.ts";
import { abilitiesOfWays, type Way } from "./way-in.ts";

/** One session, decided before it runs: the shrinker leaves out steps and the others stay what they are. */
export type Plan = { readonly seed: number; readonly traits: Traits; readonly steps: readonly PlannedStep[] };

/** `position` seeds the chances of the step. */
type PlannedStep = { readonly behaviour: string; readonly position: number };

const stepCount = { min: 12, max: 30 };
/** Behaviours that one session mixes: few enough to tell what did it, enough to meet each other. */
const mixedMax = 8;
const plainShare = 0.25;

export type Mix = {
  /** The behaviours that sessions mix; absent: all. */
  readonly only?: readonly Behaviour[] | undefined;
  /** The wires that sessions speak; absent: all. */
  readonly wires?: readonly string[] | undefined;
  /** What all hosts have in common; absent: each is as it is drawn. */
  readonly traits?: Partial<Traits> | undefined;
  /** How their requests come to the provider; absent: as is drawn. */
  readonly way?: Way | undefined;
};

export function drawPlan(seed: number, { only, wires, way, traits: common }: Mix = {}): Plan {
  const chance = chanceOf(`${seed}/plan`);
  const traits = settledIfOwned({ ...traitsThrough(way, drawTraits(chance, wires)), ...common });
  const possible = (only ?? behaviours.filter(({ byNameOnly }) => byNameOnly !== true)).filter((behaviour) =>
    isPossible(behaviour, traits),
  );
  const deck = only === undefined ? drawSome(possible, mixedMax, chance) : possible;
  const count = stepCount.min + chance.below(stepCount.max - stepCount.min + 1);
  const steps = Array.from({ length: count }, (_, position): PlannedStep => {
    const plain = deck.length === 0 || chance.happens(plainShare);
    return { behaviour: plain ? "step" : chance.pick(deck).name, position };
  });
  return { seed, traits, steps };
}

export function isPossible(behaviour: Behaviour, traits: Traits): boolean {
  const { whenOwned, needs, wants, onlyIf } = behaviour;
  if (traits.history !== "full" && whenOwned !== true) return false;
  if (wants !== undefined && !sideNamed(traits.wire).has.has(wants)) return false;
  return (needs === undefined || abilitiesOfWays[traits.way].includes(needs)) && (onlyIf?.(traits) ?? true);
}

function drawSome<T>(items: readonly T[], count: number, chance: Chance): readonly T[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(chance.below(rest.length), 1)[0] as T);
}
