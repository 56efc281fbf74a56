import { expect, it } from "vitest";
import { manualClock, minuteMs } from "./clock.ts";
import { slotCache } from "./slot-cache.ts";

const words = (count: number, word = "word"): string => `${word} `.repeat(count).slice(0, count * 4);

it("what is common with the last prompt and its reply is read, in whole tokens and never all", () => {
  const cache = slotCache(manualClock(), { slots: 1 });
  const first = cache.read("m", words(100));
  expect(first.tokens).toBe(0);
  first.begin("and so on.");
  expect(cache.read("m", words(100)).tokens).toBe(99);
  expect(cache.read("m", `${words(100)}and so on. Next question?`).tokens).toBe(102);
  expect(cache.read("m", `x${words(100)}`).tokens).toBe(0);
});

it("another load and a long pause empty it", () => {
  const clock = manualClock();
  const cache = slotCache(clock, { slots: 2 });
  cache.read("m", words(100)).begin("");
  expect(cache.read("m 8192", words(120)).tokens).toBe(0);
  clock.advance(5 * minuteMs);
  expect(cache.read("m", words(120)).tokens).toBe(100);
  clock.advance(1);
  expect(cache.read("m", words(120)).tokens).toBe(0);
});

it("two conversations keep a slot each, and a third takes the one that was used longest ago", () => {
  const cache = slotCache(manualClock(), { slots: 2 });
  for (const word of ["ebb", "flood"]) cache.read("m", words(100, word)).begin("");
  expect(cache.read("m", words(100, "ebb")).tokens).toBe(99);
  cache.read("m", words(100, "slack")).begin("");
  expect(cache.read("m", words(100, "ebb")).tokens).toBe(0);
  expect(cache.read("m", words(100, "flood")).tokens).toBe(99);
});
