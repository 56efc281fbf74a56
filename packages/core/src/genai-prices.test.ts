import { calcPrice } from "@pydantic/genai-prices";
import { expect, test } from "vitest";
import { anthropic } from "./adapters/anthropic/index.ts";
import { genaiPrices } from "./genai-prices.ts";

test("a model of the catalogue has its prices, those of writing by lifetime", () => {
  const prices = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: { "5m": 5, "1h": 8 } };
  expect(genaiPrices(calcPrice, "anthropic")("claude-opus-5-5")).toEqual({ prices });
  expect(anthropic({ profiles: genaiPrices(calcPrice, "anthropic") }).profile("claude-opus-5-5").prices).toEqual(prices);
});

test("of prices in tiers the lowest is taken", () => {
  expect(genaiPrices(calcPrice, "openai")("gpt-5.6-sol")?.prices).toEqual({
    input: 4,
    output: 20,
    cacheRead: 0.4,
    cacheWrite: { "30m": 5 },
  });
});

test("a model that the catalogue takes for another one has no price of it", () => {
  expect(calcPrice({}, "claude-sonnet-5-5", { providerId: "anthropic" })?.model.id).toBe("claude-sonnet-5");
  expect(genaiPrices(calcPrice, "anthropic")("claude-sonnet-5-5")).toBeUndefined();
  expect(genaiPrices(calcPrice, "anthropic")("my-model")).toBeUndefined();
  expect(genaiPrices(calcPrice, "anthropic")("claude-opus-4-5-20251101")).toBeUndefined();
});
