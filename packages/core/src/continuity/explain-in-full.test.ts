import { describe, expect, test } from "vitest";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Usage } from "../wire/usage.ts";
import { type CacheFacts, explainCache, type TurnAccount } from "./explain.ts";

const minute = 60_000;
const facts: CacheFacts = { cacheTokensMin: 1_024, lifetime: 5 * minute, trimsInRow: 0 };

/** A turn a minute. Its prompt was all read or written, and the session counts it as the provider does. */
function turn(number: number, read: number | undefined, written: number | undefined, more: Partial<TurnAccount> = {}): TurnAccount {
  const prompt = read === undefined || written === undefined ? undefined : read + written;
  const usage: Usage = { prompt, uncached: 0, cacheRead: read, cacheWrite: written, output: undefined, reasoning: undefined };
  return {
    turn: number,
    sentAt: number * minute,
    usage,
    checkpoints: [],
    tokens: prompt ?? 0,
    asked: true,
    missReason: undefined,
    ...more,
  };
}

function at(place: number, tokens: number, reason: Checkpoint["reason"] = "history"): Checkpoint {
  const path = `$.messages[${place}]`;
  return { reason, window: 2, at: place, path, class: "edit", tokens, price: undefined, voids: [], signed: undefined, hint: undefined };
}

const explain = (accounts: readonly TurnAccount[], more: Partial<CacheFacts> = {}) => explainCache(accounts, { ...facts, ...more });
const verdict = (accounts: readonly TurnAccount[], more: Partial<CacheFacts> = {}) => explain(accounts, more).verdict;
const short = "The request repeats 5000 tokens, 0 were read.";

describe("an explanation in full (rule 28)", () => {
  test("no turn was settled", () => {
    expect(explain([])).toEqual({
      verdict: "unknown",
      repeatedTokens: undefined,
      readTokens: undefined,
      evidence: ["No turn has been settled."],
      advice: "Call turn.settle(reply) with each reply.",
    });
  });

  test("the first turn repeats nothing", () => {
    expect(explain([turn(1, 7, 5_000)])).toEqual({
      verdict: "healthy",
      repeatedTokens: 0,
      readTokens: 7,
      evidence: ["The first settled request: there was nothing to repeat."],
      advice: undefined,
    });
  });

  test("a provider that does not report what it read: what is known are the session's own breaks", () => {
    const broken = turn(2, undefined, undefined, { tokens: 6_000, checkpoints: [at(3, 900)] });
    expect(explain([turn(1, 0, 5_000), broken])).toEqual({
      verdict: "unknown",
      repeatedTokens: 5_000,
      readTokens: undefined,
      evidence: ["The provider does not report cached tokens.", "history at $.messages[3] (edit): about 900 tokens behind it."],
      advice: undefined,
    });
  });

  test("all was read", () => {
    expect(explain([turn(1, 0, 5_000), turn(2, 5_000, 300)])).toEqual({
      verdict: "healthy",
      repeatedTokens: 5_000,
      readTokens: 5_000,
      evidence: ["5000 of 5000 repeated tokens were read from the cache."],
      advice: undefined,
    });
  });

  test("a break, and all before it was read", () => {
    expect(explain([turn(1, 0, 5_000), turn(2, 2_000, 3_000, { checkpoints: [at(3, 3_000)] })])).toEqual({
      verdict: "prompt",
      repeatedTokens: 2_000,
      readTokens: 2_000,
      evidence: ["history at $.messages[3] (edit): about 3000 tokens behind it.", "All 2000 tokens before that were read."],
      advice: undefined,
    });
  });

  test("a break, and nothing before it was read", () => {
    expect(explain([turn(1, 0, 5_000), turn(2, 0, 6_000, { checkpoints: [at(3, 4_000), at(4, 100)] })])).toEqual({
      verdict: "prompt",
      repeatedTokens: 2_000,
      readTokens: 0,
      evidence: [
        "The request repeats 2000 tokens, 0 were read.",
        "history at $.messages[3] (edit): about 4000 tokens behind it.",
        "history at $.messages[4] (edit): about 100 tokens behind it.",
      ],
      advice: undefined,
    });
  });

  test("what was sent before is too short", () => {
    expect(explain([turn(1, 0, 1_023), turn(2, 0, 1_200)])).toEqual({
      verdict: "below-minimum",
      repeatedTokens: 1_023,
      readTokens: 0,
      evidence: ["The request repeats 1023 tokens, 0 were read.", "The request before had 1023 tokens; fewer than 1024 are not cached."],
      advice: undefined,
    });
  });

  test("nothing asked for it", () => {
    expect(
      explain([turn(1, 0, 0, { asked: false, tokens: 5_000, usage: { ...turn(1, 0, 0).usage, prompt: 5_000 } }), turn(2, 0, 0)]),
    ).toEqual({
      verdict: "not-asked",
      repeatedTokens: 5_000,
      readTokens: 0,
      evidence: [short, "The request before had no cache mark and wrote nothing."],
      advice: 'Set cache: "automatic" or "planned", or mark the prompt yourself.',
    });
  });

  test("the pause was longer than an entry lives", () => {
    expect(explain([turn(1, 0, 5_000), turn(9.25, 0, 5_800)])).toEqual({
      verdict: "time-to-live",
      repeatedTokens: 5_000,
      readTokens: 0,
      evidence: [short, "8.3 min passed since the request before; entries live 5 min."],
      advice: "Ask for a longer ttl, or accept the miss after a pause.",
    });
  });

  test("another server answered", () => {
    expect(explain([turn(1, 0, 3_000), turn(2, 3_000, 2_000), turn(3, 3_000, 2_500)])).toEqual({
      verdict: "routing",
      repeatedTokens: 5_000,
      readTokens: 3_000,
      evidence: [
        "The request repeats 5000 tokens, 3000 were read.",
        "What was read is the prompt of turn 1: another server, or a lost entry.",
      ],
      advice: undefined,
    });
  });

  test("the provider has a reason of its own", () => {
    expect(explain([turn(1, 0, 5_000), turn(2, 0, 5_800, { missReason: "tools_changed" })])).toEqual({
      verdict: "provider",
      repeatedTokens: 5_000,
      readTokens: 0,
      evidence: [short, "The provider says tools_changed, but what Tidemark sent did not change."],
      advice: "Look for what changes the request behind Tidemark: a proxy, a header, the beta list.",
    });
  });

  test("nobody knows", () => {
    expect(explain([turn(1, 0, 5_000), turn(2, 0, 5_800)])).toEqual({
      verdict: "unknown",
      repeatedTokens: 5_000,
      readTokens: 0,
      evidence: [short, "Nothing in the request changed, and the provider gives no reason."],
      advice: undefined,
    });
  });
});

