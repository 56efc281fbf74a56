import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Figure, holds } from "./figure.ts";
import { machineLines } from "./machine.ts";
import { markdownTable, writeFigures } from "./page.ts";
import { type Planned, plan } from "./plan.ts";

type Result = { readonly bench: Planned; readonly figures: readonly Figure[]; readonly passed: boolean; readonly seconds: number };

/** Runs the benches one after another, each in a process of its own, and prints one table. The full run writes it into `docs-site/benchmarks.md`. */
export async function runAll(quick: boolean): Promise<boolean> {
  const results: Result[] = [];
  for (const bench of plan) {
    const options = quick ? bench.quick : bench.full;
    if (options === undefined) continue;
    console.log(`\n## ${bench.name}: ${bench.asks}\n`);
    results.push(await runOne(bench, options));
  }
  const rows = [...Map.groupBy(results, ({ bench }) => bench.name)].flatMap(([name, runs]) => rowsOf(name, runs));
  console.log(`\n${[columns, ...rows].map((cells) => cells.map(cell).join(" ")).join("\n")}\n`);
  for (const { bench, seconds } of results) console.log(`${bench.name} took ${Math.round(seconds)} s`);
  if (!quick) await writeFigures("benchmarks.md", [(await machineLines()).join(" · "), "", ...markdownTable(columns, rows)]);
  return results.every(({ passed }) => passed);
}

async function runOne(bench: Planned, options: readonly string[]): Promise<Result> {
  const from = performance.now();
  const figures: Figure[] = [];
  const child = fork(fileURLToPath(new URL("../main.ts", import.meta.url)), [bench.name, ...options], { stdio: "inherit" });
  child.on("message", (figure) => figures.push(figure as Figure));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on("close", resolve);
  const code = await promise;
  return { bench, figures, passed: code === 0, seconds: (performance.now() - from) / 1_000 };
}

const columns = ["bench", "what", "figure", "limit", ""];

function rowsOf(name: string, runs: readonly Result[]): readonly (readonly string[])[] {
  const named = Map.groupBy(
    runs.flatMap(({ figures }) => figures),
    ({ what }) => what,
  );
  const rows = [...named.values()].map((same) => rowOf(name, worstOf(same)));
  // A bench that fails without a figure that does has not run, or has found what no figure says.
  const failed = runs.find(({ passed, figures }) => !passed && figures.every(holds));
  if (failed === undefined) return rows;
  return [...rows, [name, failed.figures.length === 0 ? "did not run" : "failed beside its figures", "", "", "FAIL"]];
}

function worstOf(figures: readonly Figure[]): Figure {
  const [first, ...others] = figures.toSorted((a, b) => (a.atLeast === true ? a.value - b.value : b.value - a.value));
  return (others.find((figure) => !holds(figure) && first !== undefined && holds(first)) ?? first) as Figure;
}

function rowOf(bench: string, figure: Figure): readonly string[] {
  const { what, value, limit, atLeast } = figure;
  return [bench, what, number(value), `${atLeast === true ? "≥" : "≤"} ${number(limit)}`, holds(figure) ? "pass" : "FAIL"];
}

/** Three digits tell two figures apart. */
function number(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function cell(value: string, column: number): string {
  return value.padEnd([8, 70, 9, 10, 0][column] ?? 0);
}
