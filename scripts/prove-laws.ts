/**
 * Proves that the house rules are held: a misconfigured linter passes in silence.
 *
 * A scratch copy of the configuration (no sources) gets the smallest file that breaks each law, and the smallest file that keeps it.
 * Biome runs once over all of them: each breaking file must be answered by the named rule, each keeping file by none. The scratch copy is
 * then removed. Ends with `N passed, N failed`.
 */
import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { styleText } from "node:util";

type Law = {
  readonly title: string;
  /** The file that breaks (or keeps) the law, from the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** The rule that must object; undefined when nothing may object. */
  readonly rule: string | undefined;
  /** What must stand beside the file for the law to be broken. */
  readonly beside?: Readonly<Record<string, string>>;
};

const root = resolve(import.meta.dirname, "..");
const core = "packages/core/src";

/** What each room of core may see, from the ground up. The same table as architecture.md, written out a second time on purpose. */
const roomsSeen: Readonly<Record<string, readonly string[]>> = {
  json: [],
  wire: ["json"],
  ledger: ["wire", "json"],
  continuity: ["ledger", "wire", "json"],
  budget: ["ledger", "wire", "json"],
  sources: ["ledger", "wire", "json"],
  overflow: ["continuity", "budget", "sources", "ledger", "wire", "json"],
  session: ["overflow", "continuity", "budget", "sources", "ledger", "wire", "json"],
  fetch: ["session", "overflow", "continuity", "budget", "sources", "ledger", "wire", "json"],
};
const rooms = Object.keys(roomsSeen);
const adapters = ["anthropic", "bedrock", "gemini", "ollama", "openai-chat", "openai-responses"];

const imports = (specifier: string): string => `import { law } from "${specifier}";\n\nlaw();\n`;
const restricted = "lint/style/noRestrictedImports";

function floorLaws(): Law[] {
  const laws: Law[] = [];
  for (const room of rooms) {
    for (const other of rooms.filter((name) => name !== room)) {
      const seen = roomsSeen[room]?.includes(other) ?? false;
      laws.push({
        title: seen ? `${room} may see ${other}` : `${room} does not see ${other}`,
        path: `${core}/${room}/law-${other}.ts`,
        text: imports(`../${other}/law.ts`),
        rule: seen ? undefined : restricted,
      });
    }
    laws.push({
      title: `${room} does not see the adapters`,
      path: `${core}/${room}/law-adapter.ts`,
      text: imports("../adapters/anthropic/law.ts"),
      rule: restricted,
    });
    laws.push({
      title: `${room} does not see a folder without a floor`,
      path: `${core}/${room}/law-floorless.ts`,
      text: imports("../utils/law.ts"),
      rule: restricted,
    });
    laws.push({
      title: `${room} does not see the front door`,
      path: `${core}/${room}/law-front-door.ts`,
      text: imports("../index.ts"),
      rule: restricted,
    });
  }
  return laws;
}

function adapterLaws(): Law[] {
  return adapters.flatMap((adapter) => {
    const path = (name: string): string => `${core}/adapters/${adapter}/law-${name}.ts`;
    const other = adapters.find((name) => name !== adapter);
    return [
      {
        title: `adapter ${adapter} may see its own folder`,
        path: path("own"),
        text: imports("./law.ts"),
        rule: undefined,
        beside: { [`${core}/adapters/${adapter}/law.ts`]: "export const law = () => 1;\n" },
      },
      ...rooms.map((room) => {
        const seen = room === "wire" || room === "json";
        return {
          title: `adapter ${adapter} ${seen ? "may see" : "does not see"} ${room}`,
          path: path(room),
          text: imports(`../../${room}/law.ts`),
          rule: seen ? undefined : restricted,
        };
      }),
      { title: `adapter ${adapter} does not see ${other}`, path: path("other"), text: imports(`../${other}/law.ts`), rule: restricted },
      {
        title: `adapter ${adapter} does not see the front door`,
        path: path("front-door"),
        text: imports("../../index.ts"),
        rule: restricted,
      },
    ];
  });
}

