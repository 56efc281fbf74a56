/**
 * What does a long conversation cost under one budget, and what does it still know? The longest recorded sessions, with facts planted in them, go through simulators that account for
 * their cache, once for each way to keep a conversation within its window. The recordings are beside the repository; without them there is nothing to run.
 *
 * `share` is the budget beside a session's size, `slack` the model's window beside the budget. Peers run as their documentation says; docs-site/presets.md says what that is, and how prices are compared.
 *
 * `pnpm bench economy [--sessions 3] [--share 0.5] [--slack 1] [--tokens 60000] [--seed 7]`
 */
import { parseArgs } from "node:util";
import type { CacheAccount } from "@tidemark/testing";
import { isPresent } from "../../testing/test/recordings.ts";
import { longSessions } from "./economy/corpus.ts";
import { type Planted, plant } from "./economy/facts.ts";
import { type Provider, providersFor } from "./economy/providers.ts";
import {
  aiSdkPrune,
  contextChef,
  isKnown,
  langChain,
  type Start,
  slidingWindow,
  tidemark,
  tokensOf,
  type Variant,
} from "./economy/variants.ts";
import { type Figure, tell } from "./report/figure.ts";

/** Of what the previous prompt offers, on a turn without a landing. */
const readShareMin = 0.99;
/** Uncached tokens beside those of an oracle that lands as often and cuts as deep. */
const oracleTimesMax = 1.1;
/** Price beside the cheapest peer that is refused nothing and keeps nine facts of ten. */
const priceTimesMax = 0.9;
const factShareMin = 0.9;

const variants: readonly ((start: Start) => Variant)[] = [
  slidingWindow,
  aiSdkPrune,
  langChain,
  contextChef,
  (start) => tidemark("chat", start),
  (start) => tidemark("longAgent", start),
  (start) => tidemark("local", start),
];

export async function run(args: readonly string[]): Promise<boolean> {
  if (!isPresent) {
    console.log("The recorded sessions are not here (TIDEMARK_DATA): nothing to run.");
    return false;
  }
  const { values } = parseArgs({
    args: [...args],
    options: {
      sessions: { type: "string", default: "3" },
      share: { type: "string", default: "0.5" },
      slack: { type: "string", default: "1" },
      tokens: { type: "string", default: "60000" },
      seed: { type: "string", default: "7" },
    },
  });
  const rows: Row[] = [];
  for (const { id, messages, tokens } of longSessions(Number(values.sessions), Number(values.tokens))) {
    const planted = plant(messages, Number(values.seed));
    const context = Math.max(8_192, Math.floor(tokens * Number(values.share)));
    for (const provider of providersFor(messages))
      for (const make of variants)
        rows.push(await played(id, planted, { context, window: Math.floor(context * Number(values.slack)) }, provider, make));
  }
  return printed(rows);
}

type Row = {
  readonly session: string;
  readonly provider: string;
  readonly variant: string;
  readonly prompt: number;
  readonly read: number;
  readonly uncached: number;
  readonly oracle: number;
  readonly price: number;
  readonly parts: Parts;
  readonly refused: number;
  readonly refusal: string | undefined;
  readonly breaks: number;
  /** Least share of what the previous prompt offered that was read on a turn without a landing. */
  readonly readShare: number;
  readonly facts: number;
  readonly factCount: number;
};

