import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** As `packages/engine` has it, which is no part of this workspace. */
type Evaluation = { readonly tokens: number; readonly reused: number; readonly evaluated: number; readonly firstTokenMs: number };

export type Engine = {
  readonly names: readonly string[];
  read(prompt: string): Promise<Evaluation | undefined>;
  forget(): Promise<void>;
  close(): Promise<void>;
};

type EngineModule = { readonly openEngine: (sample: string, contextTokens: number) => Promise<Engine> };

const home = new URL("../../../engine/", import.meta.url);
const texts = new URL("../../../core/test/texts/", import.meta.url);
/** What the vocabulary is learnt from: texts as agents read them. */
const sampled = ["english", "code", "json", "logs", "diff", "markdown"];

/** Installs llama.cpp in its own place, where that is not done yet, and loads a model that is written for it. */
export async function loadEngine(contextTokens: number): Promise<Engine> {
  const pnpm = (...args: string[]): unknown => execFileSync("pnpm", ["-C", fileURLToPath(home), ...args], { stdio: "inherit" });
  pnpm("install", "--frozen-lockfile", "--silent");
  pnpm("--silent", "run", "typecheck");
  const { openEngine } = (await import(new URL("src/engine.ts", home).href)) as EngineModule;
  return openEngine(sampled.map((name) => readFileSync(new URL(`${name}.txt`, texts), "utf8")).join("\n"), contextTokens);
}
