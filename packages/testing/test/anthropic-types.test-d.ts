import type {
  MessageCreateParams as BetaMessageCreateParams,
  MessageCreateParamsStreaming as BetaMessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type {
  Message,
  MessageCreateParams,
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { describe, expectTypeOf, it } from "vitest";

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<MessageCreateParams>().toExtend<AnthropicRequest>();
    expectTypeOf<MessageCreateParamsNonStreaming>().toExtend<AnthropicRequest>();
    expectTypeOf<MessageCreateParamsStreaming>().toExtend<AnthropicRequest>();
    expectTypeOf<BetaMessageCreateParams>().toExtend<AnthropicRequest>();
  });

  it("come out as they went in", () => {
    const wire = anthropic();
    const close = (request: MessageCreateParamsNonStreaming) => wire.close(request, wire.open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<MessageCreateParamsNonStreaming>();
    const control = (request: BetaMessageCreateParamsStreaming) => wire.control?.(request, "drop").request;
    expectTypeOf(control).returns.toEqualTypeOf<BetaMessageCreateParamsStreaming | undefined>();
  });

  it("take replies as the SDK gives them", () => {
    expectTypeOf<Message>().toExtend<Parameters<ReturnType<typeof anthropic>["readReply"]>[0]>();
  });
});
