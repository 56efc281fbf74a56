import { expecting, type Shape } from "../json/check.ts";
import type { ObjectValue, Value } from "../json/value.ts";
import type { Wordings } from "../ledger/wordings.ts";
import type { Head } from "../wire/head.ts";
import type { Threshold, Wire } from "../wire/wire.ts";
import type { OverflowError } from "./errors.ts";
import type { Group } from "./groups.ts";

/**
 * How badly room is needed (rule 34). `early`: a background job may start; also in a tool turn, whose end an unsigned landing waits for. `high`: act. `over`: the request would pass the limit,
 * or a landing was asked for: act now.
 */
export type Urgency = "early" | "high" | "over";

/** What the window measures, in tokens, and what it is held to. One measure serves every decision of a request. */
export type OverflowMeasure = {
  readonly tokens: number;
  /** No request passes it. */
  readonly limit: number;
  readonly highWater: number;
  /** What the window is brought down to. */
  readonly lowWater: number;
  /** What of it no cut takes away: system and tools. */
  readonly floor: number;
  /** Nothing would be read from the cache anyway: it was idle beyond its time to live, or this request breaks its prefix already (rule 29). */
  readonly cold: boolean;
};

/** A request that ends with a group of the window, as it would be sent: head fields, sent forms, cache marks. A copy, rendered when it is asked for. */
export type Prefix = { readonly request: object; readonly headers: Readonly<Record<string, string>> };

/** What a strategy sees. Reading it changes nothing. */
export interface OverflowInput {
  readonly wire: Wire;
  readonly head: Head;
  /** The window, oldest first. */
  readonly groups: readonly Group[];
  /** Ids of the calls whose results the model has not seen; none outside a tool turn. */
  readonly openCalls: readonly string[];
  readonly measure: OverflowMeasure;
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
  /** What Tidemark says; the same for a session's whole life. */
  readonly wordings: Wordings;
  /** The same object for one session, another for each fork: what a strategy remembers of a session is kept by it (in a WeakMap). */
  readonly session: object;
  /** The provider's own compaction; undefined: this wire has none, or the session cannot write the betas that it needs. */
  readonly compaction: Wire["compaction"];
  /** Calibrated tokens of a message or a text. */
  count(value: Value): number;
  /** The window up to a group, exclusive; with words of the user behind it, if there are any. */
  renderPrefix(to: number, words?: string): Prefix;
  /** Groups `[from, to)` as one readable text. */
  transcript(from: number, to: number): string;
  /** The reference under which a text that leaves the window can be asked for; undefined: the session has no archive. */
  archived(text: string): string | undefined;
  /** What would be seen behind these changes. */
  after(changes: readonly Change[]): OverflowInput;
  /**
   * Whether a landing that leaves so many tokens, and the groups before `from` as they are, saves more than it costs in lost cache (rule 43). Always where nothing would be read from the
   * cache, and over the limit. One that does not is {@link declined}; who asks before a model is asked pays for no summary in vain.
   */
  pays(tokens: number, from: number): boolean;
}

/** What a strategy makes of the window. Positions are of groups, as they are when the change is made. */
export type Change =
  | {
      readonly kind: "recap";
      readonly from: number;
      readonly to: number;
      /** `summary`: framed as a record of what was replaced. `notice`: said as it is. */
      readonly as: "summary" | "notice";
      readonly text: string;
    }
  /** The provider's own block: it goes out as it came. */
  | { readonly kind: "block"; readonly from: number; readonly to: number; readonly messages: readonly ObjectValue[] }
  /** New sent forms by entry id; null: the message is no longer sent. */
  | { readonly kind: "elision"; readonly forms: ReadonlyMap<number, ObjectValue | null> };

export type Outcome =
  | {
      readonly status: "replaced";
      /** In order; each is made over what the ones before left. */
      readonly changes: readonly Change[];
      /** Of steps that failed beside those that landed: the landing is partial. */
      readonly failures?: readonly OverflowError[];
      /** Called when the landing is published: only then a finished job is used up. */
      readonly landed?: () => void;
      readonly finished?: boolean;
    }
  /** A job is running; nothing is to be done now. */
  | { readonly status: "pending"; readonly why: string; readonly finished?: boolean }
  /**
   * `finished`: a job came to its end, whether or not it landed: the breaker forgets the failures before it. `declined`: something could be done and does not pay; it is no reason for a
   * harsher step.
   */
  | { readonly status: "unchanged"; readonly why: string; readonly finished?: boolean; readonly declined?: boolean };

