import { expect, it } from "vitest";
import { cacheStore } from "./cache-store.ts";
import { manualClock, minuteMs } from "./clock.ts";

it("forgets an entry when its time to live is over, and keeps one that is used", () => {
  const clock = manualClock();
  const store = cacheStore(clock);
  store.put("used", 5 * minuteMs);
  store.put("idle", 5 * minuteMs);
  clock.advance(4 * minuteMs);
  expect(store.use("used")).toBe(true);
  clock.advance(4 * minuteMs);
  expect(store.use("used")).toBe(true);
  expect(store.use("idle")).toBe(false);
  clock.advance(5 * minuteMs);
  expect(store.use("used")).toBe(false);
});

it("does not shorten the life of an entry that is written again for less", () => {
  const clock = manualClock();
  const store = cacheStore(clock);
  store.put("long", 60 * minuteMs);
  store.put("long", 5 * minuteMs);
  clock.advance(30 * minuteMs);
  expect(store.use("long")).toBe(true);
});
