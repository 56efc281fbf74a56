import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import type { Listening } from "../listen.ts";
import type { ScriptedReply } from "../script.ts";
import type { Simulator } from "../simulator.ts";
import { anthropicSimulator } from "./server.ts";

const clientOf = (sim: Simulator) => new Anthropic({ apiKey: "x", fetch: sim.fetch, maxRetries: 0 });
const reply: ScriptedReply = {
  parts: [
    { thinking: "Which file, and why? 🙂" },
    { text: "I read both." },
    { call: { name: "read", input: { path: "a.ts", "from-line": 1 } } },
    { call: { name: "read", input: { path: "b.ts" } } },
  ],
};
const request = {
  model: "claude-opus-5-5",
  max_tokens: 1_000,
  tools: [{ name: "read", input_schema: { type: "object" as const } }],
  messages: [{ role: "user" as const, content: "Read a.ts and b.ts." }],
};

describe("the official SDK", () => {
  it("creates a message, and the simulator keeps what it received", async () => {
    const sim = anthropicSimulator({ script: [reply] });
    const message = await clientOf(sim).messages.create(request);
    expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage.input_tokens).toBe(sim.requests[0]?.cache?.uncached);
    expect(message._request_id).toMatch(/^req_/);
    const [received] = sim.requests;
    expect(received?.text).toBe(JSON.stringify(request));
    expect(received?.body).toEqual(request);
    expect(received?.headers["anthropic-version"]).toBe("2026-10-21");
    expect(received).toMatchObject({ position: 0, path: "/v1/messages", status: 200, refusal: undefined });
  });

  it("streams the same message event by event", async () => {
    const whole = await clientOf(anthropicSimulator({ script: [reply] })).messages.create(request);
    const sim = anthropicSimulator({ script: [reply] });
    const types: string[] = [];
    const stream = clientOf(sim)
      .messages.stream(request)
      .on("streamEvent", (event) => types.push(event.type));
    const message = await stream.finalMessage();
    expect(message.content).toEqual(whole.content);
    expect(message.usage).toEqual(whole.usage);
    expect(message.id).toBe(whole.id);
    expect(types[0]).toBe("message_start");
    expect(types.filter((type) => type === "content_block_start")).toHaveLength(4);
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(sim.requests[0]?.reply).toMatchObject({ content: whole.content });
  });

  it("goes on with what it was given, thinking and calls included", async () => {
    const sim = anthropicSimulator({ script: [reply, { text: "Both are empty." }] });
    const client = clientOf(sim);
    const message = await client.messages.stream(request).finalMessage();
    const results = message.content.flatMap((block) =>
      block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "" }] : [],
    );
    const next = await client.messages.create({
      ...request,
      messages: [...request.messages, { role: "assistant", content: message.content }, { role: "user", content: results }],
    });
    expect(next.content).toMatchObject([{ type: "text", text: "Both are empty." }]);
  });

  it("counts tokens under the same rules, prefix check included", async () => {
    const sim = anthropicSimulator({ script: [{ thinking: "So.", text: "Yes." }] });
    const client = clientOf(sim);
    const { max_tokens: _cap, ...counted } = request;
    const answer = await client.messages.create(request);
    expect((await client.messages.countTokens(counted)).input_tokens).toBe(answer.usage.input_tokens);
    const changed = [
      { role: "user" as const, content: "Read c.ts." },
      { role: "assistant" as const, content: answer.content },
      { role: "user" as const, content: "And?" },
    ];
    await expect(client.messages.countTokens({ ...counted, messages: changed })).rejects.toMatchObject({ status: 400 });
    expect(sim.requests.at(-1)).toMatchObject({ path: "/v1/messages/count_tokens", refusal: { rule: "AN-13" } });
  });

  it("sends betas as a header, which `handle` does as well", async () => {
    const sim = anthropicSimulator();
    const betas = ["thinking-binding-controls-2026-08-01" as const];
    const message = await clientOf(sim).beta.messages.create({ ...request, betas });
    expect(message.input_transformations).toEqual([]);
    const direct = await sim.handle({ ...request, betas });
    expect(direct.reply.input_transformations).toEqual([]);
    expect(direct.body).toEqual(request);
  });

  it("gets the provider's errors as its own", async () => {
    const sim = anthropicSimulator({ script: [{ error: { status: 529 } }, { error: { status: 500 } }, { error: "network" }] });
    const client = clientOf(sim);
    await expect(client.messages.create(request)).rejects.toMatchObject({
      status: 529,
      error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    });
    await expect(client.messages.create({ ...request, stream: true })).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    await expect(client.messages.create(request)).rejects.toBeInstanceOf(Anthropic.APIConnectionError);
    await expect(client.messages.create({ ...request, model: "claude-none" })).rejects.toMatchObject({
      status: 404,
      error: { error: { type: "not_found_error", message: "model: claude-none" } },
    });
    await expect(client.messages.create({ ...request, messages: [] })).rejects.toMatchObject({
      status: 400,
      requestID: expect.stringMatching(/^req_/),
    });
    expect(sim.requests.map((received) => received.status)).toEqual([529, 500, 404, 400]);
  });

  it("sees a stream that breaks off", async () => {
    const sim = anthropicSimulator({
      script: [
        { ...reply, cut: { after: 5 } },
        { ...reply, cut: { after: 5, cleanly: true } },
      ],
    });
    const client = clientOf(sim);
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow();
    const events: string[] = [];
    for await (const event of await client.messages.create({ ...request, stream: true })) events.push(event.type);
    expect(events).not.toContain("message_stop");
  });

  it("hears an abort at once, while the script still waits", async () => {
    const sim = anthropicSimulator({ script: () => new Promise(() => {}) });
    const leaving = new AbortController();
    const waiting = clientOf(sim).messages.create(request, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 5);
    await expect(waiting).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
  });

  it("can leave a stream", async () => {
    const sim = anthropicSimulator({ script: [reply] });
    const stream = await clientOf(sim).messages.create({ ...request, stream: true });
    for await (const event of stream) if (event.type === "content_block_start") break;
    expect(sim.requests).toHaveLength(1);
  });
});

