import {
  anchored,
  background,
  chain,
  elide,
  type OverflowStrategy,
  onDemandCompaction,
  reset,
  type Summarizer,
  server,
  summarize,
} from "@tidemark/core";
import type { Chance } from "../src/simulator/chance.ts";
import { wordsRead } from "./words.ts";

/** Sends a provider's compaction as it is. */
export type Compact = (request: object, options: { readonly headers: Readonly<Record<string, string>> }) => Promise<object>;

/** Every way of making room that a host may choose; `none` has all the room it needs. */
export const strategies = {
  none: undefined,
  elide: () => elide(),
  reset: () => reset(),
  "elide, reset": () => chain(elide(), reset()),
  "summarize, reset": (summarizer: Summarizer) => chain(summarize({ summarizer }), reset()),
  "elide, summarize, reset": (summarizer: Summarizer) => chain(elide(), summarize({ summarizer }), reset()),
  "background, reset": (summarizer: Summarizer) => chain(background(summarize({ summarizer })), reset()),
  "compaction, reset": (_summarizer: Summarizer, send: Compact) => chain(onDemandCompaction({ send }), reset()),
  "background compaction, summarize, reset": (summarizer: Summarizer, send: Compact) =>
    chain(background(onDemandCompaction({ send })), summarize({ summarizer }), reset()),
  "anchored, reset": (summarizer: Summarizer) => chain(anchored({ summarizer: underHeadings(summarizer) }), reset()),
  "background anchored, elide, reset": (summarizer: Summarizer) =>
    chain(background(anchored({ summarizer: underHeadings(summarizer) })), elide(), reset()),
  "server, reset": (_summarizer: Summarizer, _send: Compact, wire: string) => chain(server({ tokens: thresholdOf(wire) }), reset()),
  // The model may ask for room, too.
  "on the model's word: elide, summarize, reset": (summarizer: Summarizer) => chain(elide(), summarize({ summarizer }), reset()),
} as const satisfies Readonly<Record<string, ((summarizer: Summarizer, send: Compact, wire: string) => OverflowStrategy) | undefined>>;

export type StrategyName = keyof typeof strategies;
export const strategyNames: readonly StrategyName[] = Object.keys(strategies) as StrategyName[];

/** Whether the model has a tool by which it asks for room. */
export function asksByTool(name: StrategyName): boolean {
  return name.startsWith("on the model's word");
}

/** Whether a strategy does the same to the same window, whenever it is asked. */
export function asksNobody(name: StrategyName): boolean {
  return ["none", "elide", "reset", "elide, reset"].includes(name);
}

/** A window far too small for what is said in it. */
const smallBudget = { context: 3_000, output: 256, highWater: 1_500, lowWater: 750 };
/** One that a long system text brings near to where Anthropic may compact by itself. */
const wideBudget = { context: 200_000, output: 256, highWater: 100_000, lowWater: 50_000 };

/** Tokens above which a provider compacts by itself: Anthropic takes no lower threshold. */
function thresholdOf(wire: string): number {
  return isWide("server, reset", wire) ? 50_000 : 1_400;
}

/** Whether a host has much room, and a system text that takes nearly all of it. */
export function isWide(name: StrategyName, wire: string): boolean {
  return name === "server, reset" && wire === "anthropic";
}

export function budgetOf(name: StrategyName, wire: string): typeof smallBudget {
  return isWide(name, wire) ? wideBudget : smallBudget;
}

/** A summariser that mostly works, and fails in every way now and then. It writes which words it read, in a form of their own. */
export function moodySummarizer(chance: Chance): Summarizer {
  let count = 0;
  return async ({ transcript }) => {
    count += 1;
    const mood = chance.next();
    if (mood < 0.05) throw new Error("overloaded");
    const text = mood < 0.1 ? " " : `Summary ${count} of ${wordsRead(transcript).join(" ")}`;
    return { text, complete: mood < 0.13 || mood >= 0.16, refused: mood >= 0.16 && mood < 0.19 };
  };
}

/** The same as points of a document: most under one heading, some under two, now and then under none. */
function underHeadings(summarizer: Summarizer): Summarizer {
  let count = 0;
  return async (input, options) => {
    const { text, ...rest } = await summarizer(input, options);
    count += 1;
    if (text.trim() === "" || count % 11 === 0) return { text, ...rest };
    return { text: `## Done\n- ${text}${count % 3 === 0 ? `\n## Open\n- point ${count}` : ""}`, ...rest };
  };
}