/**
 * What is done with a window that is too full.
 *  1. It returns what it would change and changes nothing itself; it may throw an {@link OverflowError}, or the signal's reason. At `early` it lands nothing.
 *  2. It cuts between groups, and leaves the open calls alone. What is pinned and the question being asked are kept for it.
 *  3. It may be used by many sessions at once.
 */
export interface OverflowStrategy {
  /** Stands in events and errors. */
  readonly name: string;
  /** Its landings keep bound reasoning, so that it may act in a tool turn too (rule 62). Default false. */
  readonly signed?: boolean;
  /** Of a strategy made of strategies: those. */
  readonly parts?: readonly OverflowStrategy[];
  /** The provider compacts for it: when it is asked, or by itself above a threshold that each request of the session names. */
  readonly provider?: "on-demand" | Threshold;
  run(input: OverflowInput): Promise<Outcome>;
}

export function isStrategy(value: unknown): boolean {
  return typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
}

export const strategyShape: Shape = expecting("a strategy, such as reset()", isStrategy);

/** A strategy and all that it is made of. */
function treeOf(strategy: OverflowStrategy): readonly OverflowStrategy[] {
  return [strategy, ...(strategy.parts ?? []).flatMap(treeOf)];
}

/** The threshold that a session's requests name for the provider. */
export function thresholdOf(strategy: OverflowStrategy | undefined): Threshold | undefined {
  const found = strategy && treeOf(strategy).find(({ provider }) => typeof provider === "object");
  return found?.provider as Threshold | undefined;
}

/** Whether it has the provider compact in both ways, of which one shuts out the other. */
export function compactsTwice(strategy: OverflowStrategy | undefined): boolean {
  const ways = new Set(strategy && treeOf(strategy).map(({ provider }) => typeof provider));
  return ways.has("string") && ways.has("object");
}

/** What a strategy is shown: in a tool turn below the limit an unsigned landing waits, so that the urgency is no more than `early` (rules 34 and 62). */
export function inputFor(strategy: OverflowStrategy, input: OverflowInput): OverflowInput {
  const waits = input.urgency === "high" && input.openCalls.length > 0 && strategy.signed !== true;
  return waits ? seenAs(input, { urgency: "early" }) : input;
}

/** The same window, seen otherwise. */
export function seenAs(input: OverflowInput, seen: Partial<Pick<OverflowInput, "urgency" | "signal" | "openCalls">>): OverflowInput {
  return { ...input, ...seen, after: (changes) => seenAs(input.after(changes), seen) };
}

export function unchanged(why: string): Outcome & { readonly status: "unchanged" } {
  return { status: "unchanged", why };
}

/** What was found, unless it costs more in lost cache than it saves. */
export function judged(outcome: Outcome, input: OverflowInput): Outcome {
  if (outcome.status !== "replaced") return outcome;
  const { tokens } = input.after(outcome.changes).measure;
  if (tokens >= input.measure.tokens || input.pays(tokens, firstChanged(input, outcome.changes))) return outcome;
  return { ...declined(input, tokens), ...(outcome.finished === true && { finished: true }) };
}

/** The first group that is not what it was. */
function firstChanged({ groups }: OverflowInput, changes: readonly Change[]): number {
  const firsts = changes.map((change) =>
    change.kind === "elision" ? groups.findIndex(({ members }) => members.some(({ entry }) => change.forms.has(entry))) : change.from,
  );
  return Math.max(Math.min(...firsts), 0);
}

/** What would be done costs more in lost cache than it saves. */
export function declined({ measure }: OverflowInput, tokens: number): Outcome & { readonly status: "unchanged" } {
  return { ...unchanged(`bringing ${measure.tokens} tokens down to ${tokens} costs more in lost cache than it saves`), declined: true };
}

export function replaced(...changes: readonly Change[]): Outcome {
  return { status: "replaced", changes };
}
