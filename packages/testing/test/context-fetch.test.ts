import Anthropic from "@anthropic-ai/sdk";
import { checkPrefixContinuity } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { anthropicMiddleware, type ContextOptions, type ContextWarning, contextFetch, type SentRequest } from "@tidemark/core/fetch";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { anthropicSimulator } from "../src/simulator/anthropic/server.ts";
import { ollamaSimulator } from "../src/simulator/ollama/server.ts";
import { openaiChatSimulator } from "../src/simulator/openai-chat/server.ts";
import { openaiResponsesSimulator } from "../src/simulator/openai-responses/server.ts";
import type { Script } from "../src/simulator/script.ts";
import type { Simulator } from "../src/simulator/simulator.ts";

const model = "claude-opus-5-5";
const tools = [{ name: "read", description: "Reads a file.", input_schema: { type: "object" as const } }];
/** Calls a tool in every step but each `turnSteps`th, which ends the turn. */
const working =
  (turnSteps: number): Script =>
  (_request, position) =>
    position % turnSteps === turnSteps - 1
      ? { thinking: `It is done ${position}.`, text: `Done ${position}.` }
      : { thinking: `Which file ${position}?`, calls: [{ name: "read", input: { path: `${position}.ts` } }] };

/** The simulator behind a server that does not let a retry wait. */
const hasty =
  (sim: Simulator): Simulator["fetch"] =>
  async (input, init) => {
    const response = await sim.fetch(input, init);
    if (!response.ok) response.headers.set("retry-after-ms", "1");
    return response;
  };

type Way = (sim: Simulator, options?: ContextOptions) => Anthropic;
const ways: readonly (readonly [string, Way])[] = [
  [
    "contextFetch",
    (sim, options) =>
      new Anthropic({
        apiKey: "x",
        maxRetries: 2,
        fetch: contextFetch({ ...options, wires: [anthropic(), openaiChat()], fetch: sim.fetch }),
      }),
  ],
  [
    "anthropicMiddleware",
    (sim, options) => new Anthropic({ apiKey: "x", maxRetries: 2, fetch: hasty(sim), middleware: [anthropicMiddleware(options)] }),
  ],
];

/** A host's loop on the bare SDK. It parses and writes its history again before each request, as a host does that keeps it in a store. */
async function turnOf(client: Anthropic, history: Anthropic.MessageParam[], question: string, more: Steps = {}): Promise<void> {
  history.push({ role: "user", content: question });
  for (;;) {
    const messages = more.stored?.(history) ?? history;
    const request = { model, max_tokens: 1_000, system: "You read files.", tools, messages, ...more.request };
    const options = { headers: more.headers ?? {} };
    const reply = more.stream
      ? await client.messages.stream(request, options).finalMessage()
      : await client.messages.create(request, options);
    history.push({ role: "assistant", content: reply.content });
    const results = reply.content.flatMap((block) =>
      block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: `Text of ${block.id}.` }] : [],
    );
    if (results.length === 0) return;
    history.push({ role: "user", content: results });
  }
}

type Steps = {
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stored?: (history: Anthropic.MessageParam[]) => Anthropic.MessageParam[];
  readonly request?: Partial<Anthropic.MessageCreateParamsNonStreaming>;
};

/** Thinking is gone and objects are written with sorted keys: what stores do. */
const throughStore = (history: Anthropic.MessageParam[]): Anthropic.MessageParam[] =>
  history.map((message) =>
    message.role !== "assistant" || typeof message.content === "string"
      ? message
      : { content: message.content.filter((block) => block.type !== "thinking").map((block) => sortedKeys(block)), role: "assistant" },
  );

function sortedKeys<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

const refused = (sim: Simulator) => sim.requests.filter(({ refusal }) => refusal !== undefined);
/** Requests of which one does not continue the one before. */
const breaks = (sim: Simulator) =>
  sim.requests.slice(1).filter((request, index) => {
    const report = checkPrefixContinuity(sim.requests[index]?.body ?? {}, request.body, { wire: anthropic() });
    return report.verdict !== "continues";
  });

