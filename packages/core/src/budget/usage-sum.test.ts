import { describe, expect, test } from "vitest";
import type { Prices } from "../wire/profile.ts";
import type { Usage } from "../wire/usage.ts";
import { addUsage, noUsage, priceOf, usageOf } from "./usage-sum.ts";

const prices: Prices = { input: 4, output: 20, cacheRead: 0.4, cacheWrite: { "5m": 5, "1h": 8 } };
const none: Usage = {
  ...{ prompt: undefined, uncached: undefined, cacheRead: undefined },
  ...{ cacheWrite: undefined, output: undefined, reasoning: undefined },
};

function summed(...usages: readonly Partial<Usage>[]) {
  return usageOf(usages.reduce((sum, usage) => addUsage(sum, { ...none, ...usage }, prices, undefined), noUsage));
}

describe("what a session has used (rule 32)", () => {
  test("its cache rate is that of the replies that report both figures; a reported 0 is 0", () => {
    expect(
      summed({ prompt: 1_000, cacheRead: 0 }, { prompt: 3_000, cacheRead: 2_000 }, { prompt: 9_000 }, { cacheRead: 500 }),
    ).toMatchObject({
      ...{ replies: 4, prompt: 13_000, cacheRead: 2_500 },
      cacheRate: 0.5,
    });
    expect(summed({ prompt: 9_000 }).cacheRate).toBeUndefined();
    expect(summed().cacheRate).toBeUndefined();
  });

  test("its price is known where each reply's is", () => {
    expect(summed({ prompt: 1_000_000, uncached: 1_000_000, output: 0 }, { prompt: 0, output: 1_000_000 }).price).toBeCloseTo(24);
    expect(summed({ prompt: 1_000, output: 1 }, { prompt: 1_000 }).price).toBeUndefined();
    expect(usageOf(addUsage(noUsage, { ...none, prompt: 10, output: 1 }, undefined, undefined)).price).toBeUndefined();
  });
});

describe("the price of a reply", () => {
  const usage: Usage = { ...none, prompt: 3_000_000, uncached: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 0 };

  test("takes each part of the prompt at its own rate, what is written by its lifetime", () => {
    expect(priceOf(usage, prices)).toBeCloseTo(4 + 0.4 + 5);
    expect(priceOf(usage, prices, "1h")).toBeCloseTo(4 + 0.4 + 8);
    expect(priceOf({ ...usage, cacheWriteByLifetime: { "5m": 400_000, "1h": 600_000 } }, prices)).toBeCloseTo(4 + 0.4 + 2 + 4.8);
    expect(priceOf(usage, { ...prices, cacheWrite: {} })).toBeCloseTo(4 + 0.4 + 4);
  });

  test("takes what was neither read nor written for uncached, where the provider does not say", () => {
    expect(priceOf({ ...usage, uncached: undefined }, prices)).toBeCloseTo(4 + 0.4 + 5);
  });
});
