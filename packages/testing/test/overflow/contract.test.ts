import { anchored, background, boundary, chain, elide, type OverflowStrategy, reset, summarize, when } from "@tidemark/core";
import { strategyContract } from "../../src/contract.ts";

const summarizer = async () => ({ text: "SUMMARY: they spoke of copper.", complete: true, refused: false });

/** The example of the docs (`docs-site/overflow.md`): the oldest turns go, and a line says so. */
function dropOldest(): OverflowStrategy {
  return {
    name: "dropOldest",
    async run({ groups, measure, urgency, openCalls }) {
      if (urgency === "early") return { status: "unchanged", why: "there is room" };
      const last = groups.findIndex(({ open }) => open);
      const end = openCalls.length > 0 ? last : groups.length - 1;
      let tokens = measure.tokens;
      let to = 0;
      while (to < end && tokens > measure.lowWater) tokens -= groups[to++]?.tokens ?? 0;
      if (to === 0) return { status: "unchanged", why: "nothing is old" };
      return { status: "replaced", changes: [{ kind: "recap", as: "notice", from: 0, to, text: "[older turns left out]" }] };
    },
  };
}

strategyContract({ name: "reset", make: reset });
strategyContract({
  name: "anchored",
  make: () => anchored({ summarizer: async () => ({ text: "## Done\n- they spoke", complete: true, refused: false }) }),
});
strategyContract({
  name: "chain(when(boundary(), summarize), reset)",
  make: () => chain(when(boundary(), summarize({ summarizer })), reset()),
});
strategyContract({ name: "summarize", make: () => summarize({ summarizer }) });
strategyContract({ name: "chain(elide, summarize, reset)", make: () => chain(elide(), summarize({ summarizer }), reset()) });
strategyContract({ name: "chain(background(summarize), reset)", make: () => chain(background(summarize({ summarizer })), reset()) });
strategyContract({ name: "a strategy of one's own", make: dropOldest });
