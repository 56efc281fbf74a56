import type { KeptWords } from "../ledger/entry.ts";
import { fill } from "../ledger/wordings.ts";
import type { Source } from "./source.ts";

/** Words of the host that a provider's compaction took and that must stay: said as an event, and again each time a landing takes that (rule 42). */
export function keptWords({ pinned, question }: KeptWords): Source<never> {
  const text = [...pinned, ...(question === undefined ? [] : [question])].join("\n");
  return {
    id: "kept-words",
    kind: "announcement",
    channel: "user",
    speak: ({ heard, wordings }) => {
      if (heard.said.at(-1)?.value === text) return undefined;
      return { text: fill(wordings.stillHolds, { text }), value: text };
    },
  };
}
