import { type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import { createSession, type ObjectValue, type Wire } from "@tidemark/core";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { afterEach, describe, expect, it } from "vitest";
import { seededActor } from "../../src/simulator/actor.ts";
import { chanceOf } from "../../src/simulator/chance.ts";
import { blockTokens } from "../../src/simulator/gemini/cache.ts";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import type { Listening } from "../../src/simulator/listen.ts";
import { playTurns, type SdkHost } from "./hundred-turns.ts";

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

const config = {
  // Longer than the least prefix that is cached.
  systemInstruction: "You read the files of a harbour office and say what stands in them. ".repeat(300),
  tools: [{ functionDeclarations: ["read", "write"].map((name) => ({ name, parametersJsonSchema: { type: "object" } })) }],
  thinkingConfig: { includeThoughts: true },
};

async function hostOf(model: string, seed: string): Promise<SdkHost> {
  const simulator = geminiSimulator({ seed, script: seededActor({ seed, thinks: 0.8, finishes: 0.4 }) });
  listening = await simulator.listen();
  const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: listening.url } });
  return {
    wire: gemini() as unknown as Wire,
    simulator,
    request: (contents) => ({ model, contents, config }),
    send: async (request, streamed) => {
      if (!streamed) return models.generateContent(request as GenerateContentParameters);
      const accumulator = gemini().accumulator();
      for await (const chunk of await models.generateContentStream(request as GenerateContentParameters)) accumulator.add(chunk);
      return accumulator.reply().reply;
    },
    user: (text, chance) =>
      chance.happens(0.1)
        ? { role: "user", parts: [{ text }, { inlineData: { mimeType: "image/png", data: btoa(text) } }] }
        : { role: "user", parts: [{ text }] },
    results: (results) => [
      { role: "user", parts: results.map(({ name, text }) => ({ functionResponse: { name, response: { output: text } } })) },
    ],
    readable: ({ prompt }) => Math.floor(prompt / blockTokens) * blockTokens,
  };
}

/** The same server by its other surface, each request with all of its steps. */
async function interactionsHostOf(model: string, seed: string): Promise<SdkHost> {
  const simulator = geminiSimulator({ seed, script: seededActor({ seed, thinks: 0.8, finishes: 0.4 }) });
  listening = await simulator.listen();
  const { interactions } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: listening.url } });
  const tools = ["read", "write"].map((name) => ({ type: "function" as const, name, parameters: { type: "object" } }));
  return {
    wire: geminiInteractions() as unknown as Wire,
    simulator,
    request: (input) => ({ model, input, system_instruction: config.systemInstruction, tools, store: false }),
    send: async (request, streamed) => {
      const asked = request as { readonly model: string; readonly input: [] };
      if (!streamed) return interactions.create({ ...asked, stream: false });
      const accumulator = geminiInteractions().accumulator();
      for await (const event of await interactions.create({ ...asked, stream: true })) accumulator.add(event);
      return accumulator.reply().reply;
    },
    user: (text, chance) => {
      const picture = { type: "image", mime_type: "image/png", data: btoa(text) };
      return { type: "user_input", content: [{ type: "text", text }, ...(chance.happens(0.1) ? [picture] : [])] };
    },
    results: (results) => results.map(({ id, name, text }) => ({ type: "function_result", call_id: id, name, result: text })),
    readable: ({ prompt }) => Math.floor(prompt / blockTokens) * blockTokens,
  };
}

describe("a session through the official SDK", () => {
  it("keeps the prompt of interactions warm for 100 requests, refused nothing", async () => {
    const { calls } = await playTurns(await interactionsHostOf("gemini-3.8-flash", "steps"), "hundred");
    expect(calls).toBeGreaterThan(50);
  });

  it.each(["gemini-3.8-flash", "gemini-2.5-flash"])("keeps the prompt of %s warm for 100 requests, refused nothing", async (model) => {
    const { calls } = await playTurns(await hostOf(model, `harbour ${model}`), "hundred");
    expect(calls).toBeGreaterThan(50);
  });

  it("gives signatures back that the host's store loses, and puts results into the order of their calls", async () => {
    const { wire, simulator, request, send } = await hostOf("gemini-3.8-flash", "lossy");
    const session = createSession({ wire, strict: true, selfCheck: true });
    const chance = chanceOf("lossy");
    const history: ObjectValue[] = [];
    for (let number = 0; number < 60; number++) {
      const calls = partsOf(history.at(-1)).flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [functionCall as ObjectValue],
      );
      const results = calls.map(({ id = null, name = null }) => ({
        functionResponse: { id, name, response: { output: `Line ${chance.token(9)}.` } },
      }));
      const parts = calls.length === 0 ? [{ text: `Question ${number}?` }] : chance.happens(0.5) ? results.toReversed() : results;
      history.push({ role: "user", parts });
      const turn = await session.prepare(request(structuredClone(history)));
      expect(turn.continuity.checkpoints).toEqual([]);
      const reply = await send(turn.request, false);
      turn.settle(reply);
      for (const message of wire.readReply(reply).messages) history.push(chance.happens(0.5) ? unsigned(message) : message);
    }
    expect(simulator.requests.map(({ refusal }) => refusal)).toEqual(Array.from({ length: 60 }, () => undefined));
    const sent = simulator.requests.at(-1)?.body.contents as readonly ObjectValue[];
    const replies = sent.filter(({ role }) => role === "model").flatMap(partsOf);
    expect(replies.filter(({ thoughtSignature }) => typeof thoughtSignature === "string")).toHaveLength(59);
    expect(JSON.stringify(replies)).not.toContain("skip_thought_signature_validator");
  });
});

function partsOf(content: ObjectValue | undefined): readonly ObjectValue[] {
  return (content?.parts ?? []) as readonly ObjectValue[];
}

function unsigned(content: ObjectValue): ObjectValue {
  const parts = partsOf(content).map(({ thoughtSignature: _signature, ...rest }) => rest);
  return { ...content, parts } as ObjectValue;
}
