import {
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  ThrottlingException,
  ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { describe, expect, it } from "vitest";
import { bedrockClient } from "../../../test/bedrock-client.ts";
import type { ScriptedReply } from "../script.ts";
import { bedrockSimulator } from "./server.ts";

const reply: ScriptedReply = {
  thinking: "Which file?",
  text: "I read both. 🙂",
  calls: [
    { name: "read", input: { path: "a.ts", "from-line": 1 } },
    { name: "read", input: { path: "b.ts" }, id: "tooluse_b" },
  ],
};
const tool = { toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } };
const request: ConverseCommandInput = {
  modelId: "us.anthropic.claude-opus-5-5",
  system: [{ text: "You work on files." }],
  toolConfig: { tools: [tool] },
  messages: [{ role: "user", content: [{ text: "Read a.ts and b.ts." }] }],
};
const result = (toolUseId: string | undefined) => ({ toolResult: { toolUseId, content: [{ text: "ok" }] } });

describe("the official SDK", () => {
  it("converses, and the simulator keeps what it received, with the model's name", async () => {
    const simulator = bedrockSimulator({ script: [reply] });
    const { output, stopReason, usage } = await bedrockClient(simulator).send(new ConverseCommand(request));
    expect(output?.message?.content).toEqual([
      { reasoningContent: { reasoningText: { text: "Which file?", signature: expect.any(String) } } },
      { text: "I read both. 🙂" },
      { toolUse: { toolUseId: expect.stringMatching(/^tooluse_.{22}$/), name: "read", input: { path: "a.ts", "from-line": 1 } } },
      { toolUse: { toolUseId: "tooluse_b", name: "read", input: { path: "b.ts" } } },
    ]);
    expect(stopReason).toBe("tool_use");
    expect(usage?.totalTokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0));
    const [{ path, body, text } = { path: "", body: {}, text: "" }] = simulator.requests;
    expect(path).toBe("/model/us.anthropic.claude-opus-5-5/converse");
    expect(body).toEqual(request);
    const { modelId: _model, ...sent } = request;
    expect(JSON.parse(text)).toEqual(sent);
  });

  it("streams the same reply event by event, usage last", async () => {
    const whole = await bedrockClient(bedrockSimulator({ script: [reply] })).send(new ConverseCommand(request));
    const { stream } = await bedrockClient(bedrockSimulator({ script: [reply] })).send(new ConverseStreamCommand(request));
    const events = [];
    for await (const event of stream ?? []) events.push(event);
    const text = events.map((event) => event.contentBlockDelta?.delta?.text ?? "").join("");
    expect(text).toBe("I read both. 🙂");
    expect(events.at(-2)?.messageStop?.stopReason).toBe("tool_use");
    expect(events.at(-1)?.metadata?.usage).toEqual(whole.usage);
  });

  it("goes on with what it was given, bytes and all", async () => {
    const hidden = { parts: [{ thinking: "Hm.", redacted: true }, { text: "So." }] };
    const simulator = bedrockSimulator({ script: [hidden, { text: "Good." }] });
    const client = bedrockClient(simulator);
    const first = await client.send(new ConverseCommand(request));
    const message = first.output?.message;
    expect(message?.content?.[0]?.reasoningContent?.redactedContent).toBeInstanceOf(Uint8Array);
    const messages = [
      ...(request.messages ?? []),
      message,
      { role: "user", content: [{ text: "And?" }] },
    ] as ConverseCommandInput["messages"];
    const second = await client.send(new ConverseCommand({ ...request, messages }));
    expect(second.output?.message?.content).toEqual([{ text: "Good." }]);
  });

  it("gets the provider's errors as its own", async () => {
    const client = bedrockClient(
      bedrockSimulator({ script: [{ error: { status: 429 } }, { error: { status: 500 } }, { error: "network" }] }),
    );
    const send = (input = request) => client.send(new ConverseCommand(input));
    await expect(send()).rejects.toBeInstanceOf(ThrottlingException);
    await expect(send()).rejects.toMatchObject({ name: "InternalServerException", $metadata: { httpStatusCode: 500 } });
    await expect(send()).rejects.toThrow("fetch failed");
    const orphan = send({ ...request, messages: [{ role: "user", content: [result("nobody")] }] });
    await expect(orphan).rejects.toBeInstanceOf(ValidationException);
    await expect(orphan).rejects.toThrow(/^The number of toolResult blocks at messages\.0\.content exceeds/);
  });

  it("sees a stream that breaks off", async () => {
    const client = bedrockClient(bedrockSimulator({ script: [{ ...reply, cut: { after: 3 } }] }));
    const { stream } = await client.send(new ConverseStreamCommand(request));
    const read = async () => {
      for await (const _ of stream ?? []);
    };
    await expect(read()).rejects.toThrow();
  });
});

