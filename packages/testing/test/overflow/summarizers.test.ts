import Anthropic from "@anthropic-ai/sdk";
import { ConverseCommand } from "@aws-sdk/client-bedrock-runtime";
import { GoogleGenAI } from "@google/genai";
import { createSession, type ObjectValue, type Summarizer, summarize, textSummarizer, type Wire } from "@tidemark/core";
import { anthropic, anthropicSummarizer } from "@tidemark/core/anthropic";
import { bedrock, bedrockSummarizer } from "@tidemark/core/bedrock";
import { gemini, geminiSummarizer } from "@tidemark/core/gemini";
import { ollama, ollamaSummarizer } from "@tidemark/core/ollama";
import { openaiChat, openaiChatSummarizer } from "@tidemark/core/openai-chat";
import { openaiResponses, openaiResponsesSummarizer } from "@tidemark/core/openai-responses";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { geminiSimulator } from "../../src/simulator/gemini/server.ts";
import type { Listening } from "../../src/simulator/listen.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import { openaiChatSimulator } from "../../src/simulator/openai-chat/server.ts";
import { openaiResponsesSimulator } from "../../src/simulator/openai-responses/server.ts";
import type { Script } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { bedrockClient } from "../bedrock-client.ts";

const tool = { name: "read", description: "Reads.", parameters: { type: "object", properties: {} } };

/** A wire with its official client before its strict simulator. */
type Side = {
  readonly name: string;
  readonly wire: Wire;
  readonly cheap: string;
  simulator(script: Script): Simulator;
  open(simulator: Simulator): Promise<{
    readonly send: (request: never) => Promise<object>;
    readonly summarizer: (options: { readonly model?: string }) => Summarizer;
  }>;
  request(history: readonly object[]): object;
  user(text: string): object;
  results(ids: readonly { readonly id: string; readonly name: string }[], text: string): readonly object[];
};

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

const chatTools = [{ type: "function", function: tool }];

const sides: readonly Side[] = [
  {
    name: "Anthropic",
    wire: anthropic() as unknown as Wire,
    cheap: "claude-haiku-5-5",
    simulator: (script) => anthropicSimulator({ script, mode: "error" }),
    open: async (simulator) => {
      const client = new Anthropic({ apiKey: "x", fetch: simulator.fetch, maxRetries: 0 });
      return { send: (request) => client.messages.create(request), summarizer: (options) => anthropicSummarizer(client, options) };
    },
    request: (messages) => ({
      ...{ model: "claude-opus-5-5", max_tokens: 512, system: "You help.", messages },
      tools: [{ name: "read", input_schema: { type: "object" } }],
    }),
    user: (content) => ({ role: "user", content }),
    results: (ids, content) => [{ role: "user", content: ids.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content })) }],
  },
  {
    name: "Chat Completions",
    wire: openaiChat() as unknown as Wire,
    cheap: "gpt-4.1-mini",
    simulator: (script) => openaiChatSimulator({ script }),
    open: async (simulator) => {
      const client = new OpenAI({ apiKey: "x", fetch: simulator.fetch, maxRetries: 0 });
      return { send: (request) => client.chat.completions.create(request), summarizer: (options) => openaiChatSummarizer(client, options) };
    },
    request: (messages) => ({ model: "gpt-4.1", messages, tools: chatTools }),
    user: (content) => ({ role: "user", content }),
    results: (ids, content) => ids.map(({ id }) => ({ role: "tool", tool_call_id: id, content })),
  },
  {
    name: "Responses",
    wire: openaiResponses() as unknown as Wire,
    cheap: "gpt-5-mini",
    simulator: (script) => openaiResponsesSimulator({ script }),
    open: async (simulator) => {
      const client = new OpenAI({ apiKey: "x", fetch: simulator.fetch, maxRetries: 0 });
      return { send: (request) => client.responses.create(request), summarizer: (options) => openaiResponsesSummarizer(client, options) };
    },
    request: (input) => ({
      ...{ model: "gpt-6.2-sol", instructions: "You help.", store: false, input },
      tools: [{ type: "function", ...tool, strict: false }],
    }),
    user: (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
    results: (ids, output) => ids.map(({ id }) => ({ type: "function_call_output", call_id: id, output })),
  },
  {
    name: "Gemini",
    wire: gemini() as unknown as Wire,
    cheap: "gemini-3.8-flash",
    simulator: (script) => geminiSimulator({ script }),
    open: async (simulator) => {
      listening = await simulator.listen();
      const client = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: listening.url } });
      return { send: (request) => client.models.generateContent(request), summarizer: (options) => geminiSummarizer(client, options) };
    },
    request: (contents) => ({
      ...{ model: "gemini-3.8-flash", contents },
      config: {
        systemInstruction: "You help.",
        tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] }],
      },
    }),
    user: (text) => ({ role: "user", parts: [{ text }] }),
    results: (ids, text) => [
      {
        role: "user",
        parts: ids.map(({ id, name }) => ({ functionResponse: { ...(id === "" ? {} : { id }), name, response: { output: text } } })),
      },
    ],
  },
  {
    name: "Ollama",
    wire: ollama() as unknown as Wire,
    cheap: "qwen3:0.6b",
    simulator: (script) => ollamaSimulator({ script }),
    open: async (simulator) => {
      const client = new Ollama({ fetch: simulator.fetch as typeof fetch });
      return { send: (request) => client.chat(request), summarizer: (options) => ollamaSummarizer(client, options) };
    },
    request: (messages) => ({ model: "qwen3:8b", messages, tools: chatTools, stream: false, options: { num_ctx: 40_960 } }),
    user: (content) => ({ role: "user", content }),
    results: (ids, content) =>
      ids.map(({ id, name }) => ({ role: "tool", tool_name: name, ...(id === "" ? {} : { tool_call_id: id }), content })),
  },
  {
    name: "Bedrock",
    wire: bedrock() as unknown as Wire,
    cheap: "us.anthropic.claude-haiku-5-5",
    simulator: (script) => bedrockSimulator({ script }),
    open: async (simulator) => {
      const client = bedrockClient(simulator);
      return {
        send: (request) => client.send(new ConverseCommand(request)),
        summarizer: (options) => bedrockSummarizer((input, own) => client.send(new ConverseCommand(input), own), options),
      };
    },
    request: (messages) => ({
      ...{ modelId: "us.anthropic.claude-opus-5-5", system: [{ text: "You help." }], messages },
      toolConfig: { tools: [{ toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } }] },
    }),
    user: (text) => ({ role: "user", content: [{ text }] }),
    results: (ids, text) => [{ role: "user", content: ids.map(({ id }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })) }],
  },
];

