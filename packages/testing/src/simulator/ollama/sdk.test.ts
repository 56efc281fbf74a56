import { Ollama } from "ollama";
import { describe, expect, it } from "vitest";
import type { ScriptedReply } from "../script.ts";
import type { Simulator } from "../simulator.ts";
import { type OllamaSimulatorOptions, ollamaSimulator } from "./server.ts";

const clientOf = (simulator: Simulator): Ollama => new Ollama({ fetch: simulator.fetch as typeof fetch });
const reply: ScriptedReply = {
  thinking: "Which file?",
  text: "I read both. 🙂",
  calls: [
    { name: "read", input: { path: "a.ts", "from-line": 1 } },
    { name: "read", input: { path: "b.ts" } },
  ],
};
const request = { model: "qwen3:8b", messages: [{ role: "user", content: "Read a.ts and b.ts." }] };
const asked = (options: OllamaSimulatorOptions, more: object = {}) => {
  const simulator = ollamaSimulator(options);
  return { simulator, answer: clientOf(simulator).chat({ ...request, ...more, stream: false }) };
};

describe("the official SDK", () => {
  it("chats, and the simulator keeps what it received", async () => {
    const { simulator, answer } = asked({ script: [reply] });
    const { message, done, prompt_eval_count, eval_count, prompt_eval_duration } = await answer;
    expect(message).toEqual({
      role: "assistant",
      content: "I read both. 🙂",
      thinking: "Which file?",
      tool_calls: [
        { id: expect.stringMatching(/^call_.{8}$/), function: { index: 0, name: "read", arguments: { path: "a.ts", "from-line": 1 } } },
        { id: expect.stringMatching(/^call_.{8}$/), function: { index: 1, name: "read", arguments: { path: "b.ts" } } },
      ],
    });
    expect(done).toBe(true);
    expect(Math.min(prompt_eval_count, eval_count, prompt_eval_duration)).toBeGreaterThan(0);
    expect(simulator.requests[0]?.text).toBe(JSON.stringify({ ...request, stream: false }));
  });

  it("streams the same reply line by line, figures last", async () => {
    const whole = await asked({ script: [reply] }).answer;
    const lines = [];
    for await (const line of await clientOf(ollamaSimulator({ script: [reply] })).chat({ ...request, stream: true })) lines.push(line);
    expect(lines.map(({ message }) => message.content).join("")).toBe(whole.message.content);
    expect(lines.map(({ message }) => message.thinking ?? "").join("")).toBe(whole.message.thinking);
    expect(lines.flatMap(({ message }) => message.tool_calls ?? [])).toEqual(whole.message.tool_calls);
    expect(lines.filter(({ done }) => done)).toEqual([lines.at(-1)]);
    expect(lines.at(-1)).toMatchObject({ done_reason: "stop", prompt_eval_count: whole.prompt_eval_count });
  });

  it("gets the server's errors as its own", async () => {
    const script = [{ error: { status: 500 } }, { error: "network" as const }];
    const client = clientOf(ollamaSimulator({ script, models: ["qwen3:8b"] }));
    await expect(client.chat(request)).rejects.toMatchObject({ name: "ResponseError", status_code: 500 });
    await expect(client.chat(request)).rejects.toThrow("fetch failed");
    await expect(client.chat({ ...request, model: "qwen3" })).rejects.toMatchObject({
      status_code: 404,
      error: "model 'qwen3' not found",
    });
    const parts = [{ role: "user", content: [{ type: "text", text: "Hi." }] as unknown as string }];
    await expect(client.chat({ ...request, messages: parts })).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringMatching(/^json: cannot unmarshal array/),
    });
  });

  it("sees a stream that breaks off", async () => {
    const client = clientOf(
      ollamaSimulator({
        script: [
          { ...reply, cut: { after: 2 } },
          { ...reply, cut: { after: 2, cleanly: true } },
        ],
      }),
    );
    const read = async () => {
      for await (const _ of await client.chat({ ...request, stream: true }));
    };
    await expect(read()).rejects.toThrow();
    await expect(read()).rejects.toThrow("Did not receive done");
  });
});

describe("the window", () => {
  const system = { role: "system", content: "Be brief." };
  const long = (role: string, count: number) => ({ role, content: "word ".repeat(count) });
  const calling = { role: "assistant", content: "", tool_calls: [{ function: { name: "read", arguments: {} } }] };
  const result = { role: "tool", tool_name: "read", content: "word ".repeat(300) };
  const sent = async (messages: object[], num_ctx: number) => {
    const {
      reply: answer,
      truncated,
      cache,
    } = await ollamaSimulator().handle({ ...request, stream: false, options: { num_ctx }, messages });
    return { dropped: truncated, prompt: cache?.prompt, reported: answer.prompt_eval_count };
  };

  it("drops the oldest messages, never the system text nor the last one", async () => {
    const messages = [system, long("user", 400), long("assistant", 400), long("user", 400)];
    expect(await sent(messages, 2_048)).toMatchObject({ dropped: 0 });
    const cut = await sent(messages, 1_050);
    expect(cut).toMatchObject({ dropped: 1 });
    expect(cut.prompt).toBeLessThanOrEqual(1_050);
    expect(cut.reported).toBe(cut.prompt);
    expect(await sent(messages, 100)).toMatchObject({ dropped: 2 });
  });

  it("keeps results with the reply that called", async () => {
    expect(await sent([system, long("user", 400), calling, result], 500)).toMatchObject({ dropped: 1 });
    expect(await sent([system, long("user", 400), calling, result], 100)).toMatchObject({ dropped: 1 });
  });

  it("of a request that names none is the server's own", async () => {
    const simulator = ollamaSimulator({ windowTokens: 1_024 });
    const { truncated } = await simulator.handle({ ...request, messages: [long("user", 800), long("user", 800)] });
    expect(truncated).toBe(1);
  });
});

describe("the cache", () => {
  const turn = (more: object = {}, ...words: string[]) => ({
    ...request,
    stream: false,
    options: { num_ctx: 8_192 },
    messages: words.map((content) => ({ role: "user", content: content.repeat(100) })),
    ...more,
  });

  it("is the last prompt of a loaded model, and another num_ctx empties it", async () => {
    const simulator = ollamaSimulator();
    const read = async (body: object) => (await simulator.handle(body)).cache?.read ?? 0;
    expect(await read(turn({}, "one "))).toBe(0);
    expect(await read(turn({}, "one ", "two "))).toBeGreaterThan(100);
    expect(await read(turn({ options: { num_ctx: 8_192, temperature: 0 } }, "one ", "two ", "three "))).toBeGreaterThan(200);
    expect(await read(turn({ options: { num_ctx: 8_704 } }, "one ", "two ", "three "))).toBe(0);
    expect(await read(turn({ options: { num_ctx: 8_704 }, model: "gpt-oss:20b" }, "one "))).toBe(0);
  });
});
