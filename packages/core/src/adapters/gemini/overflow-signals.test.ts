import { describe, expect, it } from "vitest";
import { overflowSignals, readOverflow } from "./overflow-signals.ts";

const body = (message: string) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } });
const said = "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).";
const figures = { tokens: 1_200_293, limit: 1_048_576 };

describe("a refusal for length", () => {
  it.each(overflowSignals)("is known by what was seen: $sample", ({ says, sample }) => {
    expect(says.test(sample)).toBe(true);
    expect(overflowSignals.find((signal) => signal.says.test(sample))?.says).toBe(says);
    expect(readOverflow(body(sample))).toBeDefined();
  });

  it("is known however it is wrapped: by the SDK as text, in a list, in a host's error", () => {
    const sdk = Object.assign(new Error(JSON.stringify(body(said))), { name: "ApiError", status: 400 });
    const nested = Object.assign(
      new Error(JSON.stringify({ error: { message: JSON.stringify(body(said), null, 2), code: 400, status: "Bad Request" } })),
      { status: 400 },
    );
    for (const error of [said, body(said), [body(said)], sdk, nested, new Error("The step failed.", { cause: sdk })])
      expect(readOverflow(error)).toEqual(figures);
  });

  it("is not a quota, nor anything else", () => {
    const quota =
      "You exceeded your current quota. Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_paid_tier_input_token_count, limit: 1000000";
    for (const error of [body(quota), body("Please use a valid role: user, model."), undefined, null, 7, {}])
      expect(readOverflow(error)).toBeUndefined();
  });
});
