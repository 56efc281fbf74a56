import { describe, expect, test } from "vitest";
import { type Calibration, calibrated, factorOf, wholeFactorOf } from "./calibration.ts";

/** Reports of a window that grows, as pairs of what was reported and counted in all. */
function taught(...prompts: readonly (readonly [reported: number, counted: number])[]): Calibration | undefined {
  return prompts.reduce<Calibration | undefined>(
    (before, [reported, counted], index) => calibrated(before, "model", { reported, counted }, index > 0),
    undefined,
  );
}

describe("calibration by reports (rule 31)", () => {
  test("is none before the first report", () => {
    expect(factorOf(undefined)).toBe(1);
    expect(wholeFactorOf(undefined)).toBe(1);
  });

  test("takes a first report for what all tokens cost", () => {
    expect(factorOf(taught([1_300, 1_000]))).toBeCloseTo(1.3);
    expect(wholeFactorOf(taught([1_300, 1_000]))).toBeCloseTo(1.3);
  });

  test("goes by what came last, where that was much", () => {
    const calibration = taught([13_000, 10_000], [23_000, 20_000], [33_000, 30_000]);
    expect(factorOf(calibration)).toBeCloseTo(1, 1);
    expect(wholeFactorOf(calibration)).toBeCloseTo(1.1);
  });

  test("goes by the whole prompt, where little came since", () => {
    expect(factorOf(taught([13_000, 10_000], [13_010, 10_020]))).toBeCloseTo(1.28, 1);
  });

  test("a report that does not go on from the last one teaches no growth", () => {
    const before = taught([13_000, 10_000], [26_000, 20_000]);
    expect(calibrated(before, "model", { reported: 5_000, counted: 9_000 }, false).growth).toEqual(before?.growth);
    expect(calibrated(before, "model", { reported: 25_000, counted: 21_000 }, true).growth).toEqual(before?.growth);
  });

  test("a prompt that is mostly hidden, or hardly there, does not run away with the count", () => {
    expect(factorOf(taught([90_000, 10]))).toBe(3);
    expect(factorOf(taught([1, 50_000]))).toBe(0.5);
  });

  test("another model starts anew", () => {
    expect(factorOf(calibrated(taught([1_300, 1_000]), "other", { reported: 900, counted: 1_000 }, true))).toBeCloseTo(0.9);
  });
});
