import { describe, expect, it } from "vitest";
import { overflowSignals, readOverflow } from "./overflow-signals.ts";

describe("refusals for length", () => {
  it.each(overflowSignals)("are known by text: $sample", ({ sample }) => {
    const thrown = Object.assign(new Error(sample), { name: "ResponseError", error: sample, status_code: 400 });
    for (const error of [sample, thrown, { error: sample }, new Error("failed", { cause: thrown })])
      expect(readOverflow(error)).toBeDefined();
  });

  it("give the figures that they name", () => {
    expect(readOverflow({ error: overflowSignals[2]?.sample })).toEqual({ tokens: 14_429, limit: 8_192 });
    expect(readOverflow({ error: overflowSignals[0]?.sample })).toEqual({});
  });

  it("are nothing else, and are looked for in bounded time", () => {
    const cyclic: Record<string, unknown> = { message: "x".repeat(1_000_000) };
    for (const name of ["error", "cause", "body"]) cyclic[name] = cyclic;
    for (const error of [undefined, 42, {}, new Error("model 'x' not found"), cyclic]) expect(readOverflow(error)).toBeUndefined();
  });
});
