import { ConverseCommand, type ConverseCommandInput, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import type { Wire } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { describe, expect, it } from "vitest";
import { seededActor } from "../../src/simulator/actor.ts";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { bedrockClient } from "../bedrock-client.ts";
import { playTurns, type SdkHost } from "./hundred-turns.ts";

const tools = ["read", "write"].map((name) => ({ toolSpec: { name, inputSchema: { json: { type: "object" } } } }));

function hostOf(modelId: string): SdkHost {
  const simulator = bedrockSimulator({ seed: modelId, script: seededActor({ seed: modelId, finishes: 0.4 }) });
  const client = bedrockClient(simulator);
  const minimum = bedrock().profile(modelId).cacheTokensMin ?? 0;
  return {
    wire: bedrock() as unknown as Wire,
    simulator,
    request: (messages) => ({
      modelId,
      system: [{ text: "You work on files." }],
      toolConfig: { tools },
      inferenceConfig: { maxTokens: 4_000 },
      messages,
    }),
    send: async (request, streamed) => {
      if (!streamed) return client.send(new ConverseCommand(request as ConverseCommandInput));
      const accumulator = bedrock().accumulator();
      const { stream } = await client.send(new ConverseStreamCommand(request as ConverseCommandInput));
      for await (const event of stream ?? []) accumulator.add(event);
      return accumulator.reply().reply;
    },
    // The first picture of a conversation loses what was cached of its messages (facts 1.11), so that there is one from the start.
    user: (text, chance) => ({
      role: "user",
      content:
        text.startsWith("Question 0:") || chance.happens(0.1)
          ? [{ text }, { image: { format: "png", source: { bytes: new TextEncoder().encode(text) } } }]
          : [{ text }],
    }),
    results: (results) => [
      { role: "user", content: results.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })) },
    ],
    // The last point of the request before, where the prefix was long enough to be written.
    readable: ({ breakpoints }) =>
      Math.max(0, ...breakpoints.filter(({ writable, tokens }) => writable && tokens >= minimum).map(({ tokens }) => tokens)),
  };
}

describe("a session through the official SDK", () => {
  it.each(["us.anthropic.claude-opus-5-5", "anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-pro-v1:0"])(
    "keeps the prompt of %s warm for 100 requests, and none is refused",
    async (modelId) => {
      const host = hostOf(modelId);
      const { calls } = await playTurns(host, "hundred");
      expect(calls).toBeGreaterThan(50);
      const last = host.simulator.requests.at(-1)?.cache;
      expect(last?.read).toBeGreaterThan((last?.prompt ?? 0) * 0.9);
    },
  );
});
