import { describe, expect, it } from "vitest";
import { overflowSignals, readOverflow } from "./overflow-signals.ts";

const body = (type: string, message: string): object => ({ type: "error", error: { type, message }, request_id: "req_1" });

/** As the official SDK throws it: the body under `error`, the status in front of the message. */
function sdkError(status: number, type: string, message: string): Error {
  const error = body(type, message);
  return Object.assign(new Error(`${status} ${JSON.stringify(error)}`), { status, error, type });
}

describe("refusals for length", () => {
  it.each(overflowSignals.map(({ sample }) => sample))("are known by text: %s", (sample) => {
    for (const error of [
      sample,
      new Error(sample),
      body("invalid_request_error", sample),
      sdkError(400, "invalid_request_error", sample),
    ]) {
      expect(readOverflow(error)).toBeDefined();
    }
  });

  it("give the figures that they name", () => {
    expect(readOverflow(sdkError(400, "invalid_request_error", "prompt is too long: 3333404 tokens > 200000 maximum"))).toEqual({
      tokens: 3333404,
      limit: 200000,
    });
    expect(readOverflow(body("invalid_request_error", overflowSignals[1]?.sample ?? ""))).toEqual({ tokens: 178959, limit: 200000 });
    expect(readOverflow("Prompt is too long")).toEqual({});
    expect(readOverflow(sdkError(413, "request_too_large", "Request exceeds the maximum allowed number of bytes"))).toEqual({});
  });

  it("are found in what wraps them", () => {
    const inner = sdkError(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum");
    expect(readOverflow(new Error("call failed", { cause: inner }))).toEqual({ tokens: 250000, limit: 200000 });
    expect(readOverflow({ error: { message: "x", cause: { responseBody: JSON.stringify(body("a", "prompt is too long")) } } })).toEqual({});
  });

  it("are nothing else", () => {
    const others: readonly unknown[] = [
      sdkError(429, "rate_limit_error", "This request would exceed your organization's rate limit of 30,000 input tokens per minute"),
      sdkError(529, "overloaded_error", "Overloaded"),
      sdkError(400, "invalid_request_error", "messages: text content blocks must be non-empty"),
      undefined,
      null,
      42,
      {},
    ];
    for (const error of others) expect(readOverflow(error)).toBeUndefined();
  });

  it("are looked for in bounded time", () => {
    const cyclic: Record<string, unknown> = { message: "x".repeat(1_000_000) };
    for (const name of ["error", "cause", "body", "data"]) cyclic[name] = cyclic;
    expect(readOverflow(cyclic)).toBeUndefined();
  });
});
