import Anthropic from "@anthropic-ai/sdk";
import type { Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { describe, expect, it } from "vitest";
import { seededActor } from "../../src/simulator/actor.ts";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { playTurns, type SdkHost } from "./hundred-turns.ts";

const tools = ["read", "write"].map((name) => ({ name, input_schema: { type: "object" as const } }));

function hostOf(model: string): SdkHost {
  const simulator = anthropicSimulator({ seed: model, mode: "error", script: seededActor({ seed: model, finishes: 0.4 }) });
  const client = new Anthropic({ apiKey: "none", fetch: simulator.fetch, maxRetries: 0 });
  const picture = (text: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data: btoa(text) } });
  return {
    wire: anthropic() as unknown as Wire,
    simulator,
    request: (messages) => ({ model, max_tokens: 4_000, system: "You work on files.", tools, messages }),
    send: async (request, streamed) => {
      const body = request as Anthropic.MessageCreateParamsNonStreaming;
      if (!streamed) return client.messages.create(body);
      const accumulator = anthropic().accumulator();
      for await (const event of await client.messages.create({ ...body, stream: true })) accumulator.add(event);
      return accumulator.reply().reply;
    },
    // The first picture of a conversation loses what was cached of its messages (facts 1.11), so that there is one from the start.
    user: (text, chance) => ({
      role: "user",
      content: text.startsWith("Question 0:") || chance.happens(0.1) ? [{ type: "text", text }, picture(text)] : text,
    }),
    results: (results) => [
      { role: "user", content: results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })) },
    ],
    readable: ({ breakpoints }) => Math.max(0, ...breakpoints.filter(({ writable }) => writable).map(({ tokens }) => tokens)),
  };
}

describe("a session through the official SDK", () => {
  it.each(["claude-opus-5-5", "claude-sonnet-4-5"])("keeps the prompt of %s warm for 100 requests, and none is refused", async (model) => {
    const host = hostOf(model);
    const { calls } = await playTurns(host, "hundred");
    expect(calls).toBeGreaterThan(50);
  });
});
