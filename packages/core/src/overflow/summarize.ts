import { callable, count, objectOf, optional, wholeFrom } from "../json/check.ts";
import { capText } from "../ledger/result-cap.ts";
import { checked, stray } from "../wire/checked.ts";
import { type Summarizer, summarizerShape } from "../wire/summarizer.ts";
import { cutFor, tokensBehind } from "./cut.ts";
import { reset } from "./reset.ts";
import { declined, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";
import { assertShorter, previousSummary, summaryTokensFor, writtenSummary } from "./summary.ts";
import { summaryInstructions } from "./summary-text.ts";

export type SummarizeOptions = {
  /** Who writes it. Absent: a notice stands in its place, as {@link reset} leaves it. */
  readonly summarizer?: Summarizer | undefined;
  /** User turns at the end that stay whole. Default: two, or fewer where the window would stay above low water. */
  readonly keepRecentTurns?: number | undefined;
  /** Tokens that a summary has at most, however often it is edited. Default: a sixth of low water, 256 to 4,096. */
  readonly summaryTokens?: number | undefined;
  /** What is asked of the model, in place of the default prompt. */
  readonly instructions?: ((about: { readonly tokensMax: number; readonly edits: boolean }) => string) | undefined;
};

const shape = objectOf(
  {
    summarizer: optional(summarizerShape),
    keepRecentTurns: optional(count),
    summaryTokens: optional(wholeFrom(1)),
    instructions: optional(callable),
  },
  stray,
);

/** Replaces the older part of the window by a summary (rule 38). An older summary is edited, not nested. @throws {OptionError} */
export function summarize(options: SummarizeOptions = {}): OverflowStrategy {
  const name = "summarize";
  const { summarizer } = checked(options, shape);
  if (summarizer === undefined) return { ...reset(), name };
  const write = options.instructions ?? ((about) => summaryInstructions(about.tokensMax, about.edits));
  return {
    name,
    async run(input) {
      if (input.urgency === "early") return unchanged("there is room");
      const tokensMax = options.summaryTokens ?? summaryTokensFor(input);
      const to = cutFor(input, { keepRecentTurns: options.keepRecentTurns, recapTokens: tokensMax });
      if (to === 0) return unchanged("nothing is left to summarise");
      const left = tokensBehind(input, to) + tokensMax;
      if (!input.pays(left, 0)) return declined(input, left);
      const previous = previousSummary(input.groups);
      const instructions = write({ tokensMax, edits: previous !== undefined });
      const text = await writtenSummary(summarizer, input, { name, to, tokensMax, previous, instructions });
      assertShorter(name, input, to, text);
      const capped = input.count(text) <= tokensMax ? text : capText(text, tokensMax, (part) => input.count(part), input.wordings);
      return replaced({ kind: "recap", as: "summary", from: 0, to, text: capped });
    },
  };
}