describe.each(ways)("%s under the Anthropic SDK", (_name, clientOf) => {
  describe.each([false, true])("streaming: %s", (stream) => {
    it("keeps a conversation append-only that a store sorts and strips of its thinking", async () => {
      const without = anthropicSimulator({ script: working(4) });
      const unguarded = new Anthropic({ apiKey: "x", fetch: without.fetch });
      const lossy: Anthropic.MessageParam[] = [];
      await turnOf(unguarded, lossy, "Read a.ts.", { stream });
      await turnOf(unguarded, lossy, "Read b.ts.", { stream, stored: throughStore }).catch(() => undefined);
      expect(breaks(without)).not.toEqual([]);

      const sim = anthropicSimulator({ script: working(4) });
      const client = clientOf(sim);
      const history: Anthropic.MessageParam[] = [];
      await turnOf(client, history, "Read a.ts.", { stream });
      await turnOf(client, history, "Read b.ts.", { stream, stored: throughStore });
      await turnOf(client, history, "Read c.ts.", { stream, stored: throughStore });
      expect(refused(sim)).toEqual([]);
      expect(sim.requests).toHaveLength(12);
      expect(breaks(sim)).toEqual([]);
      const thinking = JSON.stringify(sim.requests.at(-1)?.body).match(/"type":"thinking"/g);
      expect(thinking).toHaveLength(11);
    });

    it("settles a complete reply, with its usage", async () => {
      const sim = anthropicSimulator({ script: working(1) });
      const settled: number[] = [];
      const sent: SentRequest[] = [];
      const client = clientOf(sim, {
        onTurn: (one) => sent.push(one),
        onSettled: (one) => settled.push(one.settled.usage.uncached ?? -1),
      });
      await turnOf(client, [], "Hello", { stream });
      expect(settled).toEqual([sim.requests[0]?.cache?.uncached]);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.id).toBeUndefined();
    });

    it("is the same request when the SDK retries, named or not", async () => {
      for (const headers of [{}, { "x-tidemark-session": "one" }]) {
        let failures = 0;
        const reply = working(3);
        const sim = anthropicSimulator({
          script: (request, position) => {
            if ([2, 3, 6].includes(position)) {
              failures += 1;
              return { error: { status: 529 } };
            }
            return reply(request, position - failures);
          },
        });
        const client = clientOf(sim);
        const history: Anthropic.MessageParam[] = [];
        await turnOf(client, history, "Read a.ts.", { stream, headers });
        await turnOf(client, history, "Read b.ts.", { stream, headers });
        const [, , third, fourth, fifth] = sim.requests;
        expect(third?.status).toBe(529);
        expect(fourth?.text).toBe(third?.text);
        expect(fifth?.text).toBe(third?.text);
        expect(refused(sim).filter(({ status }) => status !== 529)).toEqual([]);
        expect(breaks(sim)).toEqual([]);
      }
    });
  });

  it("never mixes parallel conversations, even ones that start alike", async () => {
    const sim = anthropicSimulator({ script: ({ messages }) => working(3)({}, (messages as readonly unknown[]).length >> 1) });
    const client = clientOf(sim);
    const histories: Anthropic.MessageParam[][] = [[], [], [], []];
    await Promise.all(histories.map((history) => turnOf(client, history, "Read a.ts.")));
    await Promise.all(histories.map((history, index) => turnOf(client, history, `Now file ${index}.`)));
    await Promise.all(histories.map((history, index) => turnOf(client, history, `And file ${index}.`, { stream: true })));
    expect(refused(sim)).toEqual([]);
    const last = sim.requests.slice(-1)[0];
    expect(JSON.stringify(last?.body).match(/"type":"thinking"/g)?.length).toBeGreaterThan(5);
    for (const [index, history] of histories.entries()) {
      expect(JSON.stringify(history)).toContain(`Now file ${index}.`);
      const own = sim.requests.filter(({ text }) => text.includes(`Now file ${index}.`));
      for (const [at, request] of own.slice(1).entries())
        expect(checkPrefixContinuity(own[at]?.body ?? {}, request.body, { wire: anthropic() }).verdict).toBe("continues");
    }
  });

  it("strips the header that names a session", async () => {
    const sim = anthropicSimulator({ script: working(2) });
    const ids: (string | undefined)[] = [];
    await turnOf(clientOf(sim, { header: "x-conversation", onTurn: ({ id }) => ids.push(id) }), [], "Hello", {
      headers: { "x-conversation": "seven" },
    });
    expect(ids).toEqual(["seven", "seven"]);
    expect(sim.requests[0]?.headers).not.toHaveProperty("x-conversation");
    expect(JSON.stringify(sim.requests[0])).not.toContain("seven");
  });

  it("lets a title call on known messages be: the conversation goes on without a checkpoint", async () => {
    const sim = anthropicSimulator({ script: working(2) });
    const sent: SentRequest[] = [];
    const client = clientOf(sim, { onTurn: (one) => sent.push(one) });
    const history: Anthropic.MessageParam[] = [];
    await turnOf(client, history, "Read a.ts.");
    const title = await client.messages.create({
      model: "claude-haiku-4-5",
      max_tokens: 20,
      system: "Name this conversation.",
      messages: [...history.filter(({ content }) => typeof content === "string"), { role: "user", content: "A title?" }],
    });
    expect(title.content.length).toBeGreaterThan(0);
    await turnOf(client, history, "Read b.ts.");
    expect(refused(sim)).toEqual([]);
    const own = sent.filter(({ turn }) => JSON.stringify(turn.request).includes("You read files."));
    expect(own).toHaveLength(3);
    expect(own.flatMap(({ turn }) => turn.continuity.checkpoints)).toEqual([]);
  });

  it("asks for binding controls beside the betas that the host asks for", async () => {
    const sim = anthropicSimulator({ script: working(1) });
    await turnOf(clientOf(sim), [], "Hello", { headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" } });
    expect(sim.requests[0]?.headers["anthropic-beta"]).toBe(
      "interleaved-thinking-2025-05-14,thinking-binding-controls-2026-08-01,mid-conversation-output-config-2026-07-01",
    );
    expect(sim.requests[0]?.body).toMatchObject({ thinking: { block_binding: { prefix_mismatch_behavior: "drop_block" } } });
  });

  it("settles nothing of a stream that breaks off or is left, and the next request goes on", async () => {
    const reply = working(2);
    const sim = anthropicSimulator({
      script: (request, position) =>
        position === 2 ? { ...reply(request, 2), cut: { after: 4 } } : reply(request, position > 2 ? position - 2 : position),
    });
    let settled = 0;
    const client = clientOf(sim, { onSettled: () => settled++ });
    const history: Anthropic.MessageParam[] = [];
    await turnOf(client, history, "Read a.ts.");
    expect(settled).toBe(2);
    history.push({ role: "user", content: "Read b.ts." });
    const request = { model, max_tokens: 1_000, system: "You read files.", tools, messages: history, stream: true as const };
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow();
    const left = await client.messages.create(request);
    for await (const event of left) if (event.type === "content_block_start") break;
    expect(settled).toBe(2);
    history.pop();
    await turnOf(client, history, "Read b.ts.");
    expect(settled).toBe(4);
    expect(refused(sim)).toEqual([]);
    expect(breaks(sim)).toEqual([]);
  });

  it("does not write to what the host handed over", async () => {
    const sim = anthropicSimulator({ script: working(2) });
    const history: Anthropic.MessageParam[] = [];
    const stored: string[] = [];
    await turnOf(clientOf(sim), history, "Read a.ts.", {
      stored: (messages) => {
        stored.push(JSON.stringify(messages));
        return messages;
      },
    });
    expect(stored[0]).toBe(JSON.stringify(history.slice(0, 1)));
    expect(stored[1]).toBe(JSON.stringify(history.slice(0, 3)));
  });

  it("lets token counts and threads pass byte for byte", async () => {
    const sim = anthropicSimulator();
    const client = clientOf(sim);
    const counted = { model, system: "You read files.", messages: [{ role: "user" as const, content: "Hello" }] };
    await client.messages.countTokens(counted);
    expect(sim.requests[0]).toMatchObject({ path: "/v1/messages/count_tokens", text: JSON.stringify(counted) });
    const threaded = { ...counted, max_tokens: 10, thread: { type: "create" as const }, betas: ["message-threads-2026-08-12" as const] };
    await client.beta.messages.create(threaded as never).catch(() => undefined);
    expect(sim.requests[1]?.text).not.toContain("cache_control");
    expect(sim.requests[1]?.text).toContain(`"messages":[{"role":"user","content":"Hello"}]`);
  });
});

describe("contextFetch and the middleware in one client", () => {
  it("warn, and the lower one leaves the request alone", async () => {
    const sim = anthropicSimulator({ script: working(2) });
    const warnings: ContextWarning[] = [];
    const fetch = contextFetch({ wires: [anthropic()], fetch: sim.fetch, onWarning: (warning) => warnings.push(warning) });
    const client = new Anthropic({ apiKey: "x", fetch, middleware: [anthropicMiddleware()] });
    await turnOf(client, [], "Read a.ts.");
    expect(warnings.map(({ code }) => code)).toEqual(["stacked"]);
    expect(refused(sim)).toEqual([]);
  });
});

describe("contextFetch under the OpenAI SDK", () => {
  const chatTools = [{ type: "function" as const, function: { name: "read", parameters: { type: "object" } } }];
  const clientOf = (sim: Simulator, options?: ContextOptions) =>
    new OpenAI({ apiKey: "x", maxRetries: 2, fetch: contextFetch({ ...options, wires: [anthropic(), openaiChat()], fetch: sim.fetch }) });

  it.each([false, true])(
    "keeps a conversation append-only whose arguments were parsed and written again (streaming: %s)",
    async (stream) => {
      const sim = openaiChatSimulator({
        script: (_request, position) =>
          position === 5
            ? { text: "Done." }
            : { calls: [1, 2].map((n) => ({ name: "read", input: { path: `${position}-${n}.ts`, "2": 1, f: 1 } })) },
      });
      const settled: unknown[] = [];
      const client = clientOf(sim, { onSettled: (one) => settled.push(one.settled.usage.output) });
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: "system", content: "You read files." },
        { role: "user", content: "Read them." },
      ];
      for (let step = 0; step < 6; step++) {
        const request = { model: "gpt-5.5", messages, tools: chatTools };
        const reply = stream
          ? (await client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()).choices[0]
              ?.message
          : (await client.chat.completions.create(request)).choices[0]?.message;
        const calls = (reply?.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
        const rewritten = calls.map((call) => ({
          id: call.id,
          type: call.type,
          function: { arguments: JSON.stringify(JSON.parse(call.function.arguments), null, 1), name: call.function.name },
        }));
        messages.push({ role: "assistant", content: reply?.content ?? null, ...(calls.length > 0 && { tool_calls: rewritten }) });
        for (const { id } of [...rewritten].reverse()) messages.push({ role: "tool", tool_call_id: id, content: `Text of ${id}` });
      }
      expect(sim.requests).toHaveLength(6);
      expect(refused(sim)).toEqual([]);
      for (const [at, request] of sim.requests.slice(1).entries()) {
        const report = checkPrefixContinuity(sim.requests[at]?.body ?? {}, request.body, { wire: openaiChat() });
        expect(report.bytes).toBeUndefined();
      }
      expect(settled).toHaveLength(6);
      expect(settled.every((tokens) => typeof tokens === "number" && tokens > 0)).toBe(true);
    },
  );

  it("passes a body on as the text that it was, when nothing needs a change", async () => {
    const sim = openaiChatSimulator({ script: [{ text: "Hello." }] });
    const client = clientOf(sim);
    const request = { model: "gpt-5.5", messages: [{ role: "user" as const, content: "Hello" }] };
    await client.chat.completions.create(request);
    expect(sim.requests[0]?.text).toBe(JSON.stringify(request));
  });

  it("says so when no wire was given for a path", async () => {
    const sim = openaiChatSimulator({ script: [{ text: "Hello." }] });
    const warnings: ContextWarning[] = [];
    const fetch = contextFetch({ wires: [anthropic()], fetch: sim.fetch, onWarning: (warning) => warnings.push(warning) });
    const request = { model: "gpt-5.5", messages: [{ role: "user" as const, content: "Hello" }] };
    await new OpenAI({ apiKey: "x", fetch }).chat.completions.create(request);
    expect(sim.requests[0]?.text).toBe(JSON.stringify(request));
    expect(warnings).toMatchObject([{ code: "wire-unknown", message: expect.stringContaining("/v1/chat/completions") }]);
  });
});

