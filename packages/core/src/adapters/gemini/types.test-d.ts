import { describe, expectTypeOf, it } from "vitest";
import type { Wire } from "../../wire/wire.ts";
import { type GeminiRequest, gemini } from "./index.ts";

// Without an SDK; with the official one's types: packages/testing/test/gemini-types.test-d.ts.

declare const wire: ReturnType<typeof gemini>;
declare const opened: ReturnType<typeof wire.open>;

describe("GeminiRequest", () => {
  it("takes a plain literal, and gives the same type back", () => {
    const request = { model: "m", contents: [{ role: "user", parts: [{ text: "Hi." }] }], generationConfig: { temperature: 0 } } as const;
    expectTypeOf(wire.close(request, opened.head, [])).toEqualTypeOf<typeof request>();
    expectTypeOf(wire.mark(request, { mode: "off", ttl: undefined, hostMarks: [], repeatsTo: 0, lagging: undefined })).toEqualTypeOf<
      typeof request
    >();
  });

  it("takes an interface of the host's own, and one text for all contents", () => {
    interface Own {
      model: string;
      contents: { role?: string; parts: { text: string }[] }[];
      vendor: { id: number };
    }
    expectTypeOf<Own>().toExtend<GeminiRequest>();
    expectTypeOf<{ model: string; contents: string }>().toExtend<GeminiRequest>();
  });

  it("refuses what has no model or no contents", () => {
    expectTypeOf<{ contents: object[] }>().not.toExtend<GeminiRequest>();
    expectTypeOf<{ model: string; messages: object[] }>().not.toExtend<GeminiRequest>();
  });

  it("is the request of the wire", () => {
    expectTypeOf(gemini()).toEqualTypeOf<Wire<GeminiRequest>>();
  });
});
