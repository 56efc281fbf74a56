import { openaiResponses, type ResponsesRequest } from "@tidemark/core/openai-responses";
import type {
  ResponseCreateParams,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
} from "openai/resources/responses/responses";
import { describe, expectTypeOf, it } from "vitest";

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<ResponseCreateParams>().toExtend<ResponsesRequest>();
    expectTypeOf<ResponseCreateParamsNonStreaming>().toExtend<ResponsesRequest>();
    expectTypeOf<ResponseCreateParamsStreaming>().toExtend<ResponsesRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: ResponseCreateParamsStreaming) => openaiResponses().close(request, openaiResponses().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<ResponseCreateParamsStreaming>();
  });
});
