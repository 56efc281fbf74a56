import Anthropic from "@anthropic-ai/sdk";
import {
  type AnchoredOptions,
  type BudgetOptions,
  type ClockOptions,
  createSession,
  type ElideOptions,
  type Guardrail,
  type HandoffOptions,
  type MemoryEntry,
  type MemoryOptions,
  type OnDemandCompactionOptions,
  type OverflowOptions,
  type PrepareOptions,
  type SessionIdentity,
  type SessionOptions,
  type Skill,
  type StateOptions,
  type SummarizeOptions,
  type ThroughOptions,
} from "@tidemark/core";
import { type AnthropicOptions, anthropic } from "@tidemark/core/anthropic";
import type { AnthropicMiddlewareOptions, ContextFetchOptions } from "@tidemark/core/fetch";
import { type OpenAIChatOptions, openaiChat } from "@tidemark/core/openai-chat";
import { type OpenAIResponsesOptions, openaiResponses } from "@tidemark/core/openai-responses";
import OpenAI from "openai";
import { describe, expectTypeOf, it } from "vitest";

/** The members that may be left out, each as undefined. */
type Unset<T> = { [K in keyof T as object extends Pick<T, K> ? K : never]-?: undefined };
type TakesUndefined<T> = Unset<T> extends Pick<T, keyof T & keyof Unset<T>> ? true : false;

const claude = new Anthropic({ apiKey: "none" });
const openai = new OpenAI({ apiKey: "none" });

describe("a session that is made for an SDK's own request type", () => {
  it("keeps the words of a request that is written in place, and takes its own tools into the list", async () => {
    const session = createSession<Anthropic.MessageCreateParamsNonStreaming>({ wire: anthropic() });
    const tools: Anthropic.ToolUnion[] = [{ name: "tide", input_schema: { type: "object" } }, ...session.tools.own];
    const { request } = await session.prepare({
      model: "claude-opus-5-5",
      max_tokens: 1,
      thinking: { type: "adaptive" },
      tools,
      messages: [{ role: "user", content: [{ type: "text", text: "When?" }] }],
    });
    expectTypeOf(await claude.messages.create(request)).toExtend<Anthropic.Message>();
    claude.messages.stream(request);
  });

  it("does so on OpenAI's wires", async () => {
    const chat = createSession<OpenAI.ChatCompletionCreateParamsNonStreaming>({ wire: openaiChat() });
    const functions: OpenAI.ChatCompletionTool[] = [...chat.tools.own];
    const asked = await chat.prepare({
      model: "gpt-5.5",
      reasoning_effort: "low",
      tools: functions,
      messages: [{ role: "user", content: "a" }],
    });
    expectTypeOf(await openai.chat.completions.create(asked.request)).toExtend<OpenAI.ChatCompletion>();

    const responses = createSession<OpenAI.Responses.ResponseCreateParamsNonStreaming>({ wire: openaiResponses() });
    const { request } = await responses.prepare({
      model: "gpt-5.5",
      include: ["reasoning.encrypted_content"],
      tools: [{ type: "function", name: "tide", parameters: {}, strict: false }, ...responses.tools.own],
      input: [{ role: "user", content: "a" }],
    });
    expectTypeOf(await openai.responses.create(request)).toExtend<OpenAI.Responses.Response>();
  });

  it("recovers to the type of request that went in", async () => {
    const session = createSession({ wire: anthropic() });
    const params: Anthropic.MessageCreateParamsNonStreaming = { model: "claude-opus-5-5", max_tokens: 1, messages: [] };
    let turn = await session.prepare(params);
    turn = await session.recover(new Error("prompt is too long"));
    expectTypeOf(turn.request).toEqualTypeOf<Anthropic.MessageCreateParamsNonStreaming>();
  });
});

describe("every option that may be left out", () => {
  it("may be undefined, under exactOptionalPropertyTypes too", () => {
    expectTypeOf<TakesUndefined<{ readonly exact?: string }>>().toEqualTypeOf<false>();
    expectTypeOf<TakesUndefined<SessionOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<PrepareOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<BudgetOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<OverflowOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<SessionIdentity>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<ThroughOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<ContextFetchOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<AnthropicMiddlewareOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<AnthropicOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<OpenAIChatOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<OpenAIResponsesOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<SummarizeOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<AnchoredOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<ElideOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<OnDemandCompactionOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<StateOptions<string, string>>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<MemoryOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<MemoryEntry>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<ClockOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<HandoffOptions>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<Guardrail>>().toEqualTypeOf<true>();
    expectTypeOf<TakesUndefined<Skill>>().toEqualTypeOf<true>();
  });
});