describe("where one verdict ends and the next begins (rule 28)", () => {
  test("a read may fall short by one block of 128 tokens", () => {
    expect(verdict([turn(1, 0, 5_000), turn(2, 4_872, 900)])).toBe("healthy");
    expect(verdict([turn(1, 0, 5_000), turn(2, 4_871, 900)])).toBe("unknown");
  });

  test("the least that is cached is cached; where it is not known it explains nothing", () => {
    expect(verdict([turn(1, 0, 1_024), turn(2, 0, 1_200)])).toBe("unknown");
    expect(verdict([turn(1, 0, 700), turn(2, 0, 900)], { cacheTokensMin: undefined })).toBe("unknown");
    const countedHere = turn(1, undefined, undefined, { tokens: 700 });
    expect(verdict([countedHere, turn(2, 0, 900)])).toBe("below-minimum");
  });

  test("what was read or written was asked for, whoever asked", () => {
    const unasked = (more: Partial<Usage>) => turn(1, 0, 0, { asked: false, usage: { ...turn(1, 0, 0).usage, prompt: 5_000, ...more } });
    expect(verdict([unasked({}), turn(2, 0, 5_000)])).toBe("not-asked");
    expect(verdict([unasked({ cacheWrite: undefined }), turn(2, 0, 5_000)])).toBe("not-asked");
    expect(verdict([unasked({ cacheWrite: 5_000 }), turn(2, 0, 5_000)])).toBe("unknown");
    expect(verdict([unasked({}), turn(2, 1, 5_000)])).toBe("unknown");
    expect(verdict([turn(1, 0, 0, { usage: { ...turn(1, 0, 0).usage, prompt: 5_000 } }), turn(2, 0, 5_000)])).toBe("unknown");
  });

  test("an entry lives to the end of its lifetime, where that is known", () => {
    expect(verdict([turn(1, 0, 5_000), turn(6, 0, 5_800)])).toBe("unknown");
    expect(verdict([turn(1, 0, 5_000), turn(6.001, 0, 5_800)])).toBe("time-to-live");
    expect(verdict([turn(1, 0, 5_000), turn(90, 0, 5_800)], { lifetime: undefined })).toBe("unknown");
  });

  test("a read of an older prompt is known within a block; the request before is no older one, and nothing read is nobody's", () => {
    const reads = (read: number) => verdict([turn(1, 0, 3_000), turn(2, 3_000, 2_000), turn(3, read, 2_500)]);
    expect([2_871, 2_872, 3_128, 3_129].map(reads)).toEqual(["unknown", "routing", "routing", "unknown"]);
    expect(verdict([turn(1, 0, 5_000), turn(2, 4_800, 900)])).toBe("unknown");
    const empty = turn(1, 0, 0, { usage: { ...turn(1, 0, 0).usage, prompt: 100 } });
    expect(verdict([empty, turn(2, 0, 5_000), turn(3, 0, 5_500)])).toBe("unknown");
  });

  test("of older prompts the latest that fits is named", () => {
    const accounts = [turn(1, 0, 3_000), turn(2, 0, 3_050), turn(3, 3_050, 2_000), turn(4, 3_000, 2_500)];
    expect(explain(accounts).evidence[1]).toContain("turn 2");
  });
});

