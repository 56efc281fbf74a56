import type { ObjectValue } from "@tidemark/core";
import { describe, expect, it } from "vitest";
import type { ReplyPart } from "../script.ts";
import type { Simulator } from "../simulator.ts";
import { type AnthropicSimulatorOptions, anthropicSimulator } from "./server.ts";

type Block = Record<string, unknown>;
type Message = { role: string; content: Block[] };

const tools = [{ name: "read", input_schema: { type: "object" } }];
const call = (id: string): ReplyPart => ({ call: { name: "read", input: { path: id }, id } });
const text = (role: string, words: string): Message => ({ role, content: [{ type: "text", text: words }] });
const result = (id: string): Message => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] });
const withoutThinking = (message: Message): Message => ({
  ...message,
  content: message.content.filter((block) => block.type !== "thinking"),
});

async function send(sim: Simulator, messages: Message[], extra: Block = {}, beta?: string) {
  const options = beta === undefined ? {} : { headers: { "anthropic-beta": beta } };
  return sim.handle({ model: "claude-opus-5-5", max_tokens: 2_000, tools, messages, ...extra }, options);
}

async function replyTo(sim: Simulator, messages: Message[], extra: Block = {}): Promise<Message> {
  const { reply, refusal } = await send(sim, messages, extra);
  expect(refusal).toBeUndefined();
  return { role: "assistant", content: reply.content as unknown as Block[] };
}

const thinkingCall = (options: AnthropicSimulatorOptions = {}) =>
  anthropicSimulator({
    script: (_request: ObjectValue, n: number) => ({ parts: [{ thinking: `Thought ${n}.` }, call(`toolu_${n}`)] }),
    ...options,
  });

describe("an open tool loop (AN-14)", () => {
  it("keeps the thinking of its latest assistant turn", async () => {
    const sim = thinkingCall();
    const question = text("user", "Read it.");
    const reply = await replyTo(sim, [question]);
    expect((await send(sim, [question, reply, result("toolu_0")])).status).toBe(200);
    const refused = await send(sim, [question, withoutThinking(reply), result("toolu_0")]);
    expect(refused.status).toBe(400);
    expect(refused.refusal).toMatchObject({
      rule: "AN-14",
      path: "messages.1.content.0",
      message:
        "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    });
  });

  it("holds on all models, and against changed text", async () => {
    const sim = thinkingCall();
    const older = { model: "claude-opus-4-8" };
    const question = text("user", "Read it.");
    const reply = await replyTo(sim, [question], older);
    const changed = {
      ...reply,
      content: reply.content.map((block) => (block.type === "thinking" ? { ...block, thinking: "Other." } : block)),
    };
    expect((await send(sim, [question, changed, result("toolu_0")], older)).refusal?.rule).toBe("AN-14");
    expect((await send(sim, [question, withoutThinking(reply), result("toolu_0")], older)).refusal?.rule).toBe("AN-14");
  });

  it("does not speak of earlier turns, nor of a loop that is closed", async () => {
    const sim = thinkingCall();
    const question = text("user", "Read it.");
    const first = await replyTo(sim, [question]);
    const second = await replyTo(sim, [question, first, result("toolu_0")]);
    expect((await send(sim, [question, withoutThinking(first), result("toolu_0"), second, result("toolu_1")])).status).toBe(200);
    const closed = anthropicSimulator({
      script: [{ thinking: "a", calls: [{ name: "read", input: {}, id: "toolu_0" }] }, { thinking: "b", text: "Done." }, {}],
    });
    const one = await replyTo(closed, [question]);
    const two = await replyTo(closed, [question, one, result("toolu_0")]);
    const after = [question, withoutThinking(one), result("toolu_0"), withoutThinking(two), text("user", "Thanks.")];
    expect((await send(closed, after)).status).toBe(200);
  });

  it("owes nothing to a model that would not be shown the thinking", async () => {
    const sim = thinkingCall();
    const question = text("user", "Read it.");
    const reply = await replyTo(sim, [question], { model: "claude-fable-5-2" });
    expect((await send(sim, [question, withoutThinking(reply), result("toolu_0")])).status).toBe(200);
  });

  it("owes no block that was reported as dropped", async () => {
    const sim = thinkingCall({ mode: "drop" });
    const question = text("user", "Read it.");
    const reply = await replyTo(sim, [question]);
    const changed = text("user", "Read the other one.");
    expect((await send(sim, [changed, withoutThinking(reply), result("toolu_0")])).refusal?.rule).toBe("AN-14");
    expect((await send(sim, [changed, reply, result("toolu_0")])).status).toBe(200);
    expect((await send(sim, [changed, withoutThinking(reply), result("toolu_0")])).status).toBe(200);
  });
});

describe("thinking by budget (AN-15)", () => {
  const budget = { model: "claude-sonnet-4-5", thinking: { type: "enabled", budget_tokens: 1_024 } };

  it("wants an open loop's last reply to start with thinking, unless it never did", async () => {
    const sim = anthropicSimulator({ script: [{ calls: [{ name: "read", input: {}, id: "toolu_0" }] }, {}, {}] });
    const question = text("user", "Read it.");
    const reply = await replyTo(sim, [question], budget);
    expect((await send(sim, [question, reply, result("toolu_0")], budget)).status).toBe(200);
    const foreign: Message = { role: "assistant", content: [{ type: "tool_use", id: "toolu_foreign", name: "read", input: {} }] };
    const refused = await send(sim, [question, foreign, result("toolu_foreign")], budget);
    expect(refused.refusal?.rule).toBe("AN-15");
    expect(refused.refusal?.message).toContain(
      "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message",
    );
  });
});

describe("a fallback block (AN-28)", () => {
  it("stays in the turn that had it", async () => {
    const fallback = { type: "fallback", from: { model: "claude-opus-5-5" }, to: { model: "claude-opus-5" } };
    const sim = anthropicSimulator({
      script: [{ parts: [{ thinking: "a" }, { block: fallback }, { thinking: "b" }, { text: "Done." }] }, {}, {}],
    });
    const question = text("user", "Go.");
    const reply = await replyTo(sim, [question]);
    const next = text("user", "On.");
    expect((await send(sim, [question, reply, next], {}, "server-side-fallback-2026-07-01")).status).toBe(200);
    const refused = await send(sim, [question, { ...reply, content: reply.content.filter((block) => block.type !== "fallback") }, next]);
    expect(refused).toMatchObject({ status: 400, refusal: { rule: "AN-28", path: "messages.1.content" } });
  });
});
