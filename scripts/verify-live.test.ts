import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { geminiSimulator } from "../packages/testing/src/index.ts";
import type { Answer, Experiment } from "./verify-live/experiment.ts";
import { openQuestions } from "./verify-live/open-questions.ts";
import { providers } from "./verify-live/providers.ts";
import { ruleExperiments } from "./verify-live/rule-experiments.ts";
import { dryRun, run } from "./verify-live/run.ts";

const all = [...openQuestions, ...ruleExperiments()];
const budget = { requests: 1_000, tokens: 1_000_000 };
const experiment = (id: string, steps = 1): Experiment => ({
  id,
  provider: "gemini",
  asks: "Is it so?",
  decides: "rule 1",
  steps: Array.from({ length: steps }, (_, at) => ({ title: `step ${at}`, request: () => ({ model: "m", contents: [] }) })),
  judge: (answers) => `judged ${answers.map(({ status }) => status).join(" ")}`,
});

async function ran(experiments: readonly Experiment[], answers: readonly (Answer | Error)[], limits = budget) {
  const lines: string[] = [];
  let asked = 0;
  const send = async (): Promise<Answer> => {
    const answer = answers[asked++] ?? { status: 200, body: {} };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const spent = await run(experiments, { budget: limits, send, print: (line) => lines.push(line) });
  return { spent, lines, asked };
}

describe("the experiments", () => {
  it("have a name each, say what they decide, and ask for next to no output", () => {
    expect(all.length).toBeGreaterThan(30);
    for (const { id, decides, steps } of all) {
      expect(decides, id).toMatch(/rule|facts|models\.ts/);
      for (const { request } of steps) expect(JSON.stringify(request([])), id).not.toContain("undefined");
    }
    expect(new Set(openQuestions.map(({ id }) => id)).size).toBe(openQuestions.length);
  });

  it("are there for every rule of a wire that is likely or weak, and for no other", () => {
    const rules = ruleExperiments().map(({ id }) => id.split(" ").at(-1));
    // The rules of Responses have no samples that could be sent as they are; what is open of them is asked by hand.
    for (const { wire } of Object.values(providers).filter((provider) => provider.wire.name !== "openai-responses")) {
      for (const { id, grade } of wire.rules) if (grade !== "sure") expect(rules, id).toContain(id);
    }
    expect(rules).not.toContain("GE-01");
  });

  it("hold on the simulator, which refuses what the rules forbid", async () => {
    const simulator = geminiSimulator();
    const ours = ruleExperiments().filter(({ provider }) => provider === "gemini");
    const lines: string[] = [];
    const send = async (_provider: string, request: object) => {
      const { status, reply } = await simulator.handle(request);
      return { status, body: reply };
    };
    const spent = await run(ours, { budget, send, print: (line) => lines.push(line) });
    expect(spent).toMatchObject({ judged: ours.length, skipped: 0 });
    const unclear = lines.filter((line) => line.startsWith("  UNCLEAR"));
    // A part of a kind that nobody knows is refused by another rule.
    expect(unclear).toEqual([expect.stringContaining("hologram")]);
    expect(lines.filter((line) => line.startsWith("  HOLDS"))).toHaveLength(ours.length - 1);
  });
});

describe("a dry run", () => {
  it("shows every request and needs no key", async () => {
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
    const args = ["--conditions=@tidemark/source", "scripts/verify-live/main.ts", "--dry-run"];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: new URL("..", import.meta.url),
      env: environment,
      maxBuffer: 50_000_000,
    });
    for (const { id } of all) expect(stdout).toContain(`${id}: `);
    expect(stdout.match(/POST https?:/g)).toHaveLength(all.reduce((sum, { steps }) => sum + steps.length, 0));
  });

  it("sends nothing", () => {
    const lines: string[] = [];
    dryRun([experiment("one", 2)], (line) => lines.push(line));
    expect(lines.filter((line) => line.includes("POST "))).toHaveLength(2);
    expect(lines.at(-1)).toBe('    {"contents":[]}');
  });
});

describe("a live run", () => {
  it("says the judgement, and counts what it spent", async () => {
    const reply = {
      candidates: [{ content: { parts: [{ text: "SECRET" }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2 },
    };
    const { spent, lines } = await ran(
      [experiment("one", 2)],
      [
        { status: 200, body: reply },
        { status: 400, body: {} },
      ],
    );
    expect(lines.at(-1)).toBe("  judged 200 400");
    expect(spent).toMatchObject({ requests: 2, judged: 1, skipped: 0 });
    expect(spent.tokens).toBeGreaterThan(9);
    expect(lines.join()).not.toContain("SECRET");
  });

  it.each([401, 402, 403, 429])("asks a provider no more once it answered %d", async (status) => {
    const { spent, lines, asked } = await ran(
      [experiment("one"), experiment("two"), { ...experiment("three"), provider: "anthropic" }],
      [{ status, body: {} }],
    );
    expect(asked).toBe(2);
    expect(spent).toMatchObject({ judged: 1, skipped: 2 });
    expect(lines.filter((line) => line.includes(`status ${status}`))).toHaveLength(2);
  });

  it("goes on when nothing answered one experiment", async () => {
    const { spent, lines } = await ran([experiment("one"), experiment("two")], [new Error("fetch failed")]);
    expect(spent).toMatchObject({ requests: 2, judged: 1, skipped: 1 });
    expect(lines).toContain("  skipped: nothing answered");
  });

  it("ends before a request that the budget does not hold", async () => {
    expect((await ran([experiment("one", 3)], [], { requests: 2, tokens: 1_000 })).asked).toBe(2);
    const { asked, lines } = await ran([experiment("one")], [], { requests: 9, tokens: 10 });
    expect(asked).toBe(0);
    expect(lines.at(-1)).toContain("stopped: the budget");
  });
});
