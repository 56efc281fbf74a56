import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const readme = textOf("README.md");
const readmes = ["README.md", ...["core", "testing", "ai-sdk", "skills"].map((name) => `packages/${name}/README.md`)];

describe("the README", () => {
  test.each(["agent.ts", "continuity.test.ts"])("shows examples/src/%s as it is compiled", (file) => {
    expect(codeBlocks(readme)).toContain(regionOf(`examples/src/${file}`));
  });

  test("has an example of fifteen lines", () => {
    const [example = ""] = codeBlocks(readme);
    expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(15);
  });
});

describe("the README of @tidemark/core", () => {
  test("lists every option of a session, and no other", () => {
    const type = /export type SessionOptions[^{]*\{(.*?)\n\};/s.exec(textOf("packages/core/src/session/options.ts"))?.[1] ?? "";
    const options = [...type.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    const section = /^## Options\n(.*?)^## /ms.exec(textOf("packages/core/README.md"))?.[1] ?? "";
    const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(options.length).toBeGreaterThan(15);
    expect(listed).toEqual(options);
  });
});

describe("every name that a package exports stands in a README or a page", () => {
  const pages = [
    ...readmes,
    ...["overflow", "continuity", "presets", "counting", "another-provider", "things-that-change", "where-to-plug-in"].map(
      (page) => `docs-site/${page}.md`,
    ),
  ];
  const text = pages.map(textOf).join("\n");
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const indexes = [
    ...["core/src/index.ts", "core/src/fetch/index.ts", "core/src/tiktoken.ts", "core/src/genai-prices.ts"],
    ...["anthropic", "bedrock", "gemini", "ollama", "openai-chat", "openai-responses"].map((wire) => `core/src/adapters/${wire}/index.ts`),
    ...["ai-sdk/src/index.ts", "skills/src/index.ts", "testing/src/index.ts", "testing/src/contract.ts"],
  ];

  test.each(indexes)("%s", (file) => {
    const lists = [...textOf(`packages/${file}`).matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
    const functions = [...textOf(`packages/${file}`).matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = ""]) => name);
    const names = [...lists.map((name) => name.trim()), ...functions].filter((name) => name !== "" && !name.startsWith("type "));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
  });

  test("and every member of a session in core's README", () => {
    const body = /export interface Session<[^{]*\{\n(.*?)\n\}/s.exec(textOf("packages/core/src/session/create-session.ts"))?.[1] ?? "";
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[<(:]/gm)].map(([, name]) => name);
    expect(members.length).toBeGreaterThan(15);
    expect(members.filter((name) => !textOf("packages/core/README.md").includes(`session.${name}`))).toEqual([]);
  });
});

describe("the README of @tidemark/ai-sdk", () => {
  const own = textOf("packages/ai-sdk/README.md");

  test("lists every function that the package exports", () => {
    const lists = [...textOf("packages/ai-sdk/src/index.ts").matchAll(/^export \{(.*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
    const exported = lists.map((name) => name.trim()).filter((name) => !name.startsWith("type "));
    expect(exported.length).toBeGreaterThan(7);
    expect(exported.filter((name) => !new RegExp(`^\\| \`${name}\\(`, "m").test(own))).toEqual([]);
  });

  test("lists every option, and no other", () => {
    const source = textOf("packages/ai-sdk/src/options.ts");
    const shared = [...(/Pick<ContextOptions, ([^>]+)>/.exec(source)?.[1] ?? "").matchAll(/"(\w+)"/g)];
    const type = /export type TidemarkOptions[^{]*\{(.*?)\n\};/s.exec(source)?.[1] ?? "";
    const options = [...shared, ...type.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    const listed = [...(/^\| option .*?\n\n/ms.exec(own)?.[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(options.length).toBeGreaterThan(3);
    expect(listed).toEqual(options);
  });
});

/** Where the code of these pages is compiled, block by block. The last one of the testing package's is a sketch. */
const compiled = {
  "packages/core/README.md": ["core-start.ts", "core-under-an-sdk.ts"].map(inExamples),
  "packages/ai-sdk/README.md": ["ai-sdk-start.ts"].map(inExamples),
  "packages/testing/README.md": ["testing-start.test-d.ts"].map(inExamples),
  "packages/skills/README.md": ["packages/skills/test/readme.test-d.ts"],
  "docs-site/where-to-plug-in.md": [
    inExamples("plug-in-fetch.ts"),
    "packages/testing/test/langchain-types.test-d.ts",
    ...["plug-in-middleware.ts", "plug-in-ai-sdk.ts", "plug-in-nothing.test-d.ts"].map(inExamples),
  ],
};

test.each(Object.entries(compiled))("%s shows code as it is compiled", (page, files) => {
  const blocks = codeBlocks(textOf(page));
  expect(blocks.slice(0, files.length)).toEqual(files.map(regionOf));
  expect(blocks.length - files.length).toBe(page === "packages/testing/README.md" ? 1 : 0);
});

test.each(readmes)("%s names commands and files that exist", (file) => {
  const scripts = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const text = textOf(file);
  for (const [, name] of text.matchAll(/pnpm(?:@[\d.]+)? (?:run )?([\w:]+)/g))
    expect(scripts.scripts, `pnpm ${name}`).toHaveProperty(name ?? "");
  for (const [, path = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
    expect(() => textOf(join(file, "..", path)), path).not.toThrow();
});

function codeBlocks(text: string): readonly string[] {
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
}

function regionOf(path: string): string {
  const region = /\/\/ #region readme\n(.*)\/\/ #endregion readme/s.exec(textOf(path))?.[1];
  expect(region, path).toBeDefined();
  return `${region?.trim()}\n`;
}

function inExamples(file: string): string {
  return `examples/src/readme/${file}`;
}