describe("what a request repeats (rule 28)", () => {
  const repeated = (before: TurnAccount, now: TurnAccount) => explain([before, now]).repeatedTokens;

  test("all that the request before read and wrote; where nothing was, its prompt; where that is not told, the session's count", () => {
    const now = turn(2, 0, 100);
    const usage = turn(1, 0, 0).usage;
    expect(repeated(turn(1, 300, 400, { usage: { ...usage, prompt: 900, cacheRead: 300, cacheWrite: 400 } }), now)).toBe(700);
    expect(repeated(turn(1, 0, 0, { usage: { ...usage, prompt: 900 } }), now)).toBe(900);
    expect(repeated(turn(1, 0, 0, { usage: { ...usage, prompt: 900, cacheRead: undefined, cacheWrite: 400 } }), now)).toBe(900);
    expect(repeated(turn(1, 0, 0, { usage: { ...usage, prompt: 900, cacheRead: 400, cacheWrite: undefined } }), now)).toBe(900);
    expect(repeated(turn(1, undefined, undefined, { tokens: 800 }), now)).toBe(800);
  });

  test("before a break: the session's count of it, in the provider's tokens, and no more than there was", () => {
    const before = turn(1, 0, 5_000);
    const now = (tokens: number, prompt: number | undefined, ...breaks: readonly Checkpoint[]) =>
      turn(2, 0, 0, { tokens, usage: { ...turn(2, 0, 0).usage, prompt }, checkpoints: breaks });
    expect(repeated(before, now(10_000, 5_000, at(3, 4_000)))).toBe(3_000);
    expect(repeated(before, now(10_000, 5_001, at(3, 4_000)))).toBe(3_000);
    expect(repeated(before, now(6_000, undefined, at(3, 4_000)))).toBe(2_000);
    expect(repeated(before, now(10_000, 10_000, at(3, 7_000), at(5, 8_000), at(6, 10)))).toBe(2_000);
    expect(repeated(before, now(90_000, 90_000, at(3, 100)))).toBe(5_000);
    expect(repeated(before, now(1_000, 1_000, at(3, 4_000)))).toBe(0);
    expect(repeated(before, now(0, 5_000, at(3, 0)))).toBe(0);
  });
});

describe("a habit is named when it was met three times in a row (rule 5)", () => {
  const changing = (...reasons: readonly (readonly Checkpoint["reason"][])[]) =>
    reasons.map((breaks, index) => turn(index + 1, 0, 5_000, { checkpoints: breaks.map((reason) => at(0, 5_000, reason)) }));
  const advice = (accounts: readonly TurnAccount[], more: Partial<CacheFacts> = {}) => explain(accounts, more).advice;

  test("the host's own trims, before all else", () => {
    const trims = 'The host drops its oldest turns again and again. Hand over the whole history, or set trims: "ignore".';
    expect(advice(changing([], []), { trimsInRow: 3 })).toBe(trims);
    expect(advice(changing(["system"], ["system"], ["system"]), { trimsInRow: 4 })).toBe(trims);
    expect(advice(changing([], []), { trimsInRow: 2 })).toBeUndefined();
  });

  test("a system text, and a tool list, that changes with every request", () => {
    const system = 'The system text changes with every request. Take what changes out of it, or set systemChanges: "append".';
    const tools = "The tool list changes with every request. Declare all tools from the start, with fixed descriptions.";
    expect(advice(changing(["system"], ["history", "system"], ["system", "tools"]))).toBe(system);
    expect(advice(changing(["tools"], ["tools"], ["tools"]))).toBe(tools);
    expect(advice(changing(["system"], ["tools"], ["system"]))).toBeUndefined();
    expect(advice(changing(["system"], ["system"]))).toBeUndefined();
    expect(advice(changing(["system"], ["system"], ["system"], []))).toBeUndefined();
    expect(advice(changing([], ["tools"], ["tools"], ["tools"]))).toBe(tools);
  });
});
