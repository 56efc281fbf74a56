import { callable, count, objectOf, optional, text } from "../json/check.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import { checked, stray } from "../wire/checked.ts";
import { sentEnds, tokensBehind } from "./cut.ts";
import { OverflowError, type OverflowFailure } from "./errors.ts";
import { reset } from "./reset.ts";
import {
  declined,
  inputFor,
  type Outcome,
  type OverflowInput,
  type OverflowStrategy,
  replaced,
  strategyShape,
  unchanged,
} from "./strategy.ts";
import { summaryTokensFor } from "./summary.ts";

export type OnDemandCompactionOptions = {
  /**
   * Sends a request of this wire as it is, with these headers, and gives back the reply: `(request, { headers, signal }) => client.beta.messages.create(request, { headers, signal })`;
   * for OpenAI `(request, { signal }) => client.responses.compact(request, { signal })`.
   */
  readonly send: (
    request: object,
    options: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ) => Promise<object>;
  /** What the provider is told to keep, in place of its own prompt. Anthropic only: OpenAI takes none. */
  readonly instructions?: string | undefined;
  /** Answered requests that stay, counted from the last. 0: none but the last reply and what answers it. Default: two, or fewer where the window would stay above low water. */
  readonly keepRecentTurns?: number | undefined;
  /** What is done where the provider cannot compact, or nothing was answered yet. Default `reset()`. */
  readonly fallback?: OverflowStrategy | undefined;
};

const keepRecentTurnsDefault = 2;

const shape = objectOf(
  { send: callable, instructions: optional(text), keepRecentTurns: optional(count), fallback: optional(strategyShape) },
  stray,
);

/**
 * Asks the provider to compact what it was sent, byte for byte, and puts its block in its place (rule 42). On Anthropic what is kept behind the block keeps its reasoning, in a tool turn
 * too; that needs `headers: true`, or `betas` in the requests. On OpenAI reasoning behind the item is void where the model binds it, so that it waits for the end of a tool turn.
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function onDemandCompaction(options: OnDemandCompactionOptions): OverflowStrategy {
  const fallback = checked(options, shape).fallback ?? reset();
  const strategy: OverflowStrategy = {
    name: "onDemandCompaction",
    signed: true,
    parts: [fallback],
    provider: "on-demand",
    async run(input) {
      if (input.urgency === "early") return unchanged("there is room");
      if (input.urgency === "high" && input.openCalls.length > 0 && input.compaction?.keepsReasoning === false)
        return unchanged("what is kept of the tool turn would lose its reasoning");
      const cuts = input.compaction?.offered(input.head.model) === true ? sentEnds(input.groups) : [];
      return cuts.length === 0
        ? fallback.run(inputFor(fallback, input))
        : compacted(strategy.name, input, cutAt(input, cuts, options), options);
    },
  };
  return strategy;
}

function cutAt(input: OverflowInput, cuts: readonly number[], { keepRecentTurns }: OnDemandCompactionOptions): number {
  const wanted = keepRecentTurns ?? keepRecentTurnsDefault;
  for (let keep = wanted; keep > 0; keep--) {
    const cut = cuts[cuts.length - 1 - keep];
    if (cut !== undefined && (keepRecentTurns !== undefined || tokensBehind(input, cut) <= input.measure.lowWater)) return cut;
  }
  return cuts.at(-1) as number;
}

async function compacted(name: string, input: OverflowInput, to: number, options: OnDemandCompactionOptions): Promise<Outcome> {
  const { compaction, signal } = input;
  if (compaction === undefined) return unchanged("the provider cannot compact");
  const left = tokensBehind(input, to) + summaryTokensFor(input);
  if (!input.pays(left, 0)) return declined(input, left);
  // Rendered before anything is awaited: the host may change what it handed over.
  const prefix = input.renderPrefix(to);
  const asked = compaction.ask(prefix.request, options.instructions);
  signal.throwIfAborted();
  const reply = await sent(name, options, asked.request, joined(prefix.headers, asked.headers), signal);
  signal.throwIfAborted();
  const messages = compaction.read(reply);
  if (typeof messages === "string") throw new OverflowError(name, failureOf(messages), messages);
  // The reply is the host's object: what the window says of it is a copy.
  return replaced({ kind: "block", from: 0, to, messages: messages.map((message) => copyValue(message) as ObjectValue) });
}

async function sent(
  name: string,
  { send }: OnDemandCompactionOptions,
  request: object,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<object> {
  try {
    return await send(request, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new OverflowError(name, "overloaded", error instanceof Error ? error.message : String(error), error);
  }
}

function failureOf(why: string): OverflowFailure {
  if (why.includes("refusal")) return "refused";
  return why.includes("max_tokens") || why.includes("model_context_window_exceeded") ? "truncated" : "invalid";
}

/** A header that both have is a list, each name once. */
function joined(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lists = Object.entries(other).map(([name, value]) => {
    const items = new Set([one[name], value].flatMap((list) => list?.split(",") ?? []));
    return [name, [...items].join(",")];
  });
  return { ...one, ...Object.fromEntries(lists) };
}
