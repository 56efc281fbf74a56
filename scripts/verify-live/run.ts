import type { ObjectValue } from "../../packages/core/src/json/value.ts";
import type { Answer, Experiment } from "./experiment.ts";
import { type ProviderName, providerOf } from "./providers.ts";

type Budget = { readonly requests: number; readonly tokens: number };

export type RunOptions = {
  readonly budget: Budget;
  /** Sends one request; rejects when nothing answers. */
  readonly send: (provider: ProviderName, request: object) => Promise<Answer>;
  readonly print: (line: string) => void;
};

export type Spent = { readonly requests: number; readonly tokens: number; readonly judged: number; readonly skipped: number };

/** Shows what would be sent: needs no key and sends nothing. */
export function dryRun(experiments: readonly Experiment[], print: (line: string) => void): void {
  for (const experiment of experiments) {
    announce(experiment, print);
    const before: Answer[] = [];
    for (const { title, request, standIn = {} } of experiment.steps) {
      const asked = request(before);
      const { url, body } = providerOf(experiment.provider);
      print(`  ${title}: POST ${url(asked, "http://127.0.0.1:11434")}`);
      print(`    ${JSON.stringify(body?.(asked) ?? asked)}`);
      before.push({ status: 200, body: standIn });
    }
  }
}

/**
 * Runs the experiments one after the other, within the budget. A provider whose key is refused, or whose quota is used up, is asked no more; an experiment whose
 * provider does not answer is left out.
 */
export async function run(experiments: readonly Experiment[], { budget, send, print }: RunOptions): Promise<Spent> {
  const stopped = new Map<ProviderName, string>();
  const spent = { requests: 0, tokens: 0, judged: 0, skipped: 0 };
  for (const experiment of experiments) {
    announce(experiment, print);
    const answers: Answer[] = [];
    let reason = stopped.get(experiment.provider);
    for (const { request } of experiment.steps) {
      if (reason !== undefined) break;
      const asked = request(answers);
      const estimate = Math.ceil(JSON.stringify(asked).length / charactersAToken) + outputTokens;
      if (spent.requests + 1 > budget.requests || spent.tokens + estimate > budget.tokens) {
        print(`  stopped: the budget of ${budget.requests} requests and ${budget.tokens} tokens does not reach further`);
        return { ...spent, skipped: experiments.length - spent.judged };
      }
      const answer = await send(experiment.provider, asked).catch(() => undefined);
      spent.requests += 1;
      if (answer === undefined) {
        reason = "nothing answered";
        break;
      }
      spent.tokens += tokensOf(experiment.provider, answer) ?? estimate;
      reason = refusals.get(answer.status);
      if (reason !== undefined) stopped.set(experiment.provider, reason);
      answers.push(answer);
    }
    if (reason === undefined) spent.judged += 1;
    else spent.skipped += 1;
    print(reason === undefined ? `  ${experiment.judge(answers)}` : `  skipped: ${reason}`);
  }
  return spent;
}

/** Statuses after which a provider is asked no more. */
const refusals: ReadonlyMap<number, string> = new Map([
  [401, "the key is refused (status 401)"],
  [402, "there is no credit (status 402)"],
  [403, "the key may not do this (status 403)"],
  [429, "the quota is used up (status 429)"],
]);

/** For what reports nothing: the dense side of what tokenizers make of JSON, and the output that a request asks for. */
const charactersAToken = 3;
const outputTokens = 16;

function announce({ id, asks, decides }: Experiment, print: (line: string) => void): void {
  print(`${id}: ${asks}`);
  print(`  decides: ${decides}`);
}

function tokensOf(provider: ProviderName, { body }: Answer): number | undefined {
  try {
    const usage = providerOf(provider).wire.readReply(body as ObjectValue).usage;
    return usage?.prompt === undefined ? undefined : usage.prompt + (usage.output ?? 0);
  } catch {
    return undefined;
  }
}
