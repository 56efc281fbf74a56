import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { type BedrockRequest, bedrock } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/bedrock-types.test-d.ts.

declare const wire: ReturnType<typeof bedrock>;
declare const opened: ReturnType<typeof wire.open>;

describe("BedrockRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = { modelId: "m", messages: [{ role: "user", content: [{ text: "Hi." }] }], inferenceConfig: { maxTokens: 9 } } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
  });

  it("refuses what has no model", () => {
    expectTypeOf<{ messages: object[] }>().not.toExtend<BedrockRequest>();
  });

  it("is the request of the wire", () => {
    expectTypeOf(bedrock()).toEqualTypeOf<Wire<BedrockRequest>>();
  });
});
