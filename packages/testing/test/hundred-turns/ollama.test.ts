import { createSession, type Wire } from "@tidemark/core";
import { ollama } from "@tidemark/core/ollama";
import { Ollama } from "ollama";
import { describe, expect, it } from "vitest";
import { seededActor } from "../../src/simulator/actor.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { playTurns, type SdkHost } from "./hundred-turns.ts";

type Chat = Parameters<Ollama["chat"]>[0];

const tools = ["read", "write"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
const clientOf = (simulator: Simulator): Ollama => new Ollama({ fetch: simulator.fetch as typeof fetch });

async function send(client: Ollama, request: object, streamed: boolean): Promise<object> {
  if (!streamed) return client.chat({ ...(request as Chat), stream: false });
  const accumulator = ollama().accumulator();
  for await (const line of await client.chat({ ...(request as Chat), stream: true })) accumulator.add(line);
  return accumulator.reply().reply;
}

function hostOf(seed: string, callIds: boolean): SdkHost {
  const simulator = ollamaSimulator({ seed, callIds, script: seededActor({ seed, hides: 0, finishes: 0.4 }) });
  const client = clientOf(simulator);
  return {
    wire: ollama() as unknown as Wire,
    simulator,
    request: (messages) => ({
      model: "gpt-oss:20b",
      think: "medium",
      options: { num_ctx: 65_536 },
      tools,
      messages: [{ role: "system", content: "You work on files." }, ...messages],
    }),
    send: (request, streamed) => send(client, request, streamed),
    user: (content, chance) =>
      chance.happens(0.1) ? { role: "user", content, images: [new TextEncoder().encode(content)] } : { role: "user", content },
    // As the official SDK's types have it: a result names its tool.
    results: (results) => results.map(({ name, text }) => ({ role: "tool", tool_name: name, content: text })),
    // Single tokens; the last one may have been cut short by the end of the prompt.
    readable: ({ prompt }) => prompt - 1,
  };
}

describe("a session through the official SDK", () => {
  it.each([
    ["that gives its calls ids", true],
    ["that gives them none", false],
  ])("keeps the prompt of a server %s warm for 100 requests, and nothing is cut", async (_, callIds) => {
    const { calls } = await playTurns(hostOf(`ollama ${callIds}`, callIds), "hundred");
    expect(calls).toBeGreaterThan(50);
  });
});

describe("a window that is too small", () => {
  const grown = async (num_ctx: number) => {
    const simulator = ollamaSimulator();
    const session = createSession({ wire: ollama() as unknown as Wire });
    const client = clientOf(simulator);
    const messages: object[] = [{ role: "system", content: "Be brief." }];
    for (let turn = 0; turn < 20; turn++) {
      messages.push({ role: "user", content: "word ".repeat(200) });
      const prepared = await session.prepare({ model: "qwen3:8b", options: { num_ctx }, messages: [...messages] });
      const reply = await send(client, prepared.request, false);
      prepared.settle(reply);
      messages.push((reply as { message: object }).message);
    }
    return simulator.requests;
  };

  it("loses its oldest messages without a word, and the simulator shows it", async () => {
    const requests = await grown(2_048);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    const first = requests.findIndex(({ truncated }) => truncated > 0);
    expect(first).toBeGreaterThan(0);
    // The prompt that the server made has another beginning: almost nothing of it is read.
    expect(requests[first]?.cache?.read).toBeLessThan((requests[first - 1]?.cache?.prompt ?? 0) / 2);
    expect(requests.at(-1)?.cache?.prompt).toBeLessThanOrEqual(2_048);
  });

  it("is not met when the request asks for enough", async () => {
    expect((await grown(16_384)).every(({ truncated }) => truncated === 0)).toBe(true);
  });
});