const otherSpellings: readonly Law[] = [
  {
    title: "the middleware of one SDK may see its wire's adapter",
    path: `${core}/fetch/anthropic-middleware.ts`,
    text: imports("../adapters/anthropic/law.ts"),
    rule: undefined,
  },
  {
    title: "a folder without a floor sees nothing",
    path: `${core}/utils/law-floorless.ts`,
    text: imports("../json/law.ts"),
    rule: restricted,
  },
  {
    title: "the front door may see every room",
    path: `${core}/index.ts`,
    text: `export { law } from "./session/law.ts";\n`,
    rule: undefined,
  },
  {
    title: "a type import is an import",
    path: `${core}/json/law-type.ts`,
    text: `import type { Law } from "../ledger/law.ts";\n\nexport type Own = Law;\n`,
    rule: restricted,
  },
  {
    title: "a re-export is an import",
    path: `${core}/json/law-re-export.ts`,
    text: `export { law } from "../ledger/law.ts";\n`,
    rule: restricted,
  },
  {
    title: "a dynamic import is an import",
    path: `${core}/json/law-dynamic.ts`,
    text: `export const law = () => import("../ledger/law.ts");\n`,
    rule: restricted,
  },
  {
    title: "a detour through src is no way up",
    path: `${core}/json/law-detour.ts`,
    text: imports("../../src/ledger/law.ts"),
    rule: restricted,
  },
  {
    title: "another package is reached by its name",
    path: `${core}/json/law-package.ts`,
    text: imports("../../../testing/src/index.ts"),
    rule: restricted,
  },
  {
    title: "a test may cross floors and use Node",
    path: `${core}/json/law.test.ts`,
    text: `import { readFileSync } from "node:fs";\nimport { law } from "../session/law.ts";\n\nlaw(readFileSync);\n`,
    rule: undefined,
  },
];

const codeLaws: readonly Law[] = [
  {
    title: "no import cycle",
    path: `${core}/json/law-cycle-a.ts`,
    text: `import { b } from "./law-cycle-b.ts";\n\nexport const a = () => b();\n`,
    rule: "lint/suspicious/noImportCycles",
    beside: { [`${core}/json/law-cycle-b.ts`]: `import { a } from "./law-cycle-a.ts";\n\nexport const b = (): unknown => a();\n` },
  },
  {
    title: "no import cycle of types",
    path: `${core}/json/law-cycle-c.ts`,
    text: `import type { D } from "./law-cycle-d.ts";\n\nexport type C = { readonly d?: D };\n`,
    rule: "lint/suspicious/noImportCycles",
    beside: { [`${core}/json/law-cycle-d.ts`]: `import type { C } from "./law-cycle-c.ts";\n\nexport type D = { readonly c?: C };\n` },
  },
  {
    title: "no Node built-in in core",
    path: `${core}/json/law-built-in.ts`,
    text: `import { readFileSync } from "node:fs";\n\nreadFileSync("x");\n`,
    rule: "lint/correctness/noNodejsModules",
  },
  {
    title: "no Node global in core",
    path: `${core}/json/law-global.ts`,
    text: "export const law = () => process.cwd();\n",
    rule: "lint/correctness/noProcessGlobal",
  },
  {
    title: "no undeclared dependency",
    path: `${core}/json/law-undeclared.ts`,
    text: imports("left-pad"),
    rule: "lint/correctness/noUndeclaredDependencies",
  },
  {
    title: "no SDK in an adapter, not even its types",
    path: `${core}/adapters/anthropic/law-sdk.ts`,
    text: `import type Anthropic from "@anthropic-ai/sdk";\n\nexport type Law = Anthropic;\n`,
    rule: "lint/correctness/noUndeclaredDependencies",
  },
  {
    title: "core does not see testing",
    path: `${core}/session/law-testing.ts`,
    text: imports("@tidemark/testing"),
    rule: "lint/correctness/noUndeclaredDependencies",
  },
  {
    title: "a test may use a development dependency",
    path: `${core}/json/law-property.test.ts`,
    text: `import { check } from "fast-check";\n\ncheck();\n`,
    rule: undefined,
  },
  {
    title: "no default export",
    path: `${core}/json/law-default.ts`,
    text: "export default 1;\n",
    rule: "lint/style/noDefaultExport",
  },
  {
    title: "no barrel file",
    path: `${core}/json/law-barrel.ts`,
    text: `export { law } from "./law.ts";\n`,
    rule: "lint/performance/noBarrelFile",
  },
  {
    title: "no star export, not even in the front door",
    path: `${core}/adapters/anthropic/index.ts`,
    text: `export * from "./law.ts";\n`,
    rule: "lint/performance/noReExportAll",
  },
  {
    title: "file names are kebab-case",
    path: `${core}/json/lawName.ts`,
    text: "export const law = 1;\n",
    rule: "lint/style/useFilenamingConvention",
  },
  {
    title: "an import names the file with its extension",
    path: `${core}/json/law-extension.ts`,
    text: imports("./law"),
    rule: "lint/correctness/useImportExtensions",
    beside: { [`${core}/json/law.ts`]: "export const law = () => 1;\n" },
  },
  {
    title: "a type is imported as a type",
    path: `${core}/json/law-import-type.ts`,
    text: `import { Law } from "./law.ts";\n\nexport const law = (value: Law): Law => value;\n`,
    rule: "lint/style/useImportType",
  },
  {
    title: "no any",
    path: `${core}/json/law-any.ts`,
    text: "export const law = (value: any): unknown => value;\n",
    rule: "lint/suspicious/noExplicitAny",
  },
  {
    title: "no non-null assertion",
    path: `${core}/json/law-non-null.ts`,
    text: "export const law = (values: readonly string[]): string => values[0]!;\n",
    rule: "lint/style/noNonNullAssertion",
  },
  {
    title: "no function above the complexity limit",
    path: `${core}/json/law-complexity.ts`,
    text: `export function law(n: number): number {\n${"  for (;;) { if (n > 1) { for (;;) { if (n > 2) return n; } } }\n".repeat(3)}}\n`,
    rule: "lint/complexity/noExcessiveCognitiveComplexity",
  },
  {
    title: "the laws hold in testing",
    path: "packages/testing/src/law-any.ts",
    text: "export const law = (value: any): unknown => value;\n",
    rule: "lint/suspicious/noExplicitAny",
  },
  {
    title: "no SDK in what testing publishes, not even its types",
    path: "packages/testing/src/law-sdk.ts",
    text: `import type OpenAI from "openai";\n\nexport type Law = OpenAI;\n`,
    rule: restricted,
  },
  {
    title: "the laws hold in examples",
    path: "examples/src/law-default.ts",
    text: "export default 1;\n",
    rule: "lint/style/noDefaultExport",
  },
  {
    title: "the laws hold in scripts",
    path: "scripts/law-extension.ts",
    text: imports("./law"),
    rule: "lint/correctness/useImportExtensions",
    beside: { "scripts/law.ts": "export const law = () => 1;\n" },
  },
];

