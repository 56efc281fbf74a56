import type { SessionOptions } from "../src/index.ts";
import { chain, elide, type OverflowStrategy, reset, type Summarizer, summarize } from "../src/index.ts";
import type { Case } from "./case-files.ts";

/** A case's window and strategy as session options. `limit` is what a request may have: the context less the reply. */
export function overflowOptions({ options = {} }: Case): Partial<SessionOptions> {
  const { window, overflow } = options;
  const { limit, output, ...marks } = window ?? { limit: 0, output: 0 };
  return {
    ...(window === undefined ? {} : { budget: { context: limit + output, output, ...marks } }),
    ...(overflow === undefined ? {} : { overflow: strategyOf(overflow, stub(options.summarizer ?? [])) }),
  };
}

/** What the cases write. */
function strategyOf(written: string, summarizer: Summarizer): OverflowStrategy {
  const strategies: Readonly<Record<string, () => OverflowStrategy>> = {
    "reset()": reset,
    "elide()": elide,
    "summarize({ summarizer })": () => summarize({ summarizer }),
    "chain(summarize({ summarizer }), reset())": () => chain(summarize({ summarizer }), reset()),
  };
  const make = strategies[written];
  if (make === undefined) throw new Error(`no such strategy: ${written}`);
  return make();
}

function stub(answers: NonNullable<NonNullable<Case["options"]>["summarizer"]>): Summarizer {
  let calls = 0;
  return async () => {
    const answer = answers[calls++];
    if (answer === undefined) throw new Error("the summariser is called too often");
    if (answer.throws !== undefined) throw new Error(answer.throws);
    return { text: answer.text ?? "", complete: answer.complete ?? true, refused: answer.refused ?? false };
  };
}
