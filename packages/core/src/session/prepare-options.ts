import { anything, expecting, flag, listOf, objectOf, optional, type Shape, text } from "../json/check.ts";
import { stray } from "../wire/checked.ts";

/** What is particular to one request. */
export type PrepareOptions = {
  /** Ends the call, and what it waits for: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Envelopes of replies whose store kept only the visible blocks (`Settled.envelope`). */
  readonly envelopes?: readonly unknown[] | undefined;
  /** Names of the tools that this one request offers; the others stay declared, and their calls are refused (`session.checkCall`). Default: all. */
  readonly offer?: readonly string[] | undefined;
  /** This one request may pass the high water mark, up to the limit. */
  readonly headroom?: boolean | undefined;
};

const signal = expecting("an AbortSignal, such as controller.signal", isSignal);
const members = objectOf(
  { signal: optional(signal), envelopes: optional(listOf(anything)), offer: optional(listOf(text)), headroom: optional(flag) },
  stray,
);

/** A signal in place of the options would be passed over in silence: it has no members of its own. */
export const prepareShape: Shape = (value) =>
  isSignal(value) ? { path: [], problem: "expected { signal }, not the signal itself" } : members(value);

function isSignal(value: unknown): boolean {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}
