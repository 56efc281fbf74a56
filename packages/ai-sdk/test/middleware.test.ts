import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createSession, OptionError } from "@tidemark/core";
import { generateText, isStepCount, type LanguageModelCallEndEvent, type ModelMessage, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiSdkWire, clip, tidemarkMiddleware, tidemarkStep, withTidemark } from "../src/index.ts";
import { chat, claude, named, refused, tools, turnOf, working } from "./hosts.ts";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: "stop" as const, raw: undefined };

/** A model that answers at once and keeps what it got. */
function answering(provider = "openai.chat") {
  const calls: LanguageModelV4CallOptions[] = [];
  const model = new MockLanguageModelV4({
    provider,
    modelId: provider === "anthropic.messages" ? "claude-opus-5-5" : "gpt-5.5",
    doGenerate: async (options) => {
      calls.push(options);
      return { content: [{ type: "text", text: `Answer ${calls.length}` }], finishReason, usage, warnings: [] };
    },
  });
  return { model: model as LanguageModelV4, calls };
}

describe("a call without a session's name", () => {
  it("is warned of once a middleware, in the AI SDK's own warnings", async () => {
    const model = withTidemark(answering().model);
    const first = await generateText({ model, prompt: "Hello" });
    const second = await generateText({ model, prompt: "Hello" });
    const own = await generateText({ model, prompt: "Hello", ...named("one") });
    const texts = [first, second, own].map(({ warnings }) =>
      (warnings ?? []).map((warning) => ("message" in warning ? warning.message : "")),
    );
    expect(texts[0]?.[0]).toContain("providerOptions: { tidemark: { sessionId } }");
    expect(texts.slice(1)).toEqual([[], []]);
  });

  it("is told by its content, and goes on without a checkpoint", async () => {
    const sim = claude.simulate(working(2));
    const checkpoints: unknown[] = [];
    const model = withTidemark(claude.model(sim), { onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) });
    const history: ModelMessage[] = [];
    await turnOf(model, history, "Read a.ts.");
    await turnOf(model, history, "Read b.ts.", { way: "stream" });
    expect(refused(sim)).toEqual([]);
    expect(checkpoints).toEqual([]);
  });
});

it("asks for a title on the side, under the conversation's name, without a checkpoint there or back", async () => {
  const sim = claude.simulate(working(2));
  const checkpoints: (readonly [string | undefined, string])[] = [];
  const model = withTidemark(claude.model(sim), { onCheckpoint: ({ reason }, { id }) => checkpoints.push([id, reason]) });
  const history: ModelMessage[] = [];
  await turnOf(model, history, "Read a.ts.", named("one"));
  const messages: ModelMessage[] = [...history, { role: "user", content: "A title?" }];
  await generateText({ model, instructions: "You name things.", messages, ...named("one") });
  await turnOf(model, history, "Read b.ts.", named("one"));
  expect(refused(sim)).toEqual([]);
  expect(checkpoints.filter(([id]) => id === "one")).toEqual([]);
});

describe("misuse", () => {
  it("of a session's name is an error with its path", async () => {
    const model = withTidemark(answering().model);
    const wrong = { tidemark: { sessionId: 7 } };
    await expect(generateText({ model, prompt: "Hello", providerOptions: wrong, maxRetries: 0 })).rejects.toMatchObject({
      code: "invalid-option",
      path: "$.providerOptions.tidemark.sessionId",
    });
  });

  it("of another member of its options is an error that names the right one", async () => {
    const model = withTidemark(answering().model);
    const wrong = { tidemark: { sessionID: "one" } };
    await expect(generateText({ model, prompt: "Hello", providerOptions: wrong, maxRetries: 0 })).rejects.toMatchObject({
      code: "invalid-option",
      path: "$.providerOptions.tidemark.sessionID",
      message: expect.stringContaining("sessionId"),
    });
  });

  it("as two Tidemarks on one model is an error", async () => {
    const model = withTidemark(withTidemark(answering().model));
    await expect(generateText({ model, prompt: "Hello", ...named("one"), maxRetries: 0 })).rejects.toMatchObject({ code: "stacked" });
  });

  it.each([
    [{ sesions: {} }, "$.sesions"],
    [{ sessionsMax: 0 }, "$.sessionsMax"],
    [{ sessions: { overflow: {} } }, "$.sessions.overflow"],
    [{ onCheckpoint: 1 }, "$.onCheckpoint"],
  ])("of options is named at construction: %o", (options, path) => {
    expect(() => tidemarkMiddleware(options as never)).toThrow(OptionError);
    expect(() => tidemarkMiddleware(options as never)).toThrow(path);
  });
});

