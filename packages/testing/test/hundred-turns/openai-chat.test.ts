import type { ObjectValue, Wire } from "@tidemark/core";
import { type DialectName, openaiChat } from "@tidemark/core/openai-chat";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { seededActor } from "../../src/simulator/actor.ts";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import type { CacheAccount } from "../../src/simulator/simulated-request.ts";
import { playTurns, type SdkHost } from "./hundred-turns.ts";

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;

const tools = ["read", "write"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));

/** By dialect: a model, and the smallest prefix and the block that its server reads (facts 8.1). */
const servers: Readonly<Record<DialectName, { readonly model: string; readonly block: number; readonly minimum: number }>> = {
  openai: { model: "gpt-5.4", block: 128, minimum: 1_024 },
  deepseek: { model: "deepseek-v4-pro", block: 1, minimum: 0 },
  openrouter: { model: "openai/gpt-5.4", block: 128, minimum: 1_024 },
  mistral: { model: "mistral-medium-latest", block: 64, minimum: 64 },
  cerebras: { model: "gpt-oss-120b", block: 128, minimum: 128 },
  groq: { model: "openai/gpt-oss-120b", block: 128, minimum: 128 },
  kimi: { model: "kimi-k3", block: 128, minimum: 128 },
  qwen: { model: "qwen3-max", block: 128, minimum: 128 },
  xai: { model: "grok-4.7", block: 128, minimum: 128 },
  vllm: { model: "qwen3-32b", block: 16, minimum: 16 },
  sglang: { model: "qwen3-32b", block: 1, minimum: 1 },
  "llama-cpp": { model: "qwen3-8b", block: 1, minimum: 1 },
};

function hostOf(dialect: DialectName): SdkHost {
  const { model, block, minimum } = servers[dialect];
  const wire = openaiChat({ dialect });
  // A server of one's own has the window that it was started with.
  const profiles = { [model]: { context: 1_000_000 } };
  const simulator = openaiChatSimulator({
    dialect,
    profiles,
    seed: dialect,
    script: seededActor({ seed: dialect, hides: 0, finishes: 0.4 }),
  });
  const client = new OpenAI({ apiKey: "none", fetch: simulator.fetch, maxRetries: 0 });
  return {
    wire: wire as unknown as Wire,
    simulator,
    request: (messages) => ({ model, tools, messages: [{ role: "system", content: "You work on files." }, ...messages] }),
    send: async (request, streamed) => {
      if (!streamed) return client.chat.completions.create(request as Chat);
      const accumulator = wire.accumulator();
      const body = { ...(request as Chat), stream: true as const, stream_options: { include_usage: true } };
      for await (const chunk of await client.chat.completions.create(body)) accumulator.add(chunk);
      return accumulator.reply().reply;
    },
    user: (content) => ({ role: "user", content }),
    results: (results) => results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })),
    readable: (before: CacheAccount) => {
      // The last token is always evaluated.
      const tokens = block === 1 ? before.prompt - 1 : Math.floor(before.prompt / block) * block;
      return tokens < minimum ? 0 : tokens;
    },
  };
}

describe("a session through the official SDK", () => {
  it.each(Object.keys(servers) as readonly DialectName[])(
    "keeps the prompt of %s warm for 100 requests, and none is refused",
    async (dialect) => {
      const host = hostOf(dialect);
      const { calls } = await playTurns(host, "hundred", { strict: dialect !== "mistral" });
      expect(calls).toBeGreaterThan(50);
      const reasons = host.simulator.requests.some(({ reply }) => JSON.stringify(reply as ObjectValue).includes('"reasoning'));
      expect(reasons || dialect === "mistral").toBe(true);
    },
  );
});
