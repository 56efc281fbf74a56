import { describe, expect, it } from "vitest";
import { overflowSignals, readOverflow } from "./overflow-signals.ts";

describe("refusals for length", () => {
  it.each(overflowSignals)("are known by text: $sample", ({ sample }) => {
    const thrown = Object.assign(new Error(sample), { name: "ValidationException", $metadata: { httpStatusCode: 400 } });
    for (const error of [sample, thrown, { message: sample }, new Error("failed", { cause: thrown })])
      expect(readOverflow(error)).toBeDefined();
  });

  it("give the figures that they name", () => {
    expect(readOverflow({ message: overflowSignals[1]?.sample })).toEqual({ tokens: 215_000, limit: 200_000 });
    expect(readOverflow({ message: overflowSignals[3]?.sample })).toEqual({ limit: 8_192 });
    expect(readOverflow({ message: overflowSignals[0]?.sample })).toEqual({});
  });

  it("are nothing else, and are looked for in bounded time", () => {
    const cyclic: Record<string, unknown> = { message: "x".repeat(1_000_000) };
    for (const name of ["error", "cause", "body"]) cyclic[name] = cyclic;
    const throttled = { name: "ThrottlingException", message: "Too many tokens, please wait before trying again." };
    for (const error of [undefined, 42, {}, throttled, cyclic]) expect(readOverflow(error)).toBeUndefined();
  });
});