const prose = "copper linen quarry harbour meadow kettle winter garnet compass willow ".repeat(20);

describe.each(sides)("summaries by the official client of $name (rule 38)", (side) => {
  test.each<readonly [string, boolean]>([
    ["rides the prefix", true],
    ["sends the flattened text to another model", false],
  ])("%s; the strict provider takes it, with a cut in mid tool turn too", async (_how, rides) => {
    let summaries = 0;
    let position = 0;
    const simulator = side.simulator((request) => {
      const text = JSON.stringify(request);
      if (text.includes("Write a record of the conversation so far")) {
        summaries += 1;
        expect(text.includes('"read"')).toBe(rides);
        return { text: `SUMMARY ${summaries}` };
      }
      position += 1;
      return { thinking: `think ${position}`, calls: [{ name: "read", input: { position } }] };
    });
    const { send, summarizer } = await side.open(simulator);
    const session = createSession({
      ...{ wire: side.wire, strict: true },
      budget: { context: 8_000, output: 512, highWater: 4_000, lowWater: 1_500 },
      overflow: { strategy: summarize({ summarizer: summarizer(rides ? {} : { model: side.cheap }) }), minimumGain: 0 },
    });
    const landings: string[] = [];
    session.on("landing", ({ strategy }) => landings.push(strategy));
    session.on("overflow", ({ error }) => error && expect.fail(error.message));
    const history: object[] = [side.user("read them all")];
    let last = "";
    for (let step = 1; step <= 36; step++) {
      const turn = await session.prepare(side.request(structuredClone(history)));
      last = JSON.stringify(turn.request);
      const reply = await send(turn.request as never);
      turn.settle(reply);
      const { messages } = side.wire.readReply(reply);
      const calls = messages.flatMap((message) => side.wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])));
      history.push(...(messages as readonly ObjectValue[]).map((message) => structuredClone(message)));
      history.push(...side.results(calls, `result ${step}. ${prose}`));
    }
    expect(landings.length).toBeGreaterThan(0);
    expect(summaries).toBe(landings.length);
    expect(last).toContain("SUMMARY");
    expect(last).toContain("read them all");
  });
});

test("any function that answers a text with a text summarises (rule 38)", async () => {
  const asked: { readonly instructions: string; readonly text: string }[] = [];
  const summarizer = textSummarizer(async (question, { signal }) => {
    signal.throwIfAborted();
    asked.push(question);
    return "SUMMARY";
  });
  const input = { instructions: "Write.", transcript: "[user]\nhi", previous: undefined, tokensMax: 9, request: {}, headers: {} };
  expect(await summarizer(input, { signal: new AbortController().signal })).toEqual({ text: "SUMMARY", complete: true, refused: false });
  expect(asked).toEqual([{ instructions: "Write.", text: "[user]\nhi", tokensMax: 9 }]);
});
