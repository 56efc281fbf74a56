/**
 * Runs a room's tests in the process that has the mutants, without Vitest around each of them: a mutant costs milliseconds in place of half a second. The plugin of Stryker's that does it
 * through Vitest gives the same answers.
 */
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from "@stryker-mutator/api/test-runner";
import { configureGlobal } from "fast-check";
import { collect, type Test } from "./collected.ts";
import { rooms } from "./rooms.ts";
import { isInSample, sampleVariable } from "./sample.ts";

const asVitest = new URL("as-vitest.ts", import.meta.url).href;
const asFastCheck = new URL("as-fast-check.ts", import.meta.url).href;
const packages = new URL("../../", import.meta.url).href;
const core = `${packages}core/`;
/** The mutated copy, in which this process stands. */
const mutated = `${pathToFileURL(process.cwd()).href}/`;
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "vitest") return { url: asVitest, shortCircuit: true };
    if (specifier === "fast-check" && context.parentURL !== asFastCheck && context.parentURL !== import.meta.url)
      return { url: asFastCheck, shortCircuit: true };
    // The copy has no neighbours, and its neighbours know the core itself.
    const found = next(specifier.startsWith("../../testing/") ? packages + specifier.slice("../../".length) : specifier, context);
    const own = /^(src|test)\//.test(found.url.slice(core.length)) && found.url.startsWith(core);
    return own ? { ...found, url: mutated + found.url.slice(core.length) } : found;
  },
});
// Which mutants a property notices must not differ from run to run; and nobody reads the smallest case.
configureGlobal({ seed: 1, endOnFailure: true });

const sample = process.env[sampleVariable] ?? "1.0";
/** A test that hangs on a mutant has noticed it. Long, since on a busy machine a slow test is no test that hangs. */
const testMs = 60_000;
/** Processor time for one mutant. What is not noticed by then counts as missed, so that a score is never too high for it. */
const patienceMs = 20_000;

/** What the mutated code asks which of its mutants is on, and tells which of them it met. */
const mutants: InstrumenterContext = {};
Reflect.set(globalThis, INSTRUMENTER_CONSTANTS.NAMESPACE, mutants);

/** Of what Stryker lets a mutant run: a hundred times as often as all tests together would without it, which is long for a loop that has no end. */
const hitShare = 0.05;

class InProcessRunner implements TestRunner {
  readonly #milliseconds = new Map<Test, number>();
  /** By a mutant's file: how many of its mutants a test noticed. */
  readonly #noticed = new Map<string, Map<Test, number>>();
  #tests: readonly Test[] | undefined;

  capabilities(): { readonly reloadEnvironment: boolean } {
    // A mutant in what a module runs when it is loaded needs a new process.
    return { reloadEnvironment: false };
  }

  async dryRun(): Promise<DryRunResult> {
    const results: TestResult[] = [];
    for (const test of await this.#load()) {
      mutants.currentTestId = test.id;
      const failure = await this.#run(test);
      const told = { id: test.id, name: test.name, timeSpentMs: this.#milliseconds.get(test) ?? 0 };
      if (failure === undefined) results.push({ ...told, status: TestStatus.Success });
      else {
        // It can notice nothing: no mutant is said to be reached by it.
        console.error(`Left out, since it fails without a mutant: ${test.name}: ${failure}`);
        results.push({ ...told, status: TestStatus.Skipped });
        delete mutants.mutantCoverage?.perTest[test.id];
      }
    }
    delete mutants.currentTestId;
    const { mutantCoverage } = mutants;
    return { status: DryRunStatus.Complete, tests: results, ...(mutantCoverage !== undefined && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, testFilter, mutantActivation, ...options }: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(sample, activeMutant.id)) return { status: MutantRunStatus.Error, errorMessage: "It is not in the sample." };
    const hitLimit = options.hitLimit === undefined ? undefined : Math.ceil(options.hitLimit * hitShare);
    const active = (): void => {
      Object.assign(mutants, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    };
    if (mutantActivation === "static") active();
    const all = await this.#load();
    active();
    const open = new Set(all.filter(({ id }) => testFilter === undefined || testFilter.includes(id)));
    const tried = new Map<string, number>();
    const from = process.cpuUsage();
    while (open.size > 0) {
      const { user, system } = process.cpuUsage(from);
      if (user + system > patienceMs * 1_000) break;
      const test = this.#likeliest(open, activeMutant.fileName, tried);
      open.delete(test);
      tried.set(test.file, (tried.get(test.file) ?? 0) + 1);
      const failure = await this.#run(test);
      if (failure === undefined) continue;
      if (hitLimit !== undefined && (mutants.hitCount ?? 0) > hitLimit) return { status: MutantRunStatus.Timeout, reason: failure };
      if (mutantActivation === "runtime") await this.#proveClean(test);
      const noticed = this.#noticed.get(activeMutant.fileName) ?? new Map<Test, number>();
      this.#noticed.set(activeMutant.fileName, noticed.set(test, (noticed.get(test) ?? 0) + 1));
      return { status: MutantRunStatus.Killed, killedBy: [test.id], failureMessage: failure, nrOfTests: sum(tried) };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: sum(tried) };
  }

  /** What a mutant left behind must not be taken for the next one's: without it the test passes again, or this process is of no more use. */
  async #proveClean(test: Test): Promise<void> {
    delete mutants.activeMutant;
    const failure = await this.#run(test);
    if (failure !== undefined) throw new Error(`${test.name} fails without a mutant, too: ${failure}`);
  }

  async #load(): Promise<readonly Test[]> {
    if (this.#tests !== undefined) return this.#tests;
    const room = rooms.find(({ name }) => name === process.env["TIDEMARK_ROOM"]);
    const tests: Test[] = [];
    for (const path of globSync([...(room?.tests ?? [])]).sort())
      tests.push(...(await collect(path, () => import(pathToFileURL(resolve(path)).href))));
    for (const path of globSync([...(room?.above ?? [])], { cwd: fileURLToPath(packages) }).sort())
      tests.push(...(await collect(path, () => import(packages + path))));
    this.#tests = tests.filter(({ name }) => room?.leftOut?.test(name) !== true);
    return this.#tests;
  }

  /**
   * The test of which most is to be expected for its time: one that noticed others of the file's mutants, or is the file's own; and of a file of tests that have noticed nothing yet, less
   * with each of them.
   */
  #likeliest(open: ReadonlySet<Test>, file: string, tried: ReadonlyMap<string, number>): Test {
    const noticed = this.#noticed.get(file);
    const costOf = (test: Test): number => {
      const own = file.endsWith(test.file.replace(/\.test\.ts$/, ".ts")) ? 10 : 0;
      const milliseconds = (this.#milliseconds.get(test) ?? 0) + 1;
      return (milliseconds * (1 + (tried.get(test.file) ?? 0))) / (1 + own + (noticed?.get(test) ?? 0));
    };
    let [best] = open;
    let cost = Number.POSITIVE_INFINITY;
    for (const test of open) {
      const own = costOf(test);
      if (own < cost) [best, cost] = [test, own];
    }
    return best as Test;
  }

  /** Undefined: it passed. */
  async #run(test: Test): Promise<string | undefined> {
    const from = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No end in ${testMs} ms.`)), testMs);
    });
    try {
      await Promise.race([test.run(), late]);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      clearTimeout(timer);
      this.#milliseconds.set(test, performance.now() - from);
    }
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner)];
