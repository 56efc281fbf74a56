import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { misfitIn } from "../json/check.ts";
import { pathText } from "../json/path.ts";
import type { Profile } from "../wire/profile.ts";
import { type BudgetOptions, budgetShape, limitsFor } from "./limits.ts";

const profile = openaiChat().profile("gpt-4.1");

function limits(budget: BudgetOptions, outputCap?: number, of: Profile = profile) {
  return limitsFor(budget, of, "gpt-4.1", outputCap === undefined ? {} : { output: outputCap });
}

describe("the context (rule 30)", () => {
  test("is the figure for the model, else the session's, else the profile's, exactly", () => {
    expect(limits({})?.context).toBe(1_047_576);
    expect(limits({ context: 9_000_000 })?.context).toBe(9_000_000);
    expect(limits({ context: 9_000, perModel: { "gpt-4.1": 1_024, "GPT-4.1": 2_000 } })?.context).toBe(1_024);
    expect(limits({ context: 9_000, perModel: { "GPT-4.1": 2_000, "gpt-4.1-2025-04-14": 3_000 } })?.context).toBe(9_000);
  });

  test("is the request's own window where the server goes by that, unless the host says otherwise", () => {
    expect(limitsFor({}, profile, "gpt-4.1", { window: 512 })?.context).toBe(512);
    expect(limitsFor({ context: 9_000 }, profile, "gpt-4.1", { window: 4_096 })?.context).toBe(9_000);
    expect(limitsFor({ context: false }, profile, "gpt-4.1", { window: 4_096 })).toBeUndefined();
  });

  test("is read anew at every request", () => {
    const perModel: Record<string, number> = {};
    const budget = { context: 8_000, perModel };
    expect(limits(budget)?.context).toBe(8_000);
    perModel["gpt-4.1"] = 4_000;
    expect(limits(budget)?.context).toBe(4_000);
    perModel["gpt-4.1"] = 4_000.5;
    expect(() => limits(budget)).toThrow('$.budget.perModel["gpt-4.1"]: expected a whole number of at least 1,024');
  });

  test("false counts and cuts nothing, but for a model that has a figure of its own", () => {
    expect(limits({ context: false })).toBeUndefined();
    expect(limits({ context: false, perModel: { "gpt-4.1": 5_000 } })?.context).toBe(5_000);
  });

  test.each([
    [{ context: 1_023 }, "$.context"],
    [{ context: 2 ** 60 }, "$.context"],
    [{ context: Number.NaN }, "$.context"],
    [{ context: "200000" }, "$.context"],
    [{ context: true }, "$.context"],
    [{ perModel: { "my-model": 0 } }, '$.perModel["my-model"]'],
    [{ perModel: { "my-model": false } }, '$.perModel["my-model"]'],
    [{ output: 0 }, "$.output"],
    [{ highWater: -1 }, "$.highWater"],
    [{ lowWater: 0.5 }, "$.lowWater"],
    [{ highWater: 1_000, lowWater: 1_000 }, "$.lowWater"],
    [{ measure: "guess" }, "$.measure"],
    [{ limit: 5_000 }, "$.limit"],
  ])("an invalid figure is named by its key: %j", (budget, path) => {
    const misfit = misfitIn(budget, budgetShape);
    expect(misfit && pathText(misfit.path)).toBe(path);
  });

  test("a profile that cannot be a window is an error that names it", () => {
    expect(() => limits({}, undefined, { ...profile, context: 10 })).toThrow('$.profiles["gpt-4.1"].context');
  });
});

describe("the reserve (rule 30)", () => {
  test("is the request's cap, else the budget's, else the model's, within half of the context", () => {
    expect(limits({ context: 100_000, output: 3_000 }, 5_000)).toMatchObject({ reserve: 5_000, limit: 95_000 });
    expect(limits({ context: 100_000, output: 3_000 })).toMatchObject({ reserve: 3_000, limit: 97_000 });
    expect(limits({ context: 100_000 })).toMatchObject({ reserve: 32_768, limit: 67_232 });
    expect(limits({ context: 8_001 }, 100_000)).toMatchObject({ reserve: 4_000, limit: 4_001 });
    expect(limits({}, undefined, anthropic().profile("some-model"))).toMatchObject({ reserve: 0, limit: 200_000 });
  });
});

describe("the water marks (rule 33)", () => {
  test("follow the limit when they are not set", () => {
    expect(limits({ context: 200_000 }, 40_000)).toMatchObject({ limit: 160_000, highWater: 120_000, lowWater: 60_000 });
    expect(limits({ context: 200_000, highWater: 50_000 }, 40_000)).toMatchObject({ highWater: 50_000, lowWater: 25_000 });
  });

  test("shrink to fit a limit that is too small for them; the limit never does", () => {
    expect(limits({ context: 4_000, highWater: 50_000, lowWater: 30_000 }, 1_000)).toMatchObject({
      limit: 3_000,
      highWater: 3_000,
      lowWater: 1_500,
    });
    expect(limits({ context: 4_000, lowWater: 2_000 }, 1_000)).toMatchObject({ highWater: 2_250, lowWater: 2_000 });
  });

  test("stand in order below the limit, whatever is set", () => {
    const tokens = fc.option(fc.integer({ min: 1, max: 3_000_000 }), { nil: undefined });
    fc.assert(
      fc.property(fc.integer({ min: 1_024, max: 2_000_000 }), tokens, tokens, tokens, tokens, (context, output, cap, high, low) => {
        const marks = {
          ...(high !== undefined && { highWater: high }),
          ...(low !== undefined && low < (high ?? low + 1) && { lowWater: low }),
        };
        const found = limits({ context, ...(output !== undefined && { output }), ...marks }, cap);
        if (found === undefined) throw new Error("there are limits");
        expect(found.context).toBe(context);
        expect(found.limit).toBe(context - found.reserve);
        expect(found.reserve).toBeLessThanOrEqual(context / 2);
        expect(found.lowWater).toBeLessThan(found.highWater);
        expect(found.highWater).toBeLessThanOrEqual(found.limit);
      }),
    );
  });
});
