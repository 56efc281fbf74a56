/**
 * `pnpm bench` runs the benches of `report/plan.ts`, prints one table and writes it into `docs-site/benchmarks.md`; `--quick` is for trying, and writes nothing.
 * `pnpm bench NAME [options]` runs `src/NAME.ts`. A benchmark asks one question, alternates its variants in one run, prints ratios and answers pass (true) or fail (false).
 */
import { readdir } from "node:fs/promises";
import { runAll } from "./report/all.ts";

type Bench = { readonly run: (args: readonly string[]) => Promise<boolean> };

const [name, ...args] = process.argv.slice(2);
const files = await readdir(import.meta.dirname);
const names = files.filter((file) => file.endsWith(".ts") && file !== "main.ts").map((file) => file.slice(0, -".ts".length));

if (name === undefined || name === "--quick") conclude(await runAll(name === "--quick"));
else if (names.includes(name)) {
  const bench = (await import(`./${name}.ts`)) as Bench;
  conclude(await bench.run(args));
  process.disconnect?.();
} else {
  console.error(`pnpm bench [--quick], or pnpm bench NAME, where NAME is one of: ${names.sort().join(", ")}`);
  process.exitCode = 2;
}

function conclude(passed: boolean): void {
  console.log(passed ? "pass" : "fail");
  process.exitCode = passed ? 0 : 1;
}
