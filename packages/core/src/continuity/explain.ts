import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Usage } from "../wire/usage.ts";

/** Why the cache did, or did not, serve what the last request repeated (rule 28). */
export type CacheVerdict = "healthy" | "prompt" | "time-to-live" | "routing" | "below-minimum" | "not-asked" | "provider" | "unknown";

/** What is known of one settled turn. Plain JSON, oldest first in a session's accounts. */
export type TurnAccount = {
  readonly turn: number;
  /** Milliseconds since the epoch when it was prepared. */
  readonly sentAt: number;
  readonly usage: Usage;
  /** Breaks since the settled turn before it. */
  readonly checkpoints: readonly Checkpoint[];
  /** Tokens of the whole request by the session's own count. */
  readonly tokens: number;
  /** Whether anything asked the provider to cache: a mark, or a provider that caches by itself. */
  readonly asked: boolean;
  /** The provider's own word for a miss. */
  readonly missReason: string | undefined;
  /** Its reply holds a compaction by the provider's own threshold: what stands before it is read no more. */
  readonly compacted?: true;
};

export type CacheFacts = {
  /** Smallest prefix in tokens that is cached; undefined: not known. */
  readonly cacheTokensMin: number | undefined;
  /** Lifetime of a cache entry in milliseconds; undefined: not known. */
  readonly lifetime: number | undefined;
  readonly trimsInRow: number;
};

export type Explanation = {
  readonly verdict: CacheVerdict;
  /** Tokens that the last request repeated of the one before, and so could have been read; undefined: not known. */
  readonly repeatedTokens: number | undefined;
  /** Tokens that the provider says it read; undefined: it does not say. */
  readonly readTokens: number | undefined;
  /** What the verdict rests on, in sentences. */
  readonly evidence: readonly string[];
  /** What to change, where there is something to change. */
  readonly advice: string | undefined;
};

/** Providers count in blocks; a read may fall short by one. */
const blockTokens = 128;
/** So many breaks of one kind in a row are a habit. */
const habitCount = 3;

/** Joins local difference, usage, time gap and the provider's own reason for the last settled turn. Pure. */
export function explainCache(accounts: readonly TurnAccount[], facts: CacheFacts): Explanation {
  const now = accounts.at(-1);
  if (now === undefined)
    return say("unknown", undefined, undefined, ["No turn has been settled."], "Call turn.settle(reply) with each reply.");
  const before = accounts.at(-2);
  const read = now.usage.cacheRead;
  const repeated = before === undefined ? 0 : repeatedTokens(before, now);
  const advice = habit(accounts, facts);
  if (before === undefined) return say("healthy", 0, read, ["The first settled request: there was nothing to repeat."], advice);
  if (read === undefined)
    return say("unknown", repeated, undefined, ["The provider does not report cached tokens.", ...local(now)], advice);
  if (repeated !== undefined && read >= repeated - blockTokens) return healthyOrChanged(now, repeated, read, advice);
  return missed(accounts, now, before, facts, repeated, read, advice);
}

function healthyOrChanged(now: TurnAccount, repeated: number, read: number, advice: string | undefined): Explanation {
  if (now.checkpoints.length > 0)
    return say("prompt", repeated, read, [...local(now), `All ${read} tokens before that were read.`], advice);
  return say("healthy", repeated, read, [`${read} of ${repeated} repeated tokens were read from the cache.`], advice);
}

