import { type Content, type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import { gemini } from "@tidemark/core/gemini";
import { afterEach, describe, expect, it } from "vitest";
import type { Listening } from "../listen.ts";
import type { ScriptedReply } from "../script.ts";
import type { Simulator } from "../simulator.ts";
import { geminiSimulator } from "./server.ts";

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

async function clientOf(sim: Simulator): Promise<GoogleGenAI> {
  listening = await sim.listen();
  return new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: listening.url } });
}

const reply: ScriptedReply = {
  parts: [
    { thinking: "Which file, and why? 🙂" },
    { text: "I read both." },
    { call: { name: "read", input: { path: "a.ts", "from-line": 1 } } },
    { call: { name: "read", input: { path: "b.ts" }, id: "own" } },
  ],
};
const request: GenerateContentParameters = {
  model: "gemini-3.8-flash",
  contents: [{ role: "user", parts: [{ text: "Read a.ts and b.ts." }] }],
  config: {
    systemInstruction: "You read files.",
    tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] }],
    thinkingConfig: { includeThoughts: true },
    maxOutputTokens: 1_000,
  },
};

describe("the official SDK", () => {
  it("generates content, and the simulator keeps what it received", async () => {
    const sim = geminiSimulator({ script: [reply] });
    const answer = await (await clientOf(sim)).models.generateContent(request);
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    expect(parts[0]).toEqual({ text: "Which file, and why? 🙂", thought: true });
    expect(parts[1]).toEqual({ text: "I read both." });
    expect(answer.functionCalls?.map(({ id }) => id)).toEqual([expect.stringMatching(/^.{8}$/), "own"]);
    expect(parts.map(({ thoughtSignature }) => thoughtSignature !== undefined)).toEqual([false, false, true, false]);
    expect(answer.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0);
    expect(answer.usageMetadata?.cachedContentTokenCount).toBeUndefined();
    const [received] = sim.requests;
    expect(received).toMatchObject({
      path: expect.stringMatching(/^\/v1(beta)?\/models\/gemini-3.8-flash:generateContent$/),
      status: 200,
      refusal: undefined,
    });
    expect(received?.body).toMatchObject({
      systemInstruction: { parts: [{ text: "You read files." }] },
      generationConfig: { maxOutputTokens: 1_000 },
    });
  });

  it("streams the same words, with the signature of a reply without calls on an empty text", async () => {
    const sim = geminiSimulator({ script: [reply, { text: "All of it is empty, both files are, from the first line to the last." }] });
    const client = await clientOf(sim);
    const [calls, words] = [await streamed(client, request), await streamed(client, request)];
    expect(calls.filter(({ functionCall }) => functionCall !== undefined)).toHaveLength(2);
    expect(words.length).toBeGreaterThan(3);
    expect(words.at(-1)).toEqual({ text: "", thoughtSignature: expect.any(String) });
    expect(sim.requests[1]?.reply).toMatchObject({ candidates: [{ finishReason: "STOP" }] });
  });

  it("gets the provider's errors as its own", async () => {
    const sim = geminiSimulator({ script: [{ error: { status: 500 } }, { error: { status: 429 } }] });
    const client = await clientOf(sim);
    await expect(client.models.generateContent(request)).rejects.toMatchObject({ name: "ApiError", status: 500 });
    await expect(client.models.generateContent(request)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining("RESOURCE_EXHAUSTED"),
    });
    const open = {
      ...request,
      contents: [...(request.contents as Content[]), { role: "model", parts: [{ functionCall: { name: "read" } }] }],
    };
    await expect(client.models.generateContent(open)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("function response parts"),
    });
  });

  it("says that a prompt was too long so that the wire knows it", async () => {
    const client = await clientOf(geminiSimulator({ profiles: { "gemini-3.8-flash": { context: 2_000 } } }));
    const long = { ...request, contents: "word ".repeat(4_000) };
    const error: unknown = await client.models.generateContent(long).catch((thrown: unknown) => thrown);
    expect(gemini().readOverflow(error)).toEqual({ tokens: expect.any(Number), limit: 2_000 });
  });

  it("counts tokens as the reply does", async () => {
    const client = await clientOf(geminiSimulator());
    const contents = [{ role: "user", parts: [{ text: "How far is the well?" }] }];
    const { totalTokens } = await client.models.countTokens({ model: "gemini-3.8-flash", contents });
    const { usageMetadata } = await client.models.generateContent({ model: "gemini-3.8-flash", contents });
    expect(usageMetadata?.promptTokenCount).toBe(totalTokens);
  });

  it("reads a cached content, which holds system text and tools in their place", async () => {
    const client = await clientOf(geminiSimulator());
    const model = "gemini-3.8-flash";
    const systemInstruction = "You know the harbour. ".repeat(1_000);
    const cache = await client.caches.create({ model, config: { systemInstruction, ttl: "300s" } });
    const asked = { model, contents: "How deep is it?", config: { cachedContent: cache.name ?? "" } };
    const { usageMetadata } = await client.models.generateContent(asked);
    expect(usageMetadata?.cachedContentTokenCount).toBe(cache.usageMetadata?.totalTokenCount);
    expect(usageMetadata?.promptTokenCount).toBeGreaterThan(cache.usageMetadata?.totalTokenCount ?? 0);
    const both = { ...asked, config: { ...asked.config, systemInstruction: "You swim." } };
    await expect(client.models.generateContent(both)).rejects.toMatchObject({
      message: expect.stringContaining("CachedContent can not be used"),
    });
    await expect(client.models.generateContent({ ...asked, model: "gemini-2.5-flash" })).rejects.toMatchObject({
      message: expect.stringContaining("has to be the same"),
    });
    await expect(client.caches.create({ model, config: { systemInstruction: "Short." } })).rejects.toMatchObject({
      message: expect.stringContaining("too small"),
    });
  });
});

async function streamed(client: GoogleGenAI, asked: GenerateContentParameters) {
  const parts = [];
  for await (const chunk of await client.models.generateContentStream(asked)) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  return parts;
}
