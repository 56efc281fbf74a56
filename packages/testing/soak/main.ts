/** `pnpm soak`: the host behaviours of the wild, mixed by seed, against a strict simulator. The test of the rules themselves. */
import { readArguments, usage } from "./arguments.ts";
import { writeFigures } from "./page.ts";
import { drawPlan } from "./plan.ts";
import { failureText, occurrencesMin, rareOccurrences, tableOf } from "./report.ts";
import { type Outcome, runSession } from "./run-session.ts";
import { shrinkPlan } from "./shrink-plan.ts";
import { Tally } from "./tally.ts";

/** Failures that are shrunk and shown; the others are counted. */
const shownMax = 16;
/** Sessions of one kind of failure that are shrunk, to find the different ones among them. */
const shownOfAKind = 3;
/** How many times longer a run may take on a slow machine until everything occurred often enough. */
const patience = 8;

const args = readArguments(process.argv.slice(2), () => Date.now() % 1_000_000);
if (args === undefined) {
  console.error(usage);
  process.exit(2);
}

const tally = new Tally();
const failures = new Map<string, number>();
const shown = new Set<string>();
const shares = new Map<string, { sessions: number; requests: number }>();
let sessions = 0;
/** Milliseconds of processor time, without those for shrinking: a busy machine plays as many sessions as an idle one. */
let computed = 0;

/** Asked to stop, it ends with the session at hand and says what it saw. */
let stopped = false;
const stop = (): void => {
  stopped = true;
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);

console.log(`soak: seed ${args.seed}, ${args.seconds} s`);
do {
  const cpu = process.cpuUsage();
  const outcome = await runSession(drawPlan(args.seed + sessions, args), { isRead: args.trace });
  computed += process.cpuUsage(cpu).user / 1_000;
  sessions += 1;
  tally.add(outcome.tally);
  noteShares(outcome);
  if (args.trace) console.log(`\nseed ${outcome.plan.seed}\n${outcome.transcript.text()}`);
  if (outcome.failure !== undefined) await show(outcome, outcome.failure.kind);
  if (stopped || (args.first && failures.size > 0)) break;
} while (sessions < args.sessions && (computed < args.seconds * 1_000 || (computed < args.seconds * patience * 1_000 && isRare())));

const { requests, refused } = tally.total();
const rare = args.countsOccurrences ? rareOccurrences(tally) : [];
console.log(`\n${tableOf(tally)}\n`);
for (const [kind, count] of failures) console.log(`${count} sessions failed: ${kind}`);
for (const line of rare) console.log(`fewer than ${occurrencesMin}: ${line}`);
console.log(
  `${sessions} sessions, ${requests} requests (${Math.round((requests / computed) * 1_000)} a second of processor time), ${refused} refused`,
);
if (args.write !== undefined)
  await writeFigures(args.write, { seed: args.seed, sessions, tally, shares, failures }, new Date().toISOString().slice(0, 10));
const passed = failures.size === 0 && rare.length === 0;
console.log(passed ? "pass" : "fail");
process.exitCode = passed ? 0 : 1;

function noteShares({ plan, tally: own }: Outcome): void {
  const { wire, overflow } = plan.traits;
  for (const name of [wire, ...(overflow === "none" ? [] : [`makes room: ${overflow}`])]) {
    const share = shares.get(name) ?? { sessions: 0, requests: 0 };
    shares.set(name, { sessions: share.sessions + 1, requests: share.requests + own.total().requests });
  }
}

function isRare(): boolean {
  return args?.countsOccurrences === true && rareOccurrences(tally).length > 0;
}

/** Shrinks a failure and prints it, unless one that was shown has the same kind and the same steps. */
async function show(outcome: Outcome, kind: string): Promise<void> {
  const known = failures.get(kind) ?? 0;
  failures.set(kind, known + 1);
  if (shown.size >= shownMax || known >= shownOfAKind) return;
  const smallest = args?.first === true ? outcome : await shrinkPlan(outcome);
  const signature = [kind, ...new Set(smallest.plan.steps.map(({ behaviour }) => behaviour))].join();
  if (shown.has(signature)) return;
  shown.add(signature);
  console.log(failureText(smallest));
}
