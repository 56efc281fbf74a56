import { type Content, GoogleGenAI, type Part } from "@google/genai";
import { checkPrefixContinuity, type ObjectValue } from "@tidemark/core";
import { contextFetch, type SentRequest } from "@tidemark/core/fetch";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { describe, expect, it } from "vitest";
import { geminiSimulator, type Simulator } from "../src/index.ts";

const script = [
  { thinking: "Which one?", calls: [{ name: "read", input: { path: "a.ts", "from-line": 1 } }] },
  { text: "It is empty." },
  { text: "You are welcome." },
];
const at = "https://generativelanguage.googleapis.com/v1beta";
const headers = { "content-type": "application/json", "x-tidemark-session": "harbour" };

type Post = (path: string, body: object) => Promise<ObjectValue>;

function hostOf(simulator: Simulator): { readonly post: Post; readonly sent: SentRequest[]; readonly settled: unknown[] } {
  const sent: SentRequest[] = [];
  const settled: unknown[] = [];
  const fetch = contextFetch({
    wires: [gemini(), geminiInteractions()],
    fetch: simulator.fetch,
    onTurn: (turn) => sent.push(turn),
    onSettled: (turn) => settled.push(turn.settled),
  });
  const post: Post = async (path, body) => {
    const response = await fetch(`${at}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!path.includes("stream")) return JSON.parse(text) as ObjectValue;
    const accumulator = gemini().accumulator();
    for (const line of text.split("\n")) if (line.startsWith("data: ")) accumulator.add(JSON.parse(line.slice(6)) as object);
    return accumulator.reply().reply as ObjectValue;
  };
  return { post, sent, settled };
}

describe("contextFetch on Gemini", () => {
  it.each(["generateContent", "streamGenerateContent"])(
    "keeps a conversation of %s, and gives signatures back that the host lost",
    async (method) => {
      const simulator = geminiSimulator({ script });
      const { post, sent, settled } = hostOf(simulator);
      const contents: ObjectValue[] = [];
      const tools = [{ functionDeclarations: [{ name: "read" }] }];
      const ask = async (...parts: readonly ObjectValue[]): Promise<readonly ObjectValue[]> => {
        contents.push({ role: "user", parts });
        const reply = await post(`models/gemini-3.8-flash:${method}`, { contents, tools });
        const [candidate] = reply.candidates as readonly { readonly content: ObjectValue }[];
        const said = (candidate?.content.parts ?? []) as readonly ObjectValue[];
        contents.push({ role: "model", parts: said.map(({ thoughtSignature: _signature, ...part }) => part) } as ObjectValue);
        return said;
      };
      const [called] = await ask({ text: "Read a.ts." });
      await ask({ functionResponse: { name: "read", response: { output: "" } } });
      await ask({ text: "Thank you." });
      expect(simulator.requests.map(({ status, path, body }) => [status, path, body.model])).toEqual(
        Array.from({ length: 3 }, () => [200, `/v1beta/models/gemini-3.8-flash:${method}`, undefined]),
      );
      expect(sent.map(({ id, turn }) => [id, turn.continuity.checkpoints])).toEqual(Array.from({ length: 3 }, () => ["harbour", []]));
      expect(settled).toHaveLength(3);
      const last = simulator.requests[2]?.body.contents as readonly { readonly parts: readonly ObjectValue[] }[];
      expect(last[1]?.parts[0]).toEqual(called);
      expect(called?.thoughtSignature).toEqual(expect.any(String));
    },
  );

  it("keeps a conversation of interactions, and leaves one alone that the server holds", async () => {
    const simulator = geminiSimulator({ script: [{ thinking: "Hm.", text: "Far." }, { text: "Near." }, { text: "So." }] });
    const { post, sent } = hostOf(simulator);
    const question = (text: string): ObjectValue => ({ type: "user_input", content: [{ type: "text", text }] });
    const input: ObjectValue[] = [question("How far?")];
    const reply = await post("interactions", { model: "gemini-3.8-flash", input, store: false });
    // The host keeps the words alone.
    input.push(...(reply.steps as readonly ObjectValue[]).filter(({ type }) => type !== "thought"), question("And this?"));
    await post("interactions", { model: "gemini-3.8-flash", input, store: false });
    const sentSteps = (simulator.requests[1]?.body.input ?? []) as readonly ObjectValue[];
    expect(sentSteps.map(({ type }) => type)).toEqual(["user_input", "thought", "model_output", "user_input"]);
    const held = { model: "gemini-3.8-flash", input: "And that?", previous_interaction_id: "v1_a" };
    await post("interactions", held);
    expect(simulator.requests[2]?.body).toEqual(held);
    expect(sent).toHaveLength(2);
  });

  it("leaves a request alone that names a cached content", async () => {
    const simulator = geminiSimulator();
    const { post, sent } = hostOf(simulator);
    const body = { contents: [{ role: "user", parts: [{ text: "Hello." }] }], cachedContent: "cachedContents/gone" };
    expect(await post("models/gemini-3.8-flash:generateContent", body)).toMatchObject({ error: { code: 403 } });
    expect(simulator.requests[0]?.body).toEqual(body);
    expect(sent).toEqual([]);
  });
});

describe("contextFetch under Google's SDK", () => {
  it.each([false, true])("keeps a conversation whose store lost the thoughts and their signatures (streaming: %s)", async (streams) => {
    const simulator = geminiSimulator({
      script: (_request, position) =>
        position % 2 === 1
          ? { thinking: `It is done ${position}.`, text: `Done ${position}.` }
          : { thinking: `Which ${position}?`, calls: [{ name: "read", input: { path: `${position}.ts` } }] },
    });
    const settled: unknown[] = [];
    const fetch = contextFetch({
      wires: [gemini()],
      session: () => "harbour",
      fetch: simulator.fetch,
      onSettled: ({ settled: { usage } }) => settled.push(usage.output),
    });
    const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { fetch } });
    const contents: Content[] = [{ role: "user", parts: [{ text: "Read." }] }];
    for (let step = 0; step < 6; step++) {
      const config = { tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] }] };
      const request = { model: "gemini-3.8-flash", contents, config };
      const parts: Part[] = [];
      if (streams) for await (const { candidates } of await models.generateContentStream(request)) parts.push(...partsOf(candidates));
      else parts.push(...partsOf((await models.generateContent(request)).candidates));
      const visible = parts.filter(({ thought }) => thought !== true).map(({ thoughtSignature: _signature, ...part }) => part);
      contents.push({ role: "model", parts: visible.filter(({ text }) => text !== "") });
      const results = visible.flatMap(({ functionCall: call }) =>
        call === undefined
          ? []
          : [{ functionResponse: { ...(call.id !== undefined && { id: call.id }), name: "read", response: { output: "Text." } } }],
      );
      contents.push({ role: "user", parts: results.length > 0 ? results : [{ text: "More." }] });
    }
    expect(simulator.requests.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(settled).toHaveLength(6);
    const bodies = simulator.requests.map(({ path, body }) => ({ model: path, ...body }));
    for (const [at, body] of bodies.slice(1).entries())
      expect(checkPrefixContinuity(bodies[at] ?? {}, body, { wire: gemini() }).verdict).toBe("continues");
    expect(JSON.stringify(bodies.at(-1)).match(/"thoughtSignature":"/g)?.length).toBeGreaterThanOrEqual(3);
  });
});

function partsOf(candidates: readonly { readonly content?: Content }[] | undefined): readonly Part[] {
  return candidates?.[0]?.content?.parts ?? [];
}
