import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { type ChatRequest, openaiChat } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/openai-chat-types.test-d.ts.

declare const wire: ReturnType<typeof openaiChat>;
declare const opened: ReturnType<typeof wire.open>;

describe("ChatRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = { model: "m", messages: [{ role: "user", content: "Hi." }], stream: true, temperature: 0 } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
    expectTypeOf(wire.mark(request, { mode: "off", ttl: undefined, hostMarks: [], repeatsTo: 0, lagging: undefined })).toEqualTypeOf<
      typeof request
    >();
  });

  it("takes an interface of the host's own", () => {
    interface Own {
      model: string;
      messages: { role: "user" | "assistant"; content: string }[];
      vendor: { id: number };
    }
    expectTypeOf<Own>().toExtend<ChatRequest>();
  });

  it("refuses what has no model or no messages", () => {
    expectTypeOf<{ messages: object[] }>().not.toExtend<ChatRequest>();
    expectTypeOf<{ model: string; messages: string[] }>().not.toExtend<ChatRequest>();
    // @ts-expect-error a dialect that is not known
    openaiChat({ dialect: "claude" });
  });

  it("is the request of the wire", () => {
    expectTypeOf(openaiChat()).toEqualTypeOf<Wire<ChatRequest>>();
  });
});
