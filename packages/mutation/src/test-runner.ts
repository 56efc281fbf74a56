/**
 * Runs a room's tests in the process that has the mutants, without Vitest around each of them: a mutant costs milliseconds in place of half a second. The plugin of Stryker's that does it
 * through Vitest gives the same answers.
 */
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
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

const asVitest = new URL("as-vitest.ts", import.meta.url).href;
const packages = new URL("../../", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "vitest") return { url: asVitest, shortCircuit: true };
    // The mutated core is a copy that has no neighbours.
    return next(specifier.startsWith("../../testing/") ? packages + specifier.slice("../../".length) : specifier, context);
  },
});
// Which mutants a property notices must not differ from run to run; and nobody reads the smallest case.
configureGlobal({ seed: 1, endOnFailure: true });

/** A test that hangs on a mutant has noticed it. */
const testMs = 10_000;
/** Processor time for one mutant, cheapest tests first. What is not noticed by then counts as missed, so that a score is never too high for it. */
const patienceMs = 500;

/** What the mutated code asks which of its mutants is on, and tells which of them it met. */
const mutants: InstrumenterContext = {};
Reflect.set(globalThis, INSTRUMENTER_CONSTANTS.NAMESPACE, mutants);

class InProcessRunner implements TestRunner {
  readonly #milliseconds = new Map<Test, number>();
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
      results.push(
        failure === undefined ? { ...told, status: TestStatus.Success } : { ...told, status: TestStatus.Failed, failureMessage: failure },
      );
    }
    delete mutants.currentTestId;
    const { mutantCoverage } = mutants;
    return { status: DryRunStatus.Complete, tests: results, ...(mutantCoverage !== undefined && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRunOptions): Promise<MutantRunResult> {
    const active = (): void => {
      Object.assign(mutants, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    };
    if (mutantActivation === "static") active();
    const all = await this.#load();
    active();
    const chosen = all
      .filter(({ id }) => testFilter === undefined || testFilter.includes(id))
      .toSorted((a, b) => this.#cost(a) - this.#cost(b));
    const from = process.cpuUsage();
    for (const [index, test] of chosen.entries()) {
      const { user, system } = process.cpuUsage(from);
      if (user + system > patienceMs * 1_000) return { status: MutantRunStatus.Survived, nrOfTests: index };
      const failure = await this.#run(test);
      if (failure === undefined) continue;
      if (hitLimit !== undefined && (mutants.hitCount ?? 0) > hitLimit) return { status: MutantRunStatus.Timeout, reason: failure };
      if (mutantActivation === "runtime") await this.#proveClean(test);
      return { status: MutantRunStatus.Killed, killedBy: [test.id], failureMessage: failure, nrOfTests: index + 1 };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: chosen.length };
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
    this.#tests = tests;
    return tests;
  }

  #cost(test: Test): number {
    return this.#milliseconds.get(test) ?? 0;
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

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner)];
