import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Prices } from "../wire/profile.ts";
import { type GainOptions, paysOff } from "./gain.ts";

const prices: Prices = { input: 10, output: 50, cacheRead: 1, cacheWrite: { "5m": 12, "1h": 20 } };
/** 600 tokens go, read at a tenth; 400 are written again at 1.25 in place of a tenth: 60 a turn for 460. */
const landed = { before: 1_000, after: 400, unchanged: 0 };
const pays = (expectedTurns: number, given?: Prices, more: GainOptions = {}) => paysOff(landed, { expectedTurns, ...more }, given);

describe("a landing must save more than it costs (rule 43)", () => {
  test("prices that are not known are taken as a tenth for a read and five quarters for a write", () => {
    expect(pays(7)).toBe(false);
    expect(pays(8)).toBe(true);
  });

  test("known prices are used, of several writes the cheapest: 60 a turn for 440", () => {
    expect(pays(7, { ...prices, cacheWrite: { "5m": 12 } })).toBe(false);
    expect(pays(8, { ...prices, cacheWrite: { "5m": 12 } })).toBe(true);
    expect(pays(7, prices)).toBe(false);
    expect(pays(8, prices)).toBe(true);
  });

  test("without a fee for writing what is written again costs what input costs: 60 a turn for 360", () => {
    const free = { ...prices, cacheWrite: {} };
    expect(pays(5, free)).toBe(false);
    expect(pays(6, free)).toBe(true);
  });

  test("where a read costs what a write costs, or more, nothing is lost", () => {
    expect(pays(0, { ...prices, cacheRead: 12, cacheWrite: { "5m": 12 } })).toBe(true);
    expect(pays(0, { ...prices, cacheRead: 13, cacheWrite: { "5m": 12 } })).toBe(true);
  });

  test("figures that are undefined are those that are left out", () => {
    const unset = { minimumGain: undefined, expectedTurns: undefined };
    for (const after of [400, 940])
      expect(paysOff({ ...landed, after }, unset, undefined)).toBe(paysOff({ ...landed, after }, {}, undefined));
    expect([400, 940].map((after) => paysOff({ ...landed, after }, unset, undefined))).toEqual([true, false]);
  });

  test("what stands before the change is read where writing has no fee; elsewhere nothing was written there", () => {
    const late = { before: 1_000, after: 900, unchanged: 880 };
    expect(paysOff(late, {}, { ...prices, cacheWrite: {} })).toBe(true);
    expect(paysOff(late, {}, undefined)).toBe(true);
    expect(paysOff(late, {}, prices)).toBe(false);
  });

  test("the host says how many times it must save its cost; 0 declines none", () => {
    expect(pays(16, undefined, { minimumGain: 3 })).toBe(false);
    expect(pays(23, undefined, { minimumGain: 3 })).toBe(true);
    expect(pays(0, undefined, { minimumGain: 0 })).toBe(true);
  });

  test("twenty-five turns are expected unless the host says otherwise", () => {
    expect(paysOff({ before: 1_460, after: 1_000, unchanged: 0 }, {}, undefined)).toBe(true);
    expect(paysOff({ before: 1_459, after: 1_000, unchanged: 0 }, {}, undefined)).toBe(false);
  });

  test("from high to low water it pays, however cheap a model reads", () => {
    const cheap = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: { "5m": 5 } };
    expect(paysOff({ before: 2_000, after: 1_000, unchanged: 0 }, {}, cheap)).toBe(true);
    expect(paysOff({ before: 1_900, after: 1_000, unchanged: 0 }, {}, cheap)).toBe(false);
  });

  test("one that leaves less of the same window never pays worse", () => {
    const window = fc.record({ before: fc.integer({ min: 1, max: 1_000_000 }), after: fc.nat(1_000_000), less: fc.nat(1_000_000) });
    fc.assert(
      fc.property(window, fc.constantFrom(prices, undefined), ({ before, after, less }, given) => {
        fc.pre(after <= before && less <= after);
        const deep = paysOff({ before, after: less, unchanged: 0 }, {}, given);
        return deep || !paysOff({ before, after, unchanged: 0 }, {}, given);
      }),
    );
  });
});
