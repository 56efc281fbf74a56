import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shrinkList, simplify } from "../soak/shrink.ts";

describe("shrinkList", () => {
  test("leaves only what the failure needs, in its order", async () => {
    const items = Array.from({ length: 40 }, (_, index) => index);
    const kept = await shrinkList(items, async (candidate) => candidate.includes(7) && candidate.includes(31));
    expect(kept).toEqual([7, 31]);
  });

  test("keeps everything when nothing can go", async () => {
    expect(await shrinkList([1, 2, 3], async ({ length }) => length === 3)).toEqual([1, 2, 3]);
  });

  test("ends with an empty list when the failure needs nothing", async () => {
    expect(await shrinkList([1, 2, 3], async () => true)).toEqual([]);
  });

  test("what it returns fails, and fails no more without any single item", async () => {
    const needed = fc.uniqueArray(fc.nat(30), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(needed, async (wanted) => {
        const fails = async (candidate: readonly number[]) => wanted.every((item) => candidate.includes(item));
        const kept = await shrinkList(
          Array.from({ length: 31 }, (_, index) => index),
          fails,
        );
        expect(await fails(kept)).toBe(true);
        for (const item of kept) expect(await fails(kept.filter((other) => other !== item))).toBe(false);
      }),
    );
  });

  test("asks few times about a long list with one culprit", async () => {
    let asked = 0;
    const items = Array.from({ length: 256 }, (_, index) => index);
    await shrinkList(items, async (candidate) => {
      asked += 1;
      return candidate.includes(100);
    });
    expect(asked).toBeLessThan(40);
  });
});

describe("simplify", () => {
  const values = { model: ["plain", "odd"], cache: ["automatic", "planned", "off"] } as const;
  type Choices = { readonly [name in keyof typeof values]: (typeof values)[name][number] };

  test("sets each choice to the first value with which the failure stays", async () => {
    const given: Choices = { model: "odd", cache: "off" };
    expect(await simplify<Choices>(given, values, async ({ model }) => model === "odd")).toEqual({ model: "odd", cache: "automatic" });
    expect(await simplify<Choices>(given, values, async ({ cache }) => cache !== "automatic")).toEqual({
      model: "plain",
      cache: "planned",
    });
  });

  test("leaves everything as it is when each choice is needed", async () => {
    const given: Choices = { model: "odd", cache: "off" };
    expect(await simplify<Choices>(given, values, async () => false)).toEqual(given);
  });
});
