import { type OllamaRequest, ollama } from "@tidemark/core/ollama";
import type { ChatRequest, Message } from "ollama";
import { describe, expectTypeOf, it } from "vitest";

/** The SDK leaves the messages optional; a conversation has some. */
type Chat = ChatRequest & { messages: Message[] };

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<Chat>().toExtend<OllamaRequest>();
    expectTypeOf<ChatRequest>().not.toExtend<OllamaRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: Chat & { stream: true }) => ollama().close(request, ollama().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<Chat & { stream: true }>();
  });
});
