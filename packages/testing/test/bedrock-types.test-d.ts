import type { ConverseCommandInput, ConverseStreamCommandInput } from "@aws-sdk/client-bedrock-runtime";
import { type BedrockRequest, bedrock } from "@tidemark/core/bedrock";
import { describe, expectTypeOf, it } from "vitest";

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<ConverseCommandInput>().toExtend<BedrockRequest>();
    expectTypeOf<ConverseStreamCommandInput>().toExtend<BedrockRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: ConverseCommandInput) => bedrock().close(request, bedrock().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<ConverseCommandInput>();
  });
});