async function played(
  session: string,
  { messages, facts }: Planted,
  { context, window: modelWindow }: { readonly context: number; readonly window: number },
  provider: Provider,
  make: (start: Start) => Variant,
): Promise<Row> {
  let reply = {};
  const simulator = provider.simulator(modelWindow, () => reply);
  const sum = new Sums(provider);
  const ask: Start["ask"] = async (request, headers, content) => {
    reply = provider.reply({ role: "assistant", content });
    const answer = await simulator.handle(request, { headers });
    if (answer.cache === undefined || answer.refusal !== undefined) throw new Error(answer.refusal?.message);
    sum.addSummary(answer.cache, tokensOf(content));
  };
  const variant = make({ provider, context, ask });
  let window = "";
  let asked = 0;
  let refusal: string | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    try {
      const made = await variant.request(messages.slice(0, index));
      reply = provider.reply(message);
      const answer = await simulator.handle(made.request, { headers: made.headers ?? {} });
      window = JSON.stringify(made.request);
      asked = index;
      if (answer.cache === undefined || answer.refusal !== undefined) {
        sum.refused += 1;
        refusal ??= answer.refusal?.message;
        continue;
      }
      sum.add(answer.cache, tokensOf(reply), made.breaks);
      variant.settle(answer.reply);
    } catch (error) {
      sum.refused += 1;
      refusal ??= error instanceof Error ? error.message : String(error);
    }
  }
  const said = JSON.stringify(messages.slice(0, asked));
  const planted = facts.filter((fact) => said.includes(fact));
  const kept: string[] = [];
  for (const fact of planted) if (await isKnown(variant, fact, window)) kept.push(fact);
  const { prompt, read, uncached, oracle, refused, breaks, readShare } = sum;
  const { given, written } = variant.summaries;
  sum.parts.summaries += (given * provider.prices.input + written * provider.prices.output) / 1_000_000;
  const price = Object.values(sum.parts).reduce((whole, part) => whole + part, 0);
  return {
    ...{
      session,
      provider: provider.name,
      variant: variant.name,
      prompt,
      read,
      uncached,
      oracle,
      price,
      parts: sum.parts,
      refused,
      refusal,
      breaks,
      readShare,
    },
    ...{ facts: kept.length, factCount: planted.length },
  };
}

/** What a price is made of: cached tokens that are read, what is new in a request, what stands behind a landing and is written anew, replies, summaries. */
type Parts = { reads: number; news: number; landings: number; replies: number; summaries: number };

/** The account of one conversation. */
class Sums {
  prompt = 0;
  read = 0;
  uncached = 0;
  oracle = 0;
  readonly parts: Parts = { reads: 0, news: 0, landings: 0, replies: 0, summaries: 0 };
  refused = 0;
  breaks = 0;
  readShare = 1;
  readonly #provider: Provider;
  #offered: number | undefined;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** A summary's own request reads from the cache of the conversation, and is no turn of it. */
  addSummary(cache: CacheAccount, output: number): void {
    this.parts.summaries += this.#readPrice(cache) + this.#writePrice(cache) + this.#replyPrice(output);
  }

  add(cache: CacheAccount, output: number, breaks: number): void {
    const { blockTokens } = this.#provider;
    const { prompt, read, written } = cache;
    this.prompt += prompt;
    this.read += read;
    this.uncached += prompt - read;
    this.breaks += breaks > 0 ? 1 : 0;
    this.parts.reads += this.#readPrice(cache);
    this.parts[breaks > 0 ? "landings" : "news"] += this.#writePrice(cache);
    this.parts.replies += this.#replyPrice(output);
    const offered = breaks > 0 || this.#offered === undefined ? read : this.#offered;
    this.oracle += prompt - offered;
    if (offered > 0) this.readShare = Math.min(this.readShare, read / offered);
    // What a next request can read: all that is cached, to the last full block.
    this.#offered = blockTokens > 1 ? Math.floor(prompt / blockTokens) * blockTokens : read + written;
  }

  #readPrice({ read }: CacheAccount): number {
    return (read * this.#provider.prices.cacheRead) / 1_000_000;
  }

  #writePrice({ written, uncached }: CacheAccount): number {
    const { prices } = this.#provider;
    return (uncached * prices.input + written * (Object.values(prices.cacheWrite)[0] ?? prices.input)) / 1_000_000;
  }

  #replyPrice(output: number): number {
    return (output * this.#provider.prices.output) / 1_000_000;
  }
}

function printed(rows: readonly Row[]): boolean {
  const cells = ["session", "provider", "variant", "read", "uncached", "price", "refused", "facts", "breaks", "of offer", "of oracle", ""];
  console.log(cells.map(cell).join(" "));
  let passed = rows.length > 0;
  for (const row of rows) {
    const verdict = verdictOf(row, rows);
    if (verdict !== undefined && verdict !== "pass") passed = false;
    console.log(
      [
        ...[row.session, row.provider, row.variant, percent(row.read / row.prompt), String(row.uncached), row.price.toFixed(3)],
        ...[String(row.refused), `${row.facts}/${row.factCount}`, ...ofLandings(row)],
        verdict ?? row.refusal ?? "",
      ]
        .map(cell)
        .join(" "),
    );
  }
  return printedPrices(rows) && passed;
}

