/**
 * `pnpm planted-faults [NAME...]`: checks the check. Plants one fault at a time in the sources as Node loads them and expects the soak to find it within two minutes of processor
 * time. Fails loudly when a text that a fault replaces is no longer there. Ends with `N found, N missed`.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { styleText } from "node:util";

type Fault = {
  readonly name: string;
  /** What it does, in words. */
  readonly does: string;
  /** From `packages/core/src`. */
  readonly file: string;
  /** Stands there once. */
  readonly text: string;
  readonly instead: string;
};

const faults: readonly Fault[] = [
  {
    name: "comparison",
    does: "texts of one length and one beginning count as the same",
    file: "json/compare.ts",
    text: '  if (value === kept) return "same";',
    instead:
      '  if (value === kept || (typeof value === "string" && typeof kept === "string" && value.length === kept.length && value[0] === kept[0])) return "same";',
  },
  {
    name: "admission",
    does: "what a user says in one message with results is left out",
    file: "ledger/admit-turn.ts",
    text: "      if (said.length > 0) this.#say(",
    instead: "      if (said.length > 0 && !holdsResults) this.#say(",
  },
  {
    name: "voiding",
    does: "a changed head leaves reasoning in place",
    file: "ledger/void-reasoning.ts",
    text: "losingIds(entries, voiding, unsent)",
    instead: "losingIds(entries, { ...voiding, voided: false }, unsent)",
  },
  {
    name: "cut points",
    does: "a window may be cut between calls and their results",
    file: "overflow/groups.ts",
    text: '  if (kind === "results") return true;',
    instead: '  if (kind === "results") return false;',
  },
  {
    name: "background freshness",
    does: "a job lands over a window that changed since it started",
    file: "overflow/background.ts",
    text: "  return job.read.slice(0, to).every((group, index) => sameGroup(group, groups[index]));",
    instead: "  return to <= groups.length;",
  },
  {
    name: "snapshot",
    does: "the order in which keys were received is not kept",
    file: "ledger/snapshot.ts",
    text: "orders?.map((order) => (order === null ? -1 : keyLists.place(order)))",
    instead: "orders?.map(() => -1)",
  },
  {
    name: "compare-and-swap",
    does: "a store takes every save",
    file: "session/store.ts",
    text: "      if (rows.get(name)?.version !== expected) return undefined;\n",
    instead: "",
  },
];

const root = resolve(import.meta.dirname, "..");
const secondsMax = 120;
const firstSeed = 1;

const asked = process.argv.slice(2);
const chosen = asked.length === 0 ? faults : faults.filter(({ name }) => asked.includes(name));
if (chosen.length === 0 || chosen.length < asked.length) {
  console.error(`pnpm planted-faults [NAME...]\n${faults.map(({ name, does }) => `  ${name}: ${does}`).join("\n")}`);
  process.exit(2);
}

let missed = 0;
for (const fault of chosen) {
  const file = join(root, "packages/core/src", fault.file);
  const places = (await readFile(file, "utf8")).split(fault.text).length - 1;
  if (places !== 1)
    throw new Error(`${fault.name}: ${fault.file} says ${places} times what the fault replaces. Mend the fault:\n${fault.text}`);
  const { finding, sessions } = await hunt({ ...fault, file });
  if (finding === undefined) missed += 1;
  const word = finding === undefined ? styleText("red", "missed") : styleText("green", "found ");
  const seen = finding === undefined ? `nothing in ${secondsMax} s of processor time` : `${finding.kind}, seed ${finding.seed}`;
  console.log(`${word} ${fault.name} (${fault.does}): ${seen}; ${sessions} sessions`);
}
console.log(`\n${chosen.length - missed} found, ${missed} missed`);
process.exitCode = missed === 0 ? 0 : 1;

type Finding = { readonly kind: string; readonly seed: number };
type Planted = { readonly file: string; readonly text: string; readonly instead: string };

/** What the soak finds with a fault in place and does not find without it. */
async function hunt(fault: Planted): Promise<{ readonly finding: Finding | undefined; readonly sessions: number }> {
  let seed = firstSeed;
  let seconds = secondsMax;
  while (seconds > 0) {
    const { finding, spent } = await soak({ seed, seconds, sessions: undefined }, fault);
    if (finding === undefined) break;
    const without = await soak({ seed: finding.seed, seconds: 0, sessions: 1 }, undefined);
    if (without.finding?.kind !== finding.kind) return { finding, sessions: finding.seed - firstSeed + 1 };
    // The soak has something to say of this session anyway.
    seed = finding.seed + 1;
    seconds -= spent;
  }
  return { finding: undefined, sessions: seed - firstSeed };
}

type Run = { readonly seed: number; readonly seconds: number; readonly sessions: number | undefined };

/** Runs the soak to its first failure, with a fault or without one. `spent` is in seconds of processor time. */
function soak(
  { seed, seconds, sessions }: Run,
  fault: Planted | undefined,
): Promise<{ readonly finding: Finding | undefined; readonly spent: number }> {
  const planted = fault === undefined ? [] : [`--import=${join(import.meta.dirname, "plant-fault.ts")}`];
  const limits = [
    "--seconds",
    String(seconds),
    "--seed",
    String(seed),
    ...(sessions === undefined ? [] : ["--sessions", String(sessions)]),
  ];
  const child = spawn(
    process.execPath,
    ["--conditions=@tidemark/source", ...planted, join(root, "packages/testing/soak/main.ts"), "--first", ...limits],
    { cwd: root, env: { ...process.env, PLANTED_FAULT: JSON.stringify(fault ?? {}) }, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      const said = /^FAIL (.*) \(seed (\d+)\)/m.exec(output);
      const finding = said === null ? undefined : { kind: String(said[1]), seed: Number(said[2]) };
      const requests = /(\d+) requests \((\d+) a second/.exec(output);
      const spent = requests === null ? 0 : Number(requests[1]) / Math.max(Number(requests[2]), 1);
      if ((code === 1) !== (finding !== undefined)) fail(new Error(`The soak ended with ${code} and said:\n${output}`));
      else done({ finding, spent });
    });
  });
}