describe("thinking", () => {
  const second = async (
    change: (content: Record<string, unknown>[]) => object[],
    modelId = request.modelId,
    question = "Read a.ts and b.ts.",
  ) => {
    const simulator = bedrockSimulator({ script: [reply, { text: "Done." }] });
    const first = await simulator.handle({ ...request, modelId });
    const { content } = (first.reply.output as unknown as { message: { content: Record<string, unknown>[] } }).message;
    const ids = content.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [(toolUse as { toolUseId: string }).toolUseId]));
    const { refusal } = await simulator.handle({
      ...request,
      modelId,
      messages: [
        { role: "user", content: [{ text: question }] },
        { role: "assistant", content: change(content) },
        { role: "user", content: ids.map(result) },
      ],
    });
    return refusal;
  };

  it("goes back as it came", async () => {
    expect(await second((content) => content)).toBeUndefined();
  });

  it("that was changed, left out of an open loop, or moved behind another question is refused (AN-12 to 14)", async () => {
    const changed = (content: Record<string, unknown>[]) =>
      content.map((block) =>
        block.reasoningContent === undefined ? block : { reasoningContent: { reasoningText: { text: "Hm.", signature: "c2ln" } } },
      );
    expect(await second(changed)).toMatchObject({
      rule: "AN-14",
      message: expect.stringMatching(/^The model returned the following errors: /),
    });
    expect(await second((content) => content.slice(1))).toMatchObject({ rule: "AN-14" });
    expect(await second((content) => content, request.modelId, "Read a.ts, then b.ts.")).toMatchObject({ rule: "AN-13" });
  });

  it("of a model that does not sign is plain words", async () => {
    const simulator = bedrockSimulator({ script: [reply] });
    const { reply: answer } = await simulator.handle({ ...request, modelId: "us.amazon.nova-2-lite-v1:0" });
    expect(JSON.stringify(answer)).toContain('{"reasoningContent":{"reasoningText":{"text":"Which file?"}}}');
  });
});

describe("the cache", () => {
  const long = (words: string) => ({ text: `${words} `.repeat(600) });
  const point = { cachePoint: { type: "default" as const } };
  const ask = (...content: object[]) => ({ ...request, messages: [{ role: "user", content }] });

  it("is written at cache points and read from them", async () => {
    const simulator = bedrockSimulator();
    const account = async (body: object) => (await simulator.handle(body)).cache;
    expect(await account(ask(long("one"), point))).toMatchObject({ read: 0, written: expect.any(Number) });
    const again = await account(ask(long("one"), point, long("two"), point));
    expect(again?.read).toBeGreaterThan(500);
    expect((await account(ask(long("one"))))?.read).toBe(0);
    expect((await account(ask(long("other"), point)))?.read).toBe(0);
  });

  it("is reported as Bedrock does it, the uncached part apart", async () => {
    const simulator = bedrockSimulator();
    const first = await simulator.handle(ask(long("one"), { cachePoint: { type: "default", ttl: "1h" } }, { text: "Why?" }));
    const { usage } = first.reply as unknown as { usage: Record<string, unknown> };
    expect(usage).toMatchObject({ cacheReadInputTokens: 0, cacheDetails: [{ ttl: "1h", inputTokens: usage.cacheWriteInputTokens }] });
    expect((usage.inputTokens as number) + (usage.cacheWriteInputTokens as number)).toBe(first.cache?.prompt);
  });
});

it("what is no request is answered in the provider's form", async () => {
  const post = (body: string, path: string) => bedrockSimulator().fetch(`https://bedrock.example${path}`, { method: "POST", body });
  const broken = await post("{", "/model/m/converse");
  expect([broken.status, broken.headers.get("x-amzn-errortype")]).toEqual([400, "ValidationException"]);
  expect((await post("{}", "/model/m/invoke")).status).toBe(404);
});