it("lets a window that starts in the middle begin as the provider wants it, and a provider's block stand first (rule 38)", async () => {
  const trimmed: ModelMessage[] = [
    { role: "assistant", content: "Hello, I read files." },
    { role: "user", content: "Read a.ts." },
  ];
  const rolesOf = (sim: ReturnType<typeof claude.simulate>) =>
    ((sim.requests[0]?.body.messages ?? []) as { role: string }[]).map(({ role }) => role);
  const sim = claude.simulate(working(1));
  await generateText({ model: withTidemark(claude.model(sim)), messages: trimmed, ...named("one") });
  expect([refused(sim), rolesOf(sim)]).toEqual([[], ["user", "assistant", "user"]]);
  const other = chat.simulate(working(1));
  await generateText({ model: withTidemark(chat.model(other)), messages: trimmed, ...named("one") });
  expect([refused(other), rolesOf(other)]).toEqual([[], ["assistant", "user"]]);
  const { model, calls } = answering("anthropic.messages");
  const block = { type: "text" as const, text: "So far.", providerOptions: { anthropic: { type: "compaction", signature: "c2ln" } } };
  const stored: ModelMessage[] = [
    { role: "assistant", content: [block] },
    { role: "user", content: "Go on." },
  ];
  await generateText({ model: withTidemark(model), messages: stored, ...named("two") });
  expect(calls[0]?.prompt.map(({ role }) => role)).toEqual(["assistant", "user"]);
});

it("leaves a conversation that the provider holds alone", async () => {
  const { model, calls } = answering();
  const providerOptions = { ...named("one").providerOptions, openai: { previousResponseId: "resp_1" } };
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Only the new words" }] }];
  await withTidemark(model).doGenerate({ prompt, providerOptions });
  expect(calls[0]?.prompt).toBe(prompt);
});

it("hands files' addresses on as URL objects, and the call's own signal and headers", async () => {
  const { model, calls } = answering();
  const url = new URL("https://example.com/a.png");
  const leaving = new AbortController();
  await withTidemark(model).doGenerate({
    prompt: [{ role: "user", content: [{ type: "file", mediaType: "image/png", data: { type: "url", url } }] }],
    abortSignal: leaving.signal,
    headers: { "x-own": "1" },
    temperature: 0.5,
    ...named("one"),
  });
  const part = calls[0]?.prompt[0]?.content[0] as { data: { url: URL } };
  expect(part.data.url).toBeInstanceOf(URL);
  expect(part.data.url.href).toBe(url.href);
  expect(calls[0]?.abortSignal).toBe(leaving.signal);
  expect(calls[0]).toMatchObject({ headers: { "x-own": "1" }, temperature: 0.5, providerOptions: {} });
});

it("hands the first part of a stream on before the second is read", async () => {
  let read = 0;
  const parts: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hi" },
    { type: "text-end", id: "1" },
    { type: "finish", finishReason, usage },
  ];
  const stream = new ReadableStream<LanguageModelV4StreamPart>(
    {
      pull(controller) {
        const part = parts[read++];
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
  const model = withTidemark(new MockLanguageModelV4({ doStream: async () => ({ stream }) }) as LanguageModelV4);
  const reader = (
    await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }], ...named("one") })
  ).stream.getReader();
  expect(read).toBe(0);
  expect((await reader.read()).value?.type).toBe("stream-start");
  expect(read).toBe(1);
  const rest: unknown[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value);
  const said = { kept: 0, appended: 1, checkpoints: [], repairs: {}, usage: { prompt: 3, uncached: 3, output: 1 } };
  expect(rest).toEqual([...parts.slice(1, -1), { ...parts.at(-1), providerMetadata: { tidemark: said } }]);
});

it("tells of each prompt through the AI SDK's own telemetry, without a word of the conversation, and nothing of it goes back", async () => {
  const ends: LanguageModelCallEndEvent[] = [];
  const telemetry = { integrations: [{ onLanguageModelCallEnd: (event: LanguageModelCallEndEvent) => void ends.push(event) }] };
  const { model, calls } = answering("anthropic.messages");
  const wrapped = withTidemark(model);
  const ask = (messages: ModelMessage[]) => generateText({ model: wrapped, messages, telemetry, ...named("one") });
  const first: ModelMessage[] = [{ role: "user", content: "Secret one" }];
  const { responseMessages } = await ask(first);
  await ask([...first, ...responseMessages, { role: "user", content: "Secret two" }]);
  await ask([{ role: "user", content: "Secret three" }, ...responseMessages, { role: "user", content: "Secret two" }]);
  expect(ends.map(({ providerMetadata }) => providerMetadata?.tidemark)).toEqual([
    { kept: 0, appended: 1, checkpoints: [], repairs: {}, usage: { prompt: 3, uncached: 3, output: 1 } },
    { kept: 1, appended: 2, checkpoints: [], repairs: {}, usage: { prompt: 3, uncached: 3, output: 1 } },
    expect.objectContaining({ checkpoints: [expect.objectContaining({ reason: "history", path: "$.prompt[0].content[0].text" })] }),
  ]);
  expect(JSON.stringify(ends.map(({ providerMetadata }) => providerMetadata))).not.toContain("Secret");
  expect(JSON.stringify([responseMessages, calls])).not.toContain("tidemark");
});

