import type { CreateCachedContentParameters, GenerateContentParameters, GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { type GeminiRequest, gemini, geminiInteractions, type InteractionsRequest } from "@tidemark/core/gemini";
import { describe, expectTypeOf, it } from "vitest";

type InteractionParams = Extract<Parameters<GoogleGenAI["interactions"]["create"]>[0], { readonly model: unknown }>;

describe("the official SDK's request types", () => {
  it("fit the wire's least structure", () => {
    expectTypeOf<GenerateContentParameters>().toExtend<GeminiRequest>();
    expectTypeOf<InteractionParams>().toExtend<InteractionsRequest>();
    expectTypeOf<CreateCachedContentParameters>().not.toExtend<GeminiRequest>();
  });

  it("come out as they went in", () => {
    const close = (request: GenerateContentParameters) => gemini().close(request, gemini().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<GenerateContentParameters>();
  });

  it("come out as they went in from Interactions, too", () => {
    const close = (request: InteractionParams) => geminiInteractions().close(request, geminiInteractions().open(request).head, []);
    expectTypeOf(close).returns.toEqualTypeOf<InteractionParams>();
  });

  it("have replies that settle takes", () => {
    expectTypeOf<GenerateContentResponse>().toExtend<Parameters<ReturnType<typeof gemini>["readReply"]>[0]>();
  });
});
