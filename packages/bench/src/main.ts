/**
 * `pnpm bench NAME [options]` runs `src/NAME.ts`; without a name it lists them. A benchmark asks one question, alternates its variants in one
 * run, prints ratios and answers pass (true) or fail (false).
 */
import { readdir } from "node:fs/promises";

type Bench = { readonly run: (args: readonly string[]) => Promise<boolean> };

const [name, ...args] = process.argv.slice(2);
const files = await readdir(import.meta.dirname);
const names = files.filter((file) => file.endsWith(".ts") && file !== "main.ts").map((file) => file.slice(0, -".ts".length));

if (name === undefined || !names.includes(name)) {
  console.error(`pnpm bench NAME, where NAME is one of: ${names.sort().join(", ") || "(none yet)"}`);
  process.exitCode = 2;
} else {
  const bench = (await import(`./${name}.ts`)) as Bench;
  const passed = await bench.run(args);
  console.log(passed ? "pass" : "fail");
  process.exitCode = passed ? 0 : 1;
}
