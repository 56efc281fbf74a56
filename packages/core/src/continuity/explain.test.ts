import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Usage } from "../wire/usage.ts";
import { type CacheFacts, explainCache, type TurnAccount } from "./explain.ts";

const minute = 60_000;
const facts: CacheFacts = { cacheTokensMin: 1_024, lifetime: 5 * minute, trimsInRow: 0 };
const unreported: Usage = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

/** A settled turn. `read` + `written` + `uncached` are its prompt. */
function turn(number: number, read: number, written: number, more: Partial<TurnAccount> = {}): TurnAccount {
  const usage = { ...unreported, prompt: read + written, uncached: 0, cacheRead: read, cacheWrite: written };
  return {
    turn: number,
    sentAt: number * minute,
    usage,
    checkpoints: [],
    tokens: read + written,
    asked: true,
    missReason: undefined,
    ...more,
  };
}

function broken(reason: Checkpoint["reason"], tokens: number, path = "$.messages[3]"): Checkpoint {
  return { reason, window: 2, at: 3, path, class: "edit", tokens, price: undefined, voids: [], signed: undefined, hint: undefined };
}

const silent = { ...turn(2, 0, 0), usage: unreported };

describe("explain() joins what is known into one verdict, with its evidence (rule 28)", () => {
  test.each<readonly [string, readonly TurnAccount[], Partial<CacheFacts>, string, RegExp]>([
    ["healthy: all that is repeated was read", [turn(1, 0, 5_000), turn(2, 5_000, 800)], {}, "healthy", /^5000 of 5000 repeated tokens/],
    ["healthy: but for less than a block", [turn(1, 0, 5_000), turn(2, 4_900, 900)], {}, "healthy", /^4900 of 5000/],
    [
      "prompt: a break, and nothing behind it could be read",
      [turn(1, 0, 5_000), turn(2, 0, 5_900, { checkpoints: [broken("history", 4_000)] })],
      {},
      "prompt",
      /history at \$\.messages\[3\] \(edit\): about 4000 tokens/,
    ],
    [
      "prompt: a break, and all before it was read",
      [turn(1, 0, 5_000), turn(2, 2_000, 3_000, { checkpoints: [broken("history", 3_000)] })],
      {},
      "prompt",
      /All 2000 tokens before that were read/,
    ],
    [
      "time-to-live: the pause was longer than the cache lives",
      [turn(1, 0, 5_000), turn(9, 0, 5_800)],
      {},
      "time-to-live",
      /8 min passed.*live 5 min/,
    ],
    [
      "below-minimum: what was sent before is too short to be cached",
      [turn(1, 0, 700), turn(2, 0, 900)],
      {},
      "below-minimum",
      /had 700 tokens; fewer than 1024/,
    ],
    [
      "not-asked: no mark, and nothing read or written",
      [
        turn(1, 0, 0, { asked: false, tokens: 5_000, usage: { ...unreported, prompt: 5_000, cacheRead: 0, cacheWrite: 0 } }),
        turn(2, 0, 0, { usage: { ...unreported, prompt: 5_900, cacheRead: 0, cacheWrite: 0 } }),
      ],
      {},
      "not-asked",
      /no cache mark and wrote nothing/,
    ],
    [
      "routing: what was read is an older request's prompt",
      [turn(1, 0, 3_000), turn(2, 3_000, 2_000), turn(3, 3_000, 2_500)],
      {},
      "routing",
      /prompt of turn 1/,
    ],
    [
      "provider: its own reason, while what was sent did not change",
      [turn(1, 0, 5_000), turn(2, 0, 5_800, { missReason: "tools_changed" })],
      {},
      "provider",
      /says tools_changed, but what Tidemark sent did not change/,
    ],
    [
      "unknown: nothing changed and nothing is said",
      [turn(1, 0, 5_000), turn(2, 0, 5_800)],
      {},
      "unknown",
      /Nothing in the request changed/,
    ],
    ["unknown: the provider does not report cached tokens", [turn(1, 0, 5_000), silent], {}, "unknown", /does not report cached tokens/],
    ["unknown: no turn was settled", [], {}, "unknown", /No turn has been settled/],
    ["healthy: there was nothing to repeat yet", [turn(1, 0, 5_000)], {}, "healthy", /nothing to repeat/],
  ])("%s", (_what, accounts, more, verdict, evidence) => {
    const explanation = explainCache(accounts, { ...facts, ...more });
    expect(explanation.verdict).toBe(verdict);
    expect(explanation.evidence.join(" ")).toMatch(evidence);
  });

  test("gives the figures: what was repeated and what was read; a reported 0 is 0, unreported is unknown", () => {
    expect(explainCache([turn(1, 0, 5_000), turn(2, 0, 5_800)], facts)).toMatchObject({ repeatedTokens: 5_000, readTokens: 0 });
    expect(explainCache([turn(1, 0, 5_000), silent], facts)).toMatchObject({ readTokens: undefined });
  });

  test("says what to change where there is something to change", () => {
    const asked = { asked: false, usage: { ...unreported, prompt: 5_000, cacheRead: 0, cacheWrite: 0 } };
    expect(explainCache([turn(1, 0, 0, asked), turn(2, 0, 0, asked)], facts).advice).toContain('cache: "automatic"');
    expect(explainCache([turn(1, 0, 5_000), turn(9, 0, 5_800)], facts).advice).toContain("ttl");
    expect(explainCache([turn(1, 0, 5_000), turn(2, 5_000, 800)], facts).advice).toBeUndefined();
  });

  test.each(["system", "tools"] as const)("names the habit of a %s text that changes with every request", (reason) => {
    const changing = [1, 2, 3].map((number) => turn(number, 0, 5_000, { checkpoints: [broken(reason, 5_000, "$.system[0].text")] }));
    expect(explainCache(changing, facts).advice).toContain(reason === "system" ? 'systemChanges: "append"' : "Declare all tools");
    expect(explainCache([...changing, turn(4, 5_000, 100)], facts).advice).toBeUndefined();
  });
});

