/**
 * Would the tests notice a fault? Mutates a room of the core (or some of its files), runs its tests against each mutant, and says how many were noticed.
 *
 * `pnpm mutation [continuity|runner|ledger] [src/ledger/align.ts ...] [--every 1] [--from 0] [--concurrency 2] [--survivors] [--static]`
 *
 * `--survivors` names each mutant that no test notices, as soon as it is known. `--every 40` tries of each forty mutants one, for a score that is near that of all; `--from` says
 * which. `--static` tries, too, what runs only when a module is loaded: each such mutant takes a process of its own.
 */
import { parseArgs } from "node:util";
import type { MutantResult } from "@stryker-mutator/api/core";
import { isMissed, isNoticed } from "./missed.ts";
import { mutate } from "./mutate.ts";
import { rooms, scoreMin } from "./rooms.ts";

const { values, positionals } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    concurrency: { type: "string", default: "2" },
    survivors: { type: "boolean", default: false },
    static: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [named, ...files] = positionals;
const chosen = rooms.filter(({ name }) => named === undefined || name === named);
if (chosen.length === 0) throw new Error(`There is no room ${named}; there are: ${rooms.map(({ name }) => name).join(", ")}.`);
process.chdir(new URL("../../core", import.meta.url).pathname);

let passed = true;
for (const room of chosen) {
  const results = await mutate(
    room,
    { files, every: Number(values.every), from: Number(values.from), static: values.static },
    { concurrency: Number(values.concurrency), survivors: values.survivors },
  );
  console.log(`\n${"".padEnd(44)} score   noticed  survived  reached by no test`);
  for (const [file, mutants] of Map.groupBy(results, ({ fileName }) => fileName.slice(fileName.lastIndexOf("/src/") + 1)))
    console.log(rowOf(file, mutants));
  console.log(rowOf(room.name, results));
  passed &&= scoreOf(results) >= scoreMin;
}
console.log(passed ? "pass" : `fail: below ${scoreMin * 100} %`);
process.exitCode = passed ? 0 : 1;

function rowOf(name: string, results: readonly MutantResult[]): string {
  const counts = [
    results.filter(isNoticed),
    results.filter(({ status }) => status === "Survived"),
    results.filter(({ status }) => status === "NoCoverage"),
  ];
  return [name.padEnd(44), `${(scoreOf(results) * 100).toFixed(1)} %`, ...counts.map(({ length }) => String(length).padStart(8))].join(" ");
}

function scoreOf(results: readonly MutantResult[]): number {
  const noticed = results.filter(isNoticed).length;
  return noticed / (noticed + results.filter(isMissed).length);
}
