import { digestValue } from "../json/canonical.ts";
import type { ObjectValue } from "../json/value.ts";
import type { Draft } from "../ledger/draft.ts";
import { type Entry, isRecap } from "../ledger/entry.ts";
import type { HostHistory } from "../ledger/host-history.ts";
import { countGiven } from "../ledger/take-recap.ts";
import type { LandingFacts } from "../ledger/verdict.ts";
import type { OverflowError, OverflowFailure } from "../overflow/errors.ts";
import type { Change, OverflowInput } from "../overflow/strategy.ts";

/** What an overflow strategy made of a window (rule 43). Plain JSON. */
export type Landing = {
  /** For `session.revoke`. */
  readonly number: number;
  /** Number of the turn that carries it. */
  readonly turn: number;
  readonly strategy: string;
  readonly reason: "elision" | "compaction";
  /** Of a compaction: the provider's signed block stands for what was replaced. */
  readonly signed: boolean;
  /** Tokens of the whole request before and after. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /**
   * Positions in the host's history, half open, that `replacement` stands for; undefined for an elision, whose messages stay in place, and where the host's store has joined or edited
   * what was cut.
   */
  readonly replaces: { readonly from: number; readonly to: number } | undefined;
  /** Ready to store in their place: `messages.splice(from, to - from, ...replacement)`. A host may as well go on with its full history. */
  readonly replacement: readonly ObjectValue[];
  /** SHA-256 of what was replaced, as it was given. */
  readonly source: string;
  /** Steps that failed beside those that landed. */
  readonly failures: readonly OverflowFailure[];
};

/** A landing that the host writes itself: its words in place of messages `[from, to)` of the last window, counted as in `turn.request`. */
export type HostLanding = { readonly from: number; readonly to: number; readonly text: string };

export type LandingParts = {
  readonly number: number;
  readonly strategy: string;
  readonly draft: Draft;
  /** As the host handed it over. */
  readonly history: HostHistory;
  readonly input: OverflowInput;
  readonly after: Draft;
  readonly tokens: number;
  readonly changes: readonly Change[];
  readonly failures: readonly OverflowError[];
};

export function landingOf(parts: LandingParts): Landing & LandingFacts {
  const { number, draft, after, input, changes } = parts;
  const { lead } = parts.history;
  const { entries } = after;
  const from = entries.findIndex((entry) => isRecap(entry) && entry.landed?.landing === number);
  const recap = from < 0 ? [] : entries.slice(from, endOfRecap(entries, from));
  const compacts = recap.length > 0;
  const range = compacts ? rangeOf(parts.history, entries.slice(0, from), recap) : undefined;
  const sources = entries.flatMap(({ landed }) => (landed?.landing === number ? landed.source : []));
  return Object.freeze({
    number,
    turn: draft.turn,
    strategy: parts.strategy,
    reason: compacts ? "compaction" : "elision",
    signed: compacts && changes.every(({ kind }) => kind === "block") && input.compaction?.keepsReasoning === true,
    tokensBefore: input.measure.tokens,
    tokensAfter: parts.tokens,
    replaces: range && Object.freeze({ from: lead + range.from, to: lead + range.to }),
    replacement: Object.freeze(recap.flatMap(({ sent }) => (sent === null ? [] : [sent]))),
    source: digestValue(sources.flatMap(({ given }) => given)),
    failures: Object.freeze(parts.failures.map(({ failure }) => failure)),
  });
}

/** The positions that a recap stands for, as the host has its history now; undefined: it has no message that ends there. */
function rangeOf(history: HostHistory, before: readonly Entry[], recap: readonly Entry[]): Landing["replaces"] {
  const [from, to] = [countGiven(before, history), countGiven([...before, ...recap], history)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Behind a recap stands what it keeps of the host's words, and what came in one message, or in front of one, that it replaces: for those the host hands nothing over. */
function endOfRecap(entries: readonly Entry[], from: number): number {
  const end = entries.findIndex(({ kind, given }, position) => position > from && (kind === "event" || given.length > 0));
  return end < 0 ? entries.length : end;
}
