import { type ChatRequest, openaiChat } from "@tidemark/core/openai-chat";
import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import { describe, expectTypeOf, it } from "vitest";

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<ChatCompletionCreateParams>().toExtend<ChatRequest>();
    expectTypeOf<ChatCompletionCreateParamsNonStreaming>().toExtend<ChatRequest>();
    expectTypeOf<ChatCompletionCreateParamsStreaming>().toExtend<ChatRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: ChatCompletionCreateParamsStreaming) => openaiChat().close(request, openaiChat().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<ChatCompletionCreateParamsStreaming>();
  });
});
