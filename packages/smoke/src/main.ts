/** Runs the built core in Node, Bun, Deno and workerd. Ends with `N passed, N failed`. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

type Runtime = { readonly name: string; readonly run: () => Promise<string> };

const here = join(import.meta.dirname, "..");
const bin = (name: string): string => join(here, "node_modules/.bin", name);
const program = join(here, "src/print.js");

function output(command: string, args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(command, args, { cwd: here, timeout: 60_000 }, (error, stdout, stderr) => {
    if (error) reject(new Error(`${error.message}\n${stdout}${stderr}`));
    else resolve(stdout.trim());
  });
  return promise;
}

async function inWorkerd(): Promise<string> {
  const bundle = await build({
    entryPoints: [join(here, "src/worker.js")],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "silent",
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  const worker = new Miniflare({ modules: true, script, compatibilityDate: "2026-07-30", cf: false });
  try {
    const response = await worker.dispatchFetch("http://localhost/");
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  } finally {
    await worker.dispose();
  }
}

const runtimes: readonly Runtime[] = [
  { name: `Node ${process.versions.node}`, run: () => output(process.execPath, [program]) },
  { name: "Bun", run: () => output(bin("bun"), [program]) },
  { name: "Deno", run: () => output(bin("deno"), ["run", "--no-remote", "--node-modules-dir=manual", program]) },
  { name: "workerd", run: inWorkerd },
];

if (!existsSync(join(here, "../core/dist/index.js"))) {
  console.error("packages/core/dist is missing: run `pnpm build` first.");
  process.exit(1);
}

let failed = 0;
for (const { name, run } of runtimes) {
  try {
    console.log(`${styleText("green", "✓")} ${name}: ${await run()}`);
  } catch (error) {
    failed += 1;
    console.error(`${styleText("red", "✗")} ${name}: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(`${runtimes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
