import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sliced } from "./sliced-count.ts";

describe("a counter of texts in slices", () => {
  test("gets every character once and no half of one", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "é", "😀", "👩‍💻", " ", "\n"), { minLength: 2_000, maxLength: 6_000 }), (characters) => {
        const text = characters.join("");
        const seen: string[] = [];
        sliced((slice) => seen.push(slice))(text);
        expect(seen.join("")).toBe(text);
        expect(seen.every((slice) => slice.isWellFormed() && slice.length <= 2_048)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("does linear work even where the counter is quadratic, and bounded work on a long text (five megabytes and ten)", () => {
    let work = 0;
    const count = sliced((text) => {
      work += text.length ** 2;
      return text.length / 4;
    });
    const workFor = (units: number): number => {
      work = 0;
      count("x".repeat(units));
      return work;
    };
    expect(workFor(100_000) / workFor(10_000)).toBeLessThan(11);
    expect(workFor(10_000_000) / workFor(5_000_000)).toBeLessThan(1.05);
    expect(workFor(5_000_000)).toBeLessThan(3 * workFor(100_000));
  });

  test("a long text is counted at the rate of its sample", () => {
    const count = sliced((text) => text.length / 3);
    const text = "some words of a very long text, again and again. ".repeat(40_000);
    expect(count(text) / (text.length / 3)).toBeCloseTo(1, 2);
  });
});