/** Prices are compared over all of the sessions: what a variant saves in one it may lose in another. */
function printedPrices(rows: readonly Row[]): boolean {
  let passed = true;
  for (const provider of new Set(rows.map((row) => row.provider))) {
    const totals = totalsOf(rows.filter((row) => row.provider === provider));
    const able = totals.filter((total) => !total.variant.startsWith("Tidemark") && total.able);
    const cheapest = Math.min(...able.map(({ price }) => price));
    console.log(`\n${provider}, all sessions: price, and of that cached reads, news, landings, replies, summaries`);
    for (const { variant, price, parts, able: isAble } of totals) {
      const shares = Object.values(parts).map((part) => percent(part / price));
      const line = [variant.padEnd(34), price.toFixed(3), ...shares];
      if (!variant.startsWith("Tidemark")) {
        console.log([...line, isAble ? "" : "(not compared)"].join("  "));
        continue;
      }
      const times = price / cheapest;
      // Where no peer qualifies there is nothing to compare with, which is a failure of the bench.
      const holds = able.length > 0 && tell({ what: "price beside the cheapest able peer's", value: times, limit: priceTimesMax });
      passed &&= holds;
      const said = able.length === 0 ? "no peer qualifies" : `${times.toFixed(2)} of the cheapest able peer`;
      console.log([...line, `${said}: ${holds ? "pass" : "fail"}`].join("  "));
    }
  }
  return passed;
}

type Total = { readonly variant: string; readonly price: number; readonly parts: Parts; readonly able: boolean };

function totalsOf(rows: readonly Row[]): readonly Total[] {
  return [...new Set(rows.map(({ variant }) => variant))].map((variant) => {
    const own = rows.filter((row) => row.variant === variant);
    const sum = (of: (row: Row) => number): number => own.reduce((whole, row) => whole + of(row), 0);
    const names = Object.keys((own[0] as Row).parts) as (keyof Parts)[];
    const parts = Object.fromEntries(names.map((name) => [name, sum((row) => row.parts[name])])) as Parts;
    return { variant, price: sum(({ price }) => price), parts, able: own.every(isAble) };
  });
}

/** Peers do not say where they break their prefix. */
function ofLandings(row: Row): readonly string[] {
  if (!isTidemark(row)) return ["", "", ""];
  return [String(row.breaks), percent(row.readShare), (row.uncached / row.oracle).toFixed(2)];
}

function isTidemark({ variant }: Row): boolean {
  return variant.startsWith("Tidemark");
}

/** What of the pass lines a Tidemark row misses; undefined: it is a peer's. */
function verdictOf(row: Row, rows: readonly Row[]): string | undefined {
  if (!isTidemark(row)) return undefined;
  const peers = rows.filter((other) => other.session === row.session && other.provider === row.provider && !isTidemark(other));
  const missed = [
    ...figuresOf(row, peers)
      .filter((figure) => !tell(figure))
      .map(({ what, value }) => `${what}: ${value.toFixed(2)}`),
    ...(row.refused > 0 ? [String(row.refusal)] : []),
  ];
  return missed.length === 0 ? "pass" : missed.join("; ");
}

function figuresOf(row: Row, peers: readonly Row[]): readonly Figure[] {
  const { refused, readShare, uncached, oracle, facts, factCount } = row;
  const mostFacts = Math.max(0, ...peers.filter((peer) => peer.refused === 0).map((peer) => peer.facts));
  return [
    { what: "requests refused", value: refused, limit: 0 },
    { what: "read of what the prompt before offers, without a landing", value: readShare, limit: readShareMin, atLeast: true },
    { what: "uncached tokens beside an oracle's", value: uncached / oracle, limit: oracleTimesMax },
    { what: "share of planted facts kept", value: facts / factCount, limit: mostFacts / factCount, atLeast: true },
  ];
}

/** Refused nothing, and knows enough of what was said to be compared with. */
function isAble({ refused, facts, factCount }: Row): boolean {
  return refused === 0 && facts >= factCount * factShareMin;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const widths = [26, 13, 34, 8, 9, 8, 8, 9, 7, 9, 10, 0];

function cell(text: string, index: number): string {
  return text.slice(0, (widths[index] ?? 0) || undefined).padEnd(widths[index] ?? 0);
}
