import { describe, expect, it } from "vitest";
import { chanceOf } from "./chance.ts";

describe("chance", () => {
  it("gives the same run for the same seed and another for another", () => {
    const tokens = (seed: string) => {
      const chance = chanceOf(seed);
      return Array.from({ length: 5 }, () => chance.token(12));
    };
    expect(tokens("a")).toEqual(tokens("a"));
    expect(tokens("a")).not.toEqual(tokens("b"));
  });

  it("stays in its range and comes near its probability", () => {
    const chance = chanceOf(7);
    const numbers = Array.from({ length: 10_000 }, () => chance.below(10));
    expect(Math.min(...numbers)).toBe(0);
    expect(Math.max(...numbers)).toBe(9);
    const hits = numbers.filter(() => chance.happens(0.3)).length;
    expect(hits).toBeGreaterThan(2_800);
    expect(hits).toBeLessThan(3_200);
  });
});
