import { fileURLToPath } from "node:url";
import type { MutantResult } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import type { Room } from "./rooms.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Mutates a room, or some of its files, and runs its tests against each mutant. Works in `packages/core`, which the process must stand in. */
export async function mutate(
  { name, mutate, tests }: Room,
  files: readonly string[],
  concurrency: number,
): Promise<readonly MutantResult[]> {
  process.env["TIDEMARK_ROOM"] = name;
  const stryker = new Stryker({
    plugins: [here("test-runner.ts")],
    testRunner: "in-process",
    mutate: [...(files.length === 0 ? mutate : files), "!**/*.test.ts"],
    coverageAnalysis: "perTest",
    concurrency,
    // A busy machine is slow, and what is slow is no mutant that was noticed.
    timeoutMS: 20_000,
    timeoutFactor: 4,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: here(`../reports/${name}.json`) },
    incremental: true,
    incrementalFile: here(`../reports/${name}.incremental.json`),
    ignorePatterns: ["dist", "coverage", "tsconfig*.json"],
    // It would be rewritten by means of the TypeScript compiler's API, which TypeScript 7 has not.
    tsconfigFile: "none",
  } as ConstructorParameters<typeof Stryker>[0]);
  if (tests.length === 0) throw new Error(`${name} has no tests.`);
  return await stryker.runMutationTest();
}
