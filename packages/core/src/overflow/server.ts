import { objectOf, optional, text, wholeFrom } from "../json/check.ts";
import { checked, stray } from "../wire/checked.ts";
import type { Threshold } from "../wire/wire.ts";
import { type OverflowStrategy, unchanged } from "./strategy.ts";

/** `tokens`: those of a request above which the provider compacts (Anthropic: at least 50,000). `instructions`: what it is told to keep; OpenAI takes none. */
export type ServerOptions = Threshold;

const shape = objectOf({ tokens: wholeFrom(1), instructions: optional(text) }, stray);

/**
 * Leaves compaction to the provider's own threshold, which each request of the session names, and replays the block of its replies (rule 42): nothing of the prefix changes, and what stands
 * before the block counts no more. Over the limit, and where the provider has no threshold, the next step of a chain acts. On Anthropic it needs `headers: true`, or `betas` in the requests.
 * @throws {OptionError} naming the first wrong option by its path.
 */
export function server(options: ServerOptions): OverflowStrategy {
  return {
    name: "server",
    provider: checked(options, shape),
    async run({ compaction, head, urgency }) {
      if (compaction?.threshold === undefined || !compaction.offered(head.model)) return unchanged("the provider has no threshold here");
      if (urgency === "over") return unchanged("the provider has not compacted");
      return { status: "pending", why: `the provider compacts above ${options.tokens} tokens` };
    },
  };
}
