import process from "node:process";
import { parseArgs } from "node:util";
import type { Answer } from "./experiment.ts";
import { openQuestions } from "./open-questions.ts";
import { type ProviderName, providerOf } from "./providers.ts";
import { ruleExperiments } from "./rule-experiments.ts";
import { dryRun, run } from "./run.ts";

const usage = `pnpm verify:live [--dry-run] [--only TEXT] [--requests 60] [--tokens 150000]

Asks providers what no document says, one small experiment for each open question and each shape rule that is only likely or weak, and says what the answer decides.
Keys are read from the environment, as the providers name them (ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENAI_API_KEY, …; OLLAMA_HOST for an address); what has no key is left out.
--dry-run shows the requests, and needs no key. --only takes experiments whose name holds the text. No text that a model generates is shown.`;

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    only: { type: "string", default: "" },
    requests: { type: "string", default: "60" },
    tokens: { type: "string", default: "150000" },
    help: { type: "boolean", default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const asked = [...openQuestions, ...ruleExperiments()].filter(({ id }) => id.includes(values.only));

if (values.help) print(usage);
else if (values["dry-run"]) dryRun(asked, print);
else {
  const withKeys = asked.filter(({ provider }) => keyOf(provider) !== undefined);
  if (withKeys.length === 0) print(`No key is set for any of ${asked.length} experiments.\n\n${usage}`);
  const budget = { requests: Number(values.requests), tokens: Number(values.tokens) };
  const spent = await run(withKeys, { budget, send, print });
  print(
    `${spent.judged} judged, ${spent.skipped} skipped, ${asked.length - withKeys.length} without a key; ${spent.requests} requests, about ${spent.tokens} tokens.`,
  );
}

function keyOf(provider: ProviderName): string | undefined {
  const key = process.env[providerOf(provider).key];
  return key === undefined || key === "" ? undefined : key;
}

async function send(provider: ProviderName, request: object): Promise<Answer> {
  const { url, headers, body } = providerOf(provider);
  const key = keyOf(provider) ?? "";
  const response = await fetch(url(request, key), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers(key) },
    body: JSON.stringify(body?.(request) ?? request),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
