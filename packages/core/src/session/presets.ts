import { background } from "../overflow/background.ts";
import { chain } from "../overflow/chain.ts";
import { elide } from "../overflow/elide.ts";
import { reset } from "../overflow/reset.ts";
import { summarize } from "../overflow/summarize.ts";
import type { Summarizer } from "../wire/summarizer.ts";
import type { SessionOptions } from "./options.ts";

type Parts = Pick<SessionOptions, "overflow">;
type With = { readonly summarizer: Summarizer };

type Presets = {
  /** A conversation with a person: a summary is written while it goes on, so that nobody waits for it. */
  readonly chat: (options: With) => Parts;
  /** An agent in long tool loops: old results go first, which costs no model call; a summary only where that is not enough. */
  readonly longAgent: (options: With) => Parts;
  /** A model on this machine, where a call for a summary would take the model from its user: nothing is asked. */
  readonly local: (options?: Partial<With>) => Parts;
};

/** Ready choices of parts, to be spread into a session's options. They hold no logic: what they choose can be written out in their place. */
export const presets: Presets = /* @__PURE__ */ Object.freeze({
  chat: ({ summarizer }: With) => ({ overflow: chain(background(summarize({ summarizer })), reset()) }),
  longAgent: ({ summarizer }: With) => ({ overflow: chain(elide(), summarize({ summarizer }), reset()) }),
  local: () => ({ overflow: chain(elide(), reset()) }),
});