function missed(
  accounts: readonly TurnAccount[],
  now: TurnAccount,
  before: TurnAccount,
  facts: CacheFacts,
  repeated: number | undefined,
  read: number,
  advice: string | undefined,
): Explanation {
  const evidence = [`The request repeats ${repeated ?? "an unknown number of"} tokens, ${read} were read.`];
  if (before.compacted === true && now.checkpoints.length === 0)
    return say(
      "provider",
      repeated,
      read,
      [...evidence, "The provider compacted the conversation in the reply before: its cache begins anew there."],
      advice,
    );
  const prompt = promptOf(before);
  if (facts.cacheTokensMin !== undefined && prompt !== undefined && prompt < facts.cacheTokensMin) {
    return say(
      "below-minimum",
      repeated,
      read,
      [...evidence, `The request before had ${prompt} tokens; fewer than ${facts.cacheTokensMin} are not cached.`],
      advice,
    );
  }
  if (!before.asked && read === 0 && (before.usage.cacheWrite ?? 0) === 0) {
    return say(
      "not-asked",
      repeated,
      read,
      [...evidence, "The request before had no cache mark and wrote nothing."],
      'Set cache: "automatic" or "planned", or mark the prompt yourself.',
    );
  }
  if (now.checkpoints.length > 0) return say("prompt", repeated, read, [...evidence, ...local(now)], advice);
  const gap = now.sentAt - before.sentAt;
  if (facts.lifetime !== undefined && gap > facts.lifetime) {
    const minutes = (milliseconds: number): string => `${Math.round(milliseconds / 6_000) / 10} min`;
    return say(
      "time-to-live",
      repeated,
      read,
      [...evidence, `${minutes(gap)} passed since the request before; entries live ${minutes(facts.lifetime)}.`],
      "Ask for a longer ttl, or accept the miss after a pause.",
    );
  }
  const older = read > 0 ? accounts.slice(0, -2).findLast((account) => near(offered(account), read)) : undefined;
  if (older !== undefined) {
    return say(
      "routing",
      repeated,
      read,
      [...evidence, `What was read is the prompt of turn ${older.turn}: another server, or a lost entry.`],
      advice,
    );
  }
  if (now.missReason !== undefined) {
    return say(
      "provider",
      repeated,
      read,
      [...evidence, `The provider says ${now.missReason}, but what Tidemark sent did not change.`],
      "Look for what changes the request behind Tidemark: a proxy, a header, the beta list.",
    );
  }
  return say("unknown", repeated, read, [...evidence, "Nothing in the request changed, and the provider gives no reason."], advice);
}

/** What the request before offers to a request that repeats it: what it read and wrote, or its prompt. */
function offered(account: TurnAccount): number | undefined {
  const { cacheRead, cacheWrite } = account.usage;
  return cacheRead !== undefined && cacheWrite !== undefined && cacheRead + cacheWrite > 0 ? cacheRead + cacheWrite : promptOf(account);
}

function promptOf({ usage, tokens }: TurnAccount): number | undefined {
  return usage.prompt ?? tokens;
}

/** With a break: the session's count of what stands before it, at the scale of the provider's. */
function repeatedTokens(before: TurnAccount, now: TurnAccount): number | undefined {
  if (now.checkpoints.length === 0) return offered(before);
  const scale = now.usage.prompt === undefined || now.tokens === 0 ? 1 : now.usage.prompt / now.tokens;
  const behind = Math.max(...now.checkpoints.map((checkpoint) => checkpoint.tokens));
  return Math.max(Math.floor(Math.min((now.tokens - behind) * scale, offered(before) ?? Number.POSITIVE_INFINITY)), 0);
}

function near(expected: number | undefined, read: number): boolean {
  return expected !== undefined && Math.abs(expected - read) <= blockTokens;
}

function local({ checkpoints, missReason }: TurnAccount): readonly string[] {
  const own = checkpoints.map(
    ({ reason, path, class: kind, tokens }) => `${reason} at ${path} (${kind}): about ${tokens} tokens behind it.`,
  );
  return missReason === undefined ? own : [...own, `The provider says ${missReason}.`];
}

function habit(accounts: readonly TurnAccount[], facts: CacheFacts): string | undefined {
  if (facts.trimsInRow >= habitCount)
    return 'The host drops its oldest turns again and again. Hand over the whole history, or set trims: "ignore".';
  const recent = accounts.slice(-habitCount);
  const always = (reason: Checkpoint["reason"]): boolean =>
    recent.length === habitCount && recent.every((account) => account.checkpoints.some((checkpoint) => checkpoint.reason === reason));
  if (always("system")) return 'The system text changes with every request. Take what changes out of it, or set systemChanges: "append".';
  if (always("tools")) return "The tool list changes with every request. Declare all tools from the start, with fixed descriptions.";
  return undefined;
}

function say(
  verdict: CacheVerdict,
  repeatedTokens: number | undefined,
  readTokens: number | undefined,
  evidence: readonly string[],
  advice: string | undefined,
): Explanation {
  return { verdict, repeatedTokens, readTokens, evidence, advice };
}