it("is not failed by a listener: what it threw is a warning", async () => {
  const model = withTidemark(answering().model, {
    onCheckpoint: () => {
      throw new Error("mine");
    },
  });
  await generateText({ model, prompt: "Hello", ...named("one") });
  const { text, warnings } = await generateText({ model, instructions: "Be brief.", prompt: "Hello", ...named("one") });
  expect(text).toBe("Answer 2");
  expect(warnings?.at(-1)).toMatchObject({ message: expect.stringContaining("onCheckpoint or onLanding threw: mine") });
});

it("takes sessions that the host makes, by name", async () => {
  const asked: string[] = [];
  const session = createSession({ wire: aiSdkWire() as never });
  const model = withTidemark(answering().model, {
    sessions: (id) => {
      asked.push(id);
      return session;
    },
  });
  await generateText({ model, prompt: "Hello", ...named("one") });
  await generateText({ model, prompt: "Hello", ...named("one") });
  expect(asked).toEqual(["one"]);
  expect(() => session.settle({})).toThrow("No turn is open");
});

describe("tidemarkStep", () => {
  it("names the conversation from the run's context, beside the host's own settings", async () => {
    const sim = claude.simulate(working(3));
    const ids: (string | undefined)[] = [];
    const session = new Map<string, number>();
    const model = withTidemark(claude.model(sim), {
      sessions: (id) => {
        session.set(id, (session.get(id) ?? 0) + 1);
        return createSession({ wire: aiSdkWire() as never });
      },
      onCheckpoint: (_checkpoint, { id }) => ids.push(id),
    });
    const agent = new ToolLoopAgent({
      model,
      tools,
      instructions: "You read files.",
      stopWhen: isStepCount(9),
      runtimeContext: { chatId: "chat 7" },
      prepareStep: tidemarkStep({
        sessionId: ({ runtimeContext }) => String((runtimeContext as { chatId: string }).chatId),
        prepareStep: () => ({ temperature: undefined, providerOptions: { anthropic: { metadata: { userId: "ada" } } } }) as never,
      }),
    });
    await agent.generate({ prompt: "Read a.ts." });
    expect([...session]).toEqual([["chat 7", 1]]);
    expect(sim.requests.map(({ body }) => (body.metadata as { user_id: string }).user_id)).toEqual(["ada", "ada", "ada"]);
    expect(ids).toEqual([]);
  });

  it("refuses a name that is none", () => {
    expect(() => tidemarkStep({ sessionId: "" })).toThrow("$.sessionId");
  });
});

describe("clip", () => {
  const long = Array.from({ length: 4_000 }, (_, line) => `line ${line}`).join("\n");
  const reader = tool({ inputSchema: z.object({}), execute: () => long });

  it("caps what the model sees, head and tail, and leaves the tool's own result whole", async () => {
    const clipped = clip(reader, { maxTokens: 200 });
    const output = await clipped.toModelOutput?.({ toolCallId: "1", input: {}, output: long });
    const text = (output as { value: string }).value;
    expect(text).toMatch(/^line 0\n/);
    expect(text).toMatch(/line 3999$/);
    expect(text.length).toBeLessThan(2_000);
    expect(clipped.execute).toBe(reader.execute);
  });

  it("caps a result in JSON, and what the tool's own toModelOutput makes of it", async () => {
    const json = await clip(reader as object, { maxTokens: 64 });
    const own = clip(tool({ inputSchema: z.object({}), execute: () => 1, toModelOutput: () => ({ type: "error-text", value: long }) }), {
      maxTokens: 64,
    });
    const options = { toolCallId: "1", input: {}, output: { lines: long.split("\n") } };
    const made = await (json as { toModelOutput: (options: object) => Promise<{ type: string; value: string }> }).toModelOutput(options);
    expect([made.type, made.value.startsWith(`{"lines":["line 0"`)]).toEqual(["text", true]);
    expect(await own.toModelOutput?.({ ...options, output: 1 })).toMatchObject({ type: "error-text" });
  });

  it("leaves what is short, or more than text, as it is", async () => {
    const clipped = clip(tool({ inputSchema: z.object({}), execute: () => ({ a: 1 }) }), { maxTokens: 64 });
    expect(await clipped.toModelOutput?.({ toolCallId: "1", input: {}, output: { a: 1 } })).toEqual({ type: "json", value: { a: 1 } });
    expect(() => clip(reader, { maxTokens: 10 })).toThrow("$.maxTokens");
  });
});
