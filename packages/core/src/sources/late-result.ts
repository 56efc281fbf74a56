import type { LateWords } from "../ledger/late-words.ts";
import type { Source } from "./source.ts";

/** A result that came after its call was closed, and that the host puts where the call stands: it is said once, as long as the window says it (rule 12). */
export function lateResult({ call, text }: LateWords): Source<never> {
  return {
    id: `result ${call}`,
    kind: "announcement",
    channel: "user",
    speak: ({ heard }) => (heard.said.some(({ value }) => value === text) ? undefined : { text, value: text }),
  };
}