describe("contextFetch under the OpenAI SDK's Responses", () => {
  it.each([false, true])("keeps a conversation append-only whose store lost ids and reasoning (streaming: %s)", async (stream) => {
    const sim = openaiResponsesSimulator({ script: working(3) });
    const settled: unknown[] = [];
    const fetch = contextFetch({
      wires: [openaiResponses()],
      fetch: sim.fetch,
      onSettled: (one) => settled.push(one.settled.usage.output),
    });
    const client = new OpenAI({ apiKey: "x", fetch });
    let input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Read a.ts." }];
    const readTool = { type: "function" as const, name: "read", strict: false, parameters: { type: "object" } };
    for (let step = 0; step < 6; step++) {
      const request = { model: "gpt-5.5", input, tools: [readTool], store: false, include: ["reasoning.encrypted_content" as const] };
      const { output } = stream ? await client.responses.stream(request).finalResponse() : await client.responses.create(request);
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
      const calls = output.flatMap((item) => (item.type === "function_call" ? [item.call_id] : []));
      for (const call_id of calls) input.push({ type: "function_call_output", call_id, output: `Text of ${call_id}` });
      if (calls.length > 0) continue;
      input = input
        .filter((item) => item.type !== "reasoning")
        .map(({ ...item }) => ("id" in item ? { ...item, id: undefined } : item) as never);
      input.push({ role: "user", content: "More." });
    }
    expect(sim.requests).toHaveLength(6);
    expect(refused(sim)).toEqual([]);
    for (const [at, request] of sim.requests.slice(1).entries())
      expect(checkPrefixContinuity(sim.requests[at]?.body ?? {}, request.body, { wire: openaiResponses() }).verdict).toBe("continues");
    expect(settled).toHaveLength(6);
    expect(JSON.stringify(sim.requests.at(-1)?.body).match(/"encrypted_content":"/g)).toHaveLength(5);
  });

  it("leaves a conversation alone that the provider holds", async () => {
    const sim = openaiResponsesSimulator({ script: working(1) });
    const fetch = contextFetch({ wires: [openaiResponses()], fetch: sim.fetch });
    const request = { model: "gpt-5.5", previous_response_id: "resp_0", input: "Go on." };
    await new OpenAI({ apiKey: "x", fetch, maxRetries: 0 }).responses.create(request).catch(() => undefined);
    expect(sim.requests[0]?.text).toBe(JSON.stringify(request));
  });
});

describe("contextFetch under Ollama's SDK", () => {
  it.each([false, true])("keeps a conversation append-only whose thinking a store lost (streaming: %s)", async (stream) => {
    const sim = ollamaSimulator({ script: working(2) });
    const settled: unknown[] = [];
    const fetch = contextFetch({ wires: [ollama()], fetch: sim.fetch, onSettled: (one) => settled.push(one.settled.usage.output) });
    const client = new Ollama({ fetch });
    const messages: { role: string; content: string; tool_name?: string; tool_calls?: never[] }[] = [
      { role: "user", content: "Read a.ts." },
    ];
    for (let step = 0; step < 6; step++) {
      const request = {
        model: "qwen3:8b",
        messages,
        tools: [{ type: "function", function: { name: "read", parameters: { type: "object", properties: {} } } }],
      };
      let said = { content: "", calls: [] as { function: { name: string } }[] };
      if (stream) {
        for await (const { message } of await client.chat({ ...request, stream: true, think: true }))
          said = { content: said.content + message.content, calls: [...said.calls, ...(message.tool_calls ?? [])] };
      } else {
        const { message } = await client.chat({ ...request, think: true });
        said = { content: message.content, calls: message.tool_calls ?? [] };
      }
      messages.push({ role: "assistant", content: said.content, ...(said.calls.length > 0 && { tool_calls: said.calls as never[] }) });
      if (said.calls.length > 0)
        for (const call of said.calls) messages.push({ role: "tool", tool_name: call.function.name, content: "Text." });
      else messages.push({ role: "user", content: "More." });
    }
    expect(sim.requests).toHaveLength(6);
    expect(refused(sim)).toEqual([]);
    for (const [at, request] of sim.requests.slice(1).entries())
      expect(checkPrefixContinuity(sim.requests[at]?.body ?? {}, request.body, { wire: ollama() }).bytes).toBeUndefined();
    expect(settled).toHaveLength(6);
    expect(JSON.stringify(sim.requests.at(-1)?.body).match(/"thinking":"/g)).toHaveLength(5);
  });
});
