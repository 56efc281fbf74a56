/**
 * How large is what an agent loads, minified and compressed by Brotli: beside the limits in `.size-limit.json`, and beside another library bundled in the same way?
 *
 * `pnpm bench size`. Builds the packages first.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tell } from "./report/figure.ts";

/** In bytes. */
type Bundle = { readonly name: string; readonly size: number; readonly sizeLimit: number };

const root = fileURLToPath(new URL("../../../", import.meta.url));

export async function run(): Promise<boolean> {
  execFileSync("pnpm", ["-r", "run", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const own = sizes(join(root, ".size-limit.json"));
  const other = await sizeOf(fileURLToPath(new URL("../node_modules/@context-chef/core/dist/index.mjs", import.meta.url)));
  console.log(["bundle", "kB", "limit", "of context-chef"].map(cell).join(" "));
  let passed = own.length > 0;
  for (const { name, size, sizeLimit } of own) {
    console.log([name, ...[size, sizeLimit].map((bytes) => (bytes / 1_000).toFixed(1)), (size / other).toFixed(2)].map(cell).join(" "));
    passed = tell({ what: `kB of ${name}`, value: size / 1_000, limit: sizeLimit / 1_000 }) && passed;
  }
  console.log(["@context-chef/core, whole", (other / 1_000).toFixed(1), "", "1.00"].map(cell).join(" "));
  return passed;
}

/** Of all that a file exports, but for what Node has built in. */
async function sizeOf(file: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "tidemark-size-"));
  const config = join(folder, "size-limit.json");
  await writeFile(
    config,
    JSON.stringify([{ name: "all", path: file, limit: "10 MB", ignore: builtinModules.map((name) => `node:${name}`) }]),
  );
  const [bundle] = sizes(config);
  await rm(folder, { recursive: true });
  if (bundle === undefined) throw new Error(`${file} could not be bundled.`);
  return bundle.size;
}

function sizes(config: string): readonly Bundle[] {
  try {
    return JSON.parse(execFileSync("size-limit", ["--json", "--config", config], { cwd: root, encoding: "utf8" }));
  } catch (error) {
    // It exits with 1 where a limit is passed, and says its figures all the same.
    const { stdout } = error as { readonly stdout?: string };
    if (stdout === undefined || stdout === "") throw error;
    return JSON.parse(stdout);
  }
}

function cell(value: string, column: number): string {
  return column === 0 ? value.padEnd(62) : value.padStart(16);
}
