import type { CreateCachedContentParameters, GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { type GeminiRequest, gemini } from "@tidemark/core/gemini";
import { describe, expectTypeOf, it } from "vitest";

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<GenerateContentParameters>().toExtend<GeminiRequest>();
    expectTypeOf<CreateCachedContentParameters>().not.toExtend<GeminiRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: GenerateContentParameters) => gemini().close(request, gemini().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<GenerateContentParameters>();
  });

  it("have replies that settle takes", () => {
    expectTypeOf<GenerateContentResponse>().toExtend<Parameters<ReturnType<typeof gemini>["readReply"]>[0]>();
  });
});
