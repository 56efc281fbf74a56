import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { type OllamaRequest, ollama } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/ollama-types.test-d.ts.

declare const wire: ReturnType<typeof ollama>;
declare const opened: ReturnType<typeof wire.open>;

describe("OllamaRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = { model: "m", messages: [{ role: "user", content: "Hi." }], options: { num_ctx: 8_192 }, stream: true } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
  });

  it("refuses what has no model or no messages", () => {
    expectTypeOf<{ messages: object[] }>().not.toExtend<OllamaRequest>();
    expectTypeOf<{ model: string; messages: string[] }>().not.toExtend<OllamaRequest>();
  });

  it("is the request of the wire", () => {
    expectTypeOf(ollama()).toEqualTypeOf<Wire<OllamaRequest>>();
  });
});
