import type { Prices, Profile } from "./wire/profile.ts";

/** What of `@pydantic/genai-prices` is used: its `calcPrice`. */
export type CalcPrice = (
  usage: Record<string, number | undefined>,
  model: string,
  options?: { readonly providerId?: string },
) => null | { readonly model: { readonly id: string }; readonly model_price: Readonly<Record<string, unknown>> };

/** Lifetimes that a provider's plain price for writing is of. */
const writeLifetimes: Readonly<Record<string, string>> = { anthropic: "5m", openai: "30m" };

/**
 * Prices of a catalogue for a wire's `profiles`: `anthropic({ profiles: genaiPrices(calcPrice, "anthropic") })`. The catalogue matches ids by their beginnings and takes a new model for an
 * older one (Sonnet 5.5 for Sonnet 5, in 0.1.8): only a price of exactly the id that was asked for is taken. Where prices rise with the length of a prompt, the lowest is.
 */
export function genaiPrices(calcPrice: CalcPrice, providerId: string): (model: string) => Pick<Profile, "prices"> | undefined {
  return (model) => {
    const found = calcPrice({}, model, { providerId });
    if (found === null || found.model.id !== model) return undefined;
    const prices = pricesOf(found.model_price, writeLifetimes[providerId] ?? "default");
    return prices && { prices };
  };
}

function pricesOf(listed: Readonly<Record<string, unknown>>, lifetime: string): Prices | undefined {
  const [input, output] = [amount(listed["input_mtok"]), amount(listed["output_mtok"])];
  if (input === undefined || output === undefined) return undefined;
  const [write, hour] = [amount(listed["cache_write_mtok"]), amount(listed["cache_write_1h_mtok"])];
  return {
    input,
    output,
    cacheRead: amount(listed["cache_read_mtok"]) ?? input,
    cacheWrite: { ...(write !== undefined && { [lifetime]: write }), ...(hour !== undefined && { "1h": hour }) },
  };
}

/** A price, or the base of one in tiers. */
function amount(price: unknown): number | undefined {
  const base = typeof price === "object" && price !== null && "base" in price ? price.base : price;
  return typeof base === "number" ? base : undefined;
}
