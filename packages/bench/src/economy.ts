/**
 * What does a long conversation cost under one budget, and what does it still know? The longest recorded sessions, with facts planted in them, go through simulators that account for
 * their cache, once for each way to keep a conversation within its window. The recordings are beside the repository; without them there is nothing to run.
 *
 * `share` is the budget beside a session's size, `slack` the model's window beside the budget: with 1 the peers are refused where one result is large, so that none of them can be compared.
 *
 * `pnpm bench economy [--sessions 3] [--share 0.5] [--slack 3] [--tokens 60000] [--seed 7]`
 */
import { parseArgs } from "node:util";
import type { CacheAccount } from "@tidemark/testing";
import { isPresent } from "../../testing/test/recordings.ts";
import { longSessions } from "./economy/corpus.ts";
import { type Planted, plant } from "./economy/facts.ts";
import { type Provider, providersFor } from "./economy/providers.ts";
import { aiSdkPrune, contextChef, langChain, type Start, slidingWindow, tidemark, tokensOf, type Variant } from "./economy/variants.ts";
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
      slack: { type: "string", default: "3" },
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
  const variant = make({ provider, context });
  let reply = {};
  const simulator = provider.simulator(modelWindow, () => reply);
  const sum = new Sums(provider);
  let window = "";
  let asked = 0;
  let refusal: string | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    reply = provider.reply(message);
    try {
      const made = await variant.request(messages.slice(0, index));
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
  const kept = planted.filter((fact) => window.includes(fact) || variant.recalls(fact, window));
  const { prompt, read, uncached, oracle, refused, breaks, readShare } = sum;
  const price = sum.price + (variant.summarised() * provider.prices.input) / 1_000_000;
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
      refused,
      refusal,
      breaks,
      readShare,
    },
    ...{ facts: kept.length, factCount: planted.length },
  };
}

/** The account of one conversation. */
class Sums {
  prompt = 0;
  read = 0;
  uncached = 0;
  oracle = 0;
  price = 0;
  refused = 0;
  breaks = 0;
  readShare = 1;
  readonly #provider: Provider;
  #offered: number | undefined;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  add({ prompt, read, written, uncached }: CacheAccount, output: number, breaks: number): void {
    const { prices, blockTokens } = this.#provider;
    const write = Object.values(prices.cacheWrite)[0] ?? prices.input;
    this.prompt += prompt;
    this.read += read;
    this.uncached += prompt - read;
    this.breaks += breaks > 0 ? 1 : 0;
    this.price += (uncached * prices.input + read * prices.cacheRead + written * write + output * prices.output) / 1_000_000;
    const offered = breaks > 0 || this.#offered === undefined ? read : this.#offered;
    this.oracle += prompt - offered;
    if (offered > 0) this.readShare = Math.min(this.readShare, read / offered);
    // What a next request can read: all that is cached, to the last full block.
    this.#offered = blockTokens > 1 ? Math.floor(prompt / blockTokens) * blockTokens : read + written;
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
  return passed;
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
    ...(peers.some(isAble) ? [] : ["no peer qualifies"]),
  ];
  return missed.length === 0 ? "pass" : missed.join("; ");
}

function figuresOf(row: Row, peers: readonly Row[]): readonly Figure[] {
  const { refused, readShare, uncached, oracle, price, facts, factCount } = row;
  const cheapest = Math.min(...peers.filter(isAble).map((peer) => peer.price));
  const mostFacts = Math.max(0, ...peers.filter((peer) => peer.refused === 0).map((peer) => peer.facts));
  return [
    { what: "requests refused", value: refused, limit: 0 },
    { what: "read of what the prompt before offers, without a landing", value: readShare, limit: readShareMin, atLeast: true },
    { what: "uncached tokens beside an oracle's", value: uncached / oracle, limit: oracleTimesMax },
    { what: "share of planted facts kept", value: facts / factCount, limit: mostFacts / factCount, atLeast: true },
    { what: "price beside the cheapest able peer's", value: price / cheapest, limit: priceTimesMax },
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