/** Writes the laws into a scratch copy of the configuration and returns the rules that object, by file. */
async function objections(laws: readonly Law[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const scratch = await mkdtemp(join(tmpdir(), "tidemark-laws-"));
  try {
    const configuration = ["biome.json", ".gitignore", "package.json", "examples/package.json"];
    for await (const path of glob(["packages/*/biome.json", "packages/*/package.json"], { cwd: root })) configuration.push(path);
    for (const path of configuration) await cp(join(root, path), join(scratch, path));
    for (const law of laws) {
      for (const [path, text] of Object.entries({ [law.path]: law.text, ...law.beside })) {
        await mkdir(dirname(join(scratch, path)), { recursive: true });
        await writeFile(join(scratch, path), text);
      }
    }
    return byFile(await biome(scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function biome(cwd: string): Promise<string> {
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  const bin = join(root, "node_modules/.bin/biome");
  execFile(bin, ["lint", "--reporter=json", "--max-diagnostics=none"], { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
    if (stdout.startsWith("{")) done(stdout);
    else reject(new Error(`Biome gave no report: ${error?.message ?? ""}\n${stdout}${stderr}`));
  });
  return promise;
}

function byFile(report: string): ReadonlyMap<string, ReadonlySet<string>> {
  const { diagnostics } = JSON.parse(report) as { diagnostics: { category: string; location: { path: string | { file: string } } }[] };
  const rules = new Map<string, Set<string>>();
  for (const { category, location } of diagnostics) {
    const path = typeof location.path === "string" ? location.path : location.path.file;
    rules.set(path, (rules.get(path) ?? new Set()).add(category));
  }
  return rules;
}

const laws = [...floorLaws(), ...adapterLaws(), ...otherSpellings, ...codeLaws];
const found = await objections(laws);
let failed = 0;
for (const law of laws) {
  const rules = found.get(law.path) ?? new Set<string>();
  const holds = law.rule === undefined ? rules.size === 0 : rules.has(law.rule);
  if (holds) continue;
  failed += 1;
  const said = [...rules].join(", ") || "nothing";
  console.error(`${styleText("red", "✗")} ${law.title}\n  ${law.path}\n  expected ${law.rule ?? "nothing"}, Biome said ${said}`);
}
console.log(`${laws.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
