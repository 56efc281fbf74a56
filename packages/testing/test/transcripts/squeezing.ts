import {
  background,
  chain,
  elide,
  type Landing,
  type OverflowStrategy,
  onDemandCompaction,
  reset,
  type Session,
  type SessionOptions,
  summarize,
  type Turn,
} from "@tidemark/core";
import type { AnthropicRequest } from "@tidemark/core/anthropic";

/** Has the provider compact a request as it is, to this summary. */
type Compact = (body: object, headers: Readonly<Record<string, string>>, summary: string) => Promise<object>;

/** What the stories of a window that is too full have: a strategy, a summariser that says what the story wants and when, and what came of it. */
export class Squeezing {
  readonly #compact: Compact;
  readonly #came: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #summary = "SUMMARY: nothing is open.";
  #waits = false;
  #shown = false;

  constructor(compact: Compact) {
    this.#compact = compact;
  }

  /** `overflow elide + reset, window 4000, high 1800, low 900`: tokens; the window holds the reply's 1,000, too. */
  options(options: readonly string[]): Pick<SessionOptions, "budget" | "overflow" | "now"> {
    const of = (name: string): string | undefined => options.find((option) => option.startsWith(`${name} `))?.slice(name.length + 1);
    const steps = of("overflow")?.split(" + ");
    if (steps === undefined) return {};
    this.#shown = true;
    const [first, ...others] = steps.map((name) => this.#strategy(name));
    const strategy = others.length === 0 ? (first as OverflowStrategy) : chain(first as OverflowStrategy, ...others);
    return {
      overflow: { strategy, minimumGain: 0 },
      budget: { context: Number(of("window")), highWater: Number(of("high")), lowWater: Number(of("low")) },
    };
  }

  listen(session: Pick<Session<AnthropicRequest>, "on">): void {
    session.on("landing", (landing) => this.#came.push(describeLanding(landing)));
    session.on("overflow", ({ status, why }) => {
      if (status !== "unchanged") this.#came.push(`overflow ${status}: ${why}`);
    });
  }

  /** What came of the window since it was last told. */
  told(turn: Turn): readonly string[] {
    if (!this.#shown) return [];
    return [`${turn.budget.tokens} tokens`, ...this.#came.splice(0)];
  }

  /** `waits`: what it is asked next is not answered yet. `says "text"` or `says 40 lines`: it says this from now on, and answers what waits. */
  async summariser([verb, ...words]: readonly string[]): Promise<readonly string[]> {
    this.#waits = verb === "waits";
    if (this.#waits) return [];
    const [text = "", unit] = words;
    this.#summary = unit === "lines" ? Array.from({ length: Number(text) }, (_, line) => `SUMMARY line ${line + 1}`).join("\n") : text;
    for (const answer of this.#waiting.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
    return [];
  }

  /** `compact`: with the session's strategy. `compact 0 4 "text"`: the host's own words over messages of the last window. */
  compact(session: Pick<Session<AnthropicRequest>, "compact">, [from, to, text = ""]: readonly string[]): readonly string[] {
    session.compact(from === undefined ? undefined : { from: Number(from), to: Number(to), text });
    return [];
  }

  #strategy(name: string): OverflowStrategy {
    const summarizer = async () => {
      const waits = this.#waits;
      this.#waits = false;
      if (waits) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return { text: this.#summary, complete: true, refused: false };
    };
    const made: Readonly<Record<string, () => OverflowStrategy>> = {
      elide: () => elide(),
      reset: () => reset(),
      summarize: () => summarize({ summarizer }),
      background: () => background(summarize({ summarizer })),
      onDemandCompaction: () => onDemandCompaction({ send: (body, { headers }) => this.#compact(body, headers, this.#summary) }),
    };
    const strategy = made[name];
    if (strategy === undefined) throw new Error(`There is no strategy "${name}". Known are ${Object.keys(made).join(", ")}.`);
    return strategy();
  }
}

function describeLanding({ number, strategy, reason, signed, tokensBefore, tokensAfter, replaces }: Landing): string {
  const range = replaces === undefined ? "" : ` over ${replaces.from}-${replaces.to} of the history`;
  return `landing ${number} by ${strategy}: ${signed ? "signed " : ""}${reason}${range}, ${tokensBefore} tokens to ${tokensAfter}`;
}
