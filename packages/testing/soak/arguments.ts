import { parseArgs } from "node:util";
import type { Behaviour } from "./behaviour.ts";
import { behaviourByName, behaviours } from "./behaviours/table.ts";
import { sides } from "./sides/table.ts";
import { type Traits, traitValues } from "./traits.ts";
import type { Way } from "./way-in.ts";

export type Arguments = {
  readonly seconds: number;
  /** Of the first session; the next ones count up from it. */
  readonly seed: number;
  readonly only: readonly Behaviour[] | undefined;
  readonly wires: readonly string[] | undefined;
  readonly traits: Partial<Traits> | undefined;
  readonly way: Way | undefined;
  /** Page whose figures the run writes; undefined: none. */
  readonly write: string | undefined;
  readonly trace: boolean;
  /** Ends at the first failure and shows it as it came, not shrunk. */
  readonly first: boolean;
  /** No more sessions than this, however much time is left: then a run is the same on every machine. */
  readonly sessions: number;
  /** Whether the run is long and wide enough for every behaviour to occur often. */
  readonly countsOccurrences: boolean;
};

const defaultSeconds = 30;

export const usage = `pnpm soak [--seconds ${defaultSeconds}] [--seed N] [--sessions N] [--only BEHAVIOUR,...] [--wire WIRE,...] [--trait NAME=VALUE]... [--way fetch] [--trace] [--first] [--write PAGE]

Random sessions against a strict simulator. A failure prints its seed, which runs the same session again: pnpm soak --seed N --seconds 0.
--only mixes the named behaviours alone, --wire speaks the named wires alone, --trait makes all hosts alike in something (overflow=none: they have all the room they need), --trace prints every session's
transcript, --first ends at the first failure without shrinking it, --write puts the figures of the run into a page. Wires:
${sides.map(({ name }) => `  ${name}`).join("\n")}
Traits:
${Object.entries(traitValues)
  .map(([name, values]) => `  ${name}: ${values.join(" | ")}`)
  .join("\n")}
Behaviours:
${behaviours.map(({ name }) => `  ${name}`).join("\n")}`;

/** Undefined: not understood. */
export function readArguments(given: readonly string[], anySeed: () => number): Arguments | undefined {
  try {
    const { values } = parseArgs({
      args: [...given],
      options: {
        seconds: { type: "string" },
        seed: { type: "string" },
        sessions: { type: "string" },
        only: { type: "string" },
        way: { type: "string" },
        wire: { type: "string" },
        trait: { type: "string", multiple: true },
        trace: { type: "boolean" },
        write: { type: "string" },
        first: { type: "boolean" },
      },
    });
    const seconds = Number(values.seconds ?? defaultSeconds);
    const seed = Number(values.seed ?? anySeed());
    const sessions = Number(values.sessions ?? Number.POSITIVE_INFINITY);
    const only = values.only?.split(",").map((name) => behaviourByName.get(name.trim()));
    const way = values.way;
    if (way !== undefined && way !== "fetch") return undefined;
    const traits = values.trait && readTraits(values.trait);
    const wires = values.wire?.split(",").map((name) => name.trim());
    if (wires?.some((name) => !sides.some((side) => side.name === name))) return undefined;
    if (!(seconds >= 0) || !(sessions > 0) || !Number.isSafeInteger(seed) || only?.includes(undefined)) return undefined;
    return {
      seconds,
      seed,
      only: only as readonly Behaviour[] | undefined,
      wires,
      traits,
      way,
      write: values.write,
      trace: values.trace ?? false,
      first: values.first ?? false,
      sessions,
      countsOccurrences:
        [only, wires, traits, way, values.sessions].every((choice) => choice === undefined) && !values.first && seconds >= defaultSeconds,
    };
  } catch {
    return undefined;
  }
}

/** @throws {TypeError} for a trait or a value that there is not. */
function readTraits(given: readonly string[]): Partial<Traits> {
  const pairs = given.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  for (const [name, value] of pairs) {
    const values: readonly string[] = traitValues[name as keyof typeof traitValues] ?? [];
    if (!values.includes(value)) throw new TypeError(`There is no ${name}=${value}.`);
  }
  return Object.fromEntries(pairs);
}
