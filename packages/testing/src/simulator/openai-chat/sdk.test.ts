import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { Listening } from "../listen.ts";
import type { ScriptedReply } from "../script.ts";
import type { Simulator } from "../simulator.ts";
import { openaiChatSimulator } from "./server.ts";

const clientOf = (sim: Simulator) => new OpenAI({ apiKey: "x", fetch: sim.fetch, maxRetries: 0 });
const reply: ScriptedReply = {
  thinking: "Which file?",
  text: "I read both. 🙂",
  calls: [
    { name: "read", input: { path: "a.ts", "from-line": 1 } },
    { name: "read", input: { path: "b.ts" }, id: "call_b" },
  ],
};
const request = {
  model: "gpt-5.4",
  tools: [{ type: "function" as const, function: { name: "read", parameters: { type: "object" } } }],
  messages: [{ role: "user" as const, content: "Read a.ts and b.ts." }],
};

describe("the official SDK", () => {
  it("creates a completion, and the simulator keeps what it received", async () => {
    const sim = openaiChatSimulator({ script: [reply] });
    const completion = await clientOf(sim).chat.completions.create(request);
    const message = completion.choices[0]?.message;
    expect(message?.content).toBe("I read both. 🙂");
    expect(message?.tool_calls?.map((call) => call.id)).toEqual([expect.stringMatching(/^call_.{24}$/), "call_b"]);
    expect(message?.tool_calls?.[0]).toMatchObject({ function: { name: "read", arguments: '{"path":"a.ts","from-line":1}' } });
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(completion.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    expect(completion._request_id).toMatch(/^req_/);
    expect(sim.requests[0]?.text).toBe(JSON.stringify(request));
    expect(sim.requests[0]?.path).toBe("/v1/chat/completions");
  });

  it("streams the same completion chunk by chunk, usage last", async () => {
    const whole = await clientOf(openaiChatSimulator({ script: [reply] })).chat.completions.create(request);
    const client = clientOf(openaiChatSimulator({ script: [reply, reply] }));
    const completion = await client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion();
    expect(completion.choices[0]?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? []);
    expect(completion.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    expect(completion.usage).toEqual(whole.usage);
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) chunks.push(chunk);
    expect(chunks.every((chunk) => chunk.usage === undefined && chunk.choices.length === 1)).toBe(true);
  });

  it("goes on with what it was given", async () => {
    const sim = openaiChatSimulator({ script: [reply, { text: "Both are empty." }] });
    const client = clientOf(sim);
    const [choice] = (await client.chat.completions.create(request)).choices;
    const calls = choice?.message.tool_calls ?? [];
    const results = calls.map((call) => ({ role: "tool" as const, tool_call_id: call.id, content: "" }));
    const messages = [...request.messages, ...(choice === undefined ? [] : [choice.message]), ...results];
    expect((await client.chat.completions.create({ ...request, messages })).choices[0]?.message.content).toBe("Both are empty.");
  });

  it("gets the provider's errors as its own", async () => {
    const sim = openaiChatSimulator({ script: [{ error: { status: 500 } }, { error: { status: 429 } }, { error: "network" }] });
    const client = clientOf(sim);
    await expect(client.chat.completions.create(request)).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(client.chat.completions.create(request)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(client.chat.completions.create(request)).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    await expect(client.chat.completions.create({ ...request, messages: [] })).rejects.toMatchObject({
      status: 400,
      code: "empty_array",
      param: "messages",
    });
  });

  it("sees a stream that breaks off", async () => {
    const client = clientOf(openaiChatSimulator({ script: [{ ...reply, cut: { after: 3 } }] }));
    await expect(client.chat.completions.stream(request).finalChatCompletion()).rejects.toThrow();
  });
});

describe("reasoning in a reply", () => {
  const fieldsOf = async (dialect: "openai" | "deepseek" | "cerebras" | "mistral") => {
    const { reply: answer, events } = await openaiChatSimulator({ dialect, script: [{ thinking: "So.", text: "Yes." }] }).handle({
      ...request,
      stream: true,
    });
    const { message } = (answer.choices as unknown as [{ message: Record<string, unknown> }])[0];
    return { message, streamed: JSON.stringify(events) };
  };

  it("stands where the dialect has it", async () => {
    expect((await fieldsOf("openai")).message).toEqual({ role: "assistant", content: "Yes.", refusal: null });
    const deepseek = await fieldsOf("deepseek");
    expect(deepseek.message).toMatchObject({ reasoning_content: "So.", content: "Yes." });
    expect(deepseek.streamed).toContain('"reasoning_content":"So."');
    expect((await fieldsOf("cerebras")).message).toMatchObject({ reasoning: "So.", content: "Yes." });
    expect((await fieldsOf("mistral")).message.content).toEqual([
      { type: "thinking", thinking: [{ type: "text", text: "So." }] },
      { type: "text", text: "Yes." },
    ]);
  });
});

describe("the loopback server", () => {
  let listening: Listening | undefined;
  afterEach(async () => {
    await listening?.close();
    listening = undefined;
  });

  it("answers clients that take an address", async () => {
    listening = await openaiChatSimulator({ script: [reply, reply] }).listen();
    const client = new OpenAI({ apiKey: "x", baseURL: `${listening.url}/v1`, maxRetries: 0 });
    expect((await client.chat.completions.create(request)).choices[0]?.finish_reason).toBe("tool_calls");
    expect((await client.chat.completions.stream(request).finalChatCompletion()).choices[0]?.finish_reason).toBe("tool_calls");
  });
});

it("what is no request is answered in the provider's form", async () => {
  const post = (body: string, path = "/v1/chat/completions") =>
    openaiChatSimulator().fetch(`https://api.example${path}`, { method: "POST", body });
  expect((await post("{")).status).toBe(400);
  expect((await post("{}")).status).toBe(400);
  expect((await post(JSON.stringify(request), "/v1/responses")).status).toBe(404);
});

it("a recorded reply goes out as it was", async () => {
  const message = {
    role: "assistant",
    content: null,
    reasoning_content: "Old.",
    tool_calls: [{ id: "call_old", type: "function", function: { name: "read", arguments: '{ "a" : 1 }' } }],
  };
  const { reply: answer } = await openaiChatSimulator({ dialect: "deepseek", script: [{ message }] }).handle(request);
  expect(answer.choices).toMatchObject([{ message, finish_reason: "tool_calls" }]);
});