describe("the loopback server", () => {
  let listening: Listening | undefined;
  afterEach(async () => {
    await listening?.close();
    listening = undefined;
  });

  it("answers clients that take an address, whole and streamed", async () => {
    const sim = anthropicSimulator({ script: [reply, reply, { ...reply, cut: { after: 4 } }] });
    listening = await sim.listen();
    const client = new Anthropic({ apiKey: "x", baseURL: listening.url, maxRetries: 0 });
    expect((await client.messages.create(request)).content).toHaveLength(4);
    expect((await client.messages.stream(request).finalMessage()).content).toHaveLength(4);
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow();
    expect((await fetch(`${listening.url}/v1/models`)).status).toBe(404);
  });
});

describe("what is no request", () => {
  const post = (headers: Record<string, string>, body: string, path = "/v1/messages") =>
    anthropicSimulator().fetch(`https://api.example${path}`, { method: "POST", headers, body });

  it("is answered in the provider's form", async () => {
    const noVersion = await post({}, JSON.stringify(request));
    expect([noVersion.status, await noVersion.json()]).toMatchObject([
      400,
      { error: { message: "anthropic-version: header is required" } },
    ]);
    const version = { "anthropic-version": "2023-06-01" };
    expect((await post({ "anthropic-version": "2020-01-01" }, JSON.stringify(request))).status).toBe(400);
    expect((await post(version, "{")).status).toBe(400);
    expect((await post(version, "[]")).status).toBe(400);
    expect((await post(version, `{"model":"claude-opus-5-5","messages":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)).status).toBe(400);
    expect((await post(version, JSON.stringify(request), "/v1/other")).status).toBe(404);
    expect((await post(version, JSON.stringify({ ...request, betas: ["x"] }))).status).toBe(200);
  });

  it("does not reach a script, and does not count as one of its requests", async () => {
    const seen: number[] = [];
    const sim = anthropicSimulator({
      script: (_request, position) => {
        seen.push(position);
        return {};
      },
    });
    await sim.handle({ ...request, messages: [] });
    await sim.handle(request);
    expect(seen).toEqual([0]);
  });
});

it("a list of replies that has run out says so", async () => {
  const sim = anthropicSimulator({ script: [{ text: "Only one." }] });
  await sim.handle(request);
  await expect(sim.handle(request)).rejects.toMatchObject({ code: "script-exhausted" });
});

it("keeps as many requests as it was told to", async () => {
  const sim = anthropicSimulator({ keep: 2 });
  for (let turn = 0; turn < 5; turn++) await sim.handle(request);
  expect(sim.requests.map(({ position }) => position)).toEqual([3, 4]);
});

it("a recorded reply goes out as it was, its thinking signed anew", async () => {
  const recorded = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Old thought.", signature: "old" },
      { type: "text", text: "Old words." },
      { type: "tool_use", id: "toolu_old", name: "read", input: {} },
    ],
  };
  const sim = anthropicSimulator({ script: [{ message: recorded }, {}] });
  const { reply: answer } = await sim.handle(request);
  expect(answer.content).toMatchObject([
    { thinking: "Old thought.", signature: expect.not.stringMatching(/^old$/) },
    recorded.content[1],
    recorded.content[2],
  ]);
  const next = [
    ...request.messages,
    { role: "assistant", content: answer.content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_old", content: "x" }] },
  ];
  expect((await sim.handle({ ...request, messages: next })).status).toBe(200);
});
