import fc from "fast-check";
import { expect, test } from "vitest";
import { shortenedPair } from "./shortened.ts";

test("short values are shown whole", () => {
  expect(shortenedPair({ a: 1 }, [2])).toEqual({ previous: '{"a":1}', next: "[2]" });
  expect(shortenedPair(undefined, "x")).toEqual({ previous: "nothing", next: '"x"' });
});

test("long values are cut to what stands around the difference", () => {
  const { previous, next } = shortenedPair(`${"a".repeat(500)}X${"b".repeat(500)}`, `${"a".repeat(500)}Y${"b".repeat(500)}`);
  expect(previous).toBe(`…${"a".repeat(40)}X${"b".repeat(79)}…`);
  expect(next).toBe(`…${"a".repeat(40)}Y${"b".repeat(79)}…`);
});

test("bytes are named by their number", () => {
  expect(shortenedPair({ data: new Uint8Array(9) }, null).previous).toBe('{"data":"9 bytes"}');
});

test("is bounded and well-formed, and shows a difference wherever there is one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const { previous, next } = shortenedPair(a, b);
      expect(previous.isWellFormed() && next.isWellFormed()).toBe(true);
      expect(previous.length).toBeLessThanOrEqual(123);
      if (a !== b) expect(previous).not.toBe(next);
    }),
  );
});
