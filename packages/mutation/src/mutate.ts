import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MutantResult } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import type { Room } from "./rooms.ts";
import { isInSample, sampleVariable } from "./sample.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `files`: of the room, all if none. `every`: of each so many mutants one is tried; `from`: which. */
type Part = { readonly files: readonly string[]; readonly every: number; readonly from: number; readonly static: boolean };

/** Mutates a room, or a part of it, and runs its tests against each mutant. Works in `packages/core`, which the process must stand in. */
export async function mutate(
  { name, mutate, tests }: Room,
  { files, every, ...part }: Part,
  { concurrency, survivors }: { readonly concurrency: number; readonly survivors: boolean },
): Promise<readonly MutantResult[]> {
  const sample = `${every}.${part.from}`;
  process.env["TIDEMARK_ROOM"] = name;
  process.env[sampleVariable] = sample;
  const stryker = new Stryker({
    plugins: [here("test-runner.ts"), here("missed.ts")],
    testRunner: "in-process",
    mutate: globSync([...(files.length === 0 ? mutate : files)], { exclude: ["**/*.test.ts"] }).sort(),
    ignoreStatic: !part.static,
    testRunnerNodeArgs: ["--conditions=@tidemark/source"],
    coverageAnalysis: "perTest",
    concurrency,
    // A busy machine is slow, and what is slow is no mutant that was noticed.
    dryRunTimeoutMinutes: 180,
    timeoutMS: 300_000,
    timeoutFactor: 1.5,
    reporters: ["progress-append-only", "json", ...(survivors ? ["missed"] : [])],
    jsonReporter: { fileName: here(`../reports/${name}.json`) },
    incremental: true,
    // Of another sample nothing is known.
    incrementalFile: here(`../reports/${name}.${sample}.incremental.json`),
    ignorePatterns: ["dist", "coverage", "tsconfig*.json"],
    // It would be rewritten by means of the TypeScript compiler's API, which TypeScript 7 has not.
    tsconfigFile: "none",
  } as ConstructorParameters<typeof Stryker>[0]);
  if (tests.length === 0) throw new Error(`${name} has no tests.`);
  return (await stryker.runMutationTest()).filter(({ id }) => isInSample(sample, id));
}