const tokens = fc.nat({ max: 20_000 });
const account = fc.record({
  read: tokens,
  written: tokens,
  reported: fc.boolean(),
  asked: fc.boolean(),
  breaks: fc.array(fc.record({ reason: fc.constantFrom("history", "system", "tools", "params", "model"), tokens }), { maxLength: 2 }),
  gap: fc.nat({ max: 20 * minute }),
  missReason: fc.option(fc.constantFrom("system_changed", "ttl"), { nil: undefined }),
});
const history = fc.array(account, { minLength: 1, maxLength: 6 }).map((drawn) => {
  let sentAt = 0;
  return drawn.map(({ read, written, reported, asked, breaks, gap, missReason }, index) => {
    sentAt += gap;
    const checkpoints = index === 0 ? [] : breaks.map((item) => broken(item.reason as Checkpoint["reason"], item.tokens));
    return turn(index + 1, read, written, { sentAt, asked, checkpoints, missReason, ...(reported ? {} : { usage: unreported }) });
  });
});

describe("whatever the accounts, the verdict (rule 28)", () => {
  test("is never healthy when reads are below the common prefix less one block", () => {
    fc.assert(
      fc.property(history, (accounts) => {
        const { verdict, repeatedTokens, readTokens } = explainCache(accounts, facts);
        if (verdict !== "healthy" || accounts.length < 2) return;
        expect(readTokens).toBeGreaterThanOrEqual((repeatedTokens ?? Number.POSITIVE_INFINITY) - 128);
        const [before, now] = accounts.slice(-2);
        expect(now?.checkpoints).toEqual([]);
        if (before?.usage.prompt !== undefined) expect(repeatedTokens).toBe(before.usage.prompt);
      }),
      { numRuns: 1_000 },
    );
  });

  test("never says that the prompt changed when it did not", () => {
    fc.assert(
      fc.property(history, (accounts) => {
        const { verdict, evidence } = explainCache(accounts, facts);
        if (verdict === "prompt") expect(accounts.at(-1)?.checkpoints.length).toBeGreaterThan(0);
        expect(evidence.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
