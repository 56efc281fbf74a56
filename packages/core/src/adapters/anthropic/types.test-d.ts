import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { type AnthropicRequest, anthropic } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/anthropic-types.test-d.ts.

declare const wire: ReturnType<typeof anthropic>;
declare const opened: ReturnType<typeof wire.open>;

describe("AnthropicRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = {
      model: "claude-opus-5-5",
      max_tokens: 10,
      system: "Be kind.",
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: "Hi." }],
      thinking: { type: "adaptive" },
      stream: true,
    } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
    expectTypeOf(wire.mark(request, { mode: "off", ttl: undefined, hostMarks: [], repeatsTo: 0, lagging: undefined })).toEqualTypeOf<
      typeof request
    >();
  });

  it("takes a literal that is not constant", () => {
    const messages = [{ role: "user", content: "Hi." }];
    messages.push({ role: "assistant", content: "Hello." });
    expectTypeOf(wire.close({ model: "m", messages, max_tokens: 1 }, opened.head, [])).toHaveProperty("max_tokens");
  });

  it("takes an interface of the host's own", () => {
    interface Own {
      model: string;
      messages: { role: "user" | "assistant"; content: string | object[] }[];
      system?: string;
      vendor: { id: number };
    }
    expectTypeOf<Own>().toExtend<AnthropicRequest>();
  });

  it("refuses what has no model or no messages", () => {
    expectTypeOf<{ messages: object[] }>().not.toExtend<AnthropicRequest>();
    expectTypeOf<{ model: string; messages: string[] }>().not.toExtend<AnthropicRequest>();
    // @ts-expect-error an option that is not known
    anthropic({ dialect: "bedrock" });
  });

  it("is the request of the wire", () => {
    expectTypeOf(anthropic()).toEqualTypeOf<Wire<AnthropicRequest>>();
  });
});
