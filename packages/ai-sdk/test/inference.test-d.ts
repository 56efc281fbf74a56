import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, ToolLoopAgent, tool } from "ai";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { clip, type TidemarkProviderOptions, tidemarkStep, withTidemark } from "../src/index.ts";

const model = withTidemark(createAnthropic({ apiKey: "x" })("claude-opus-5-5"));
const read = tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => ({ path, size: 1 }) });

describe("types come through", () => {
  it("a wrapped model is one of the SDK's own", () => {
    expectTypeOf(model).toEqualTypeOf<LanguageModelV4>();
  });

  it("a step knows the run's context and tools", () => {
    generateText({
      model,
      prompt: "Read.",
      tools: { read },
      runtimeContext: { chatId: "one", turn: 1 },
      prepareStep: tidemarkStep({
        sessionId: ({ runtimeContext }) => {
          expectTypeOf(runtimeContext).toEqualTypeOf<{ chatId: string; turn: number }>();
          return runtimeContext.chatId;
        },
        prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber > 0 ? [] : ["read"] }),
      }),
    });
    new ToolLoopAgent({ model, tools: { read }, prepareStep: tidemarkStep({ sessionId: "one" }) });
  });

  it("a clipped tool is the tool", () => {
    expectTypeOf(clip(read, { maxTokens: 100 })).toEqualTypeOf<typeof read>();
  });

  it("the options of a call are checked where the host asks for it", () => {
    ({ sessionId: "one" }) satisfies TidemarkProviderOptions;
    // @ts-expect-error: a name of another spelling names nothing.
    ({ sessionID: "one" }) satisfies TidemarkProviderOptions;
  });
});
