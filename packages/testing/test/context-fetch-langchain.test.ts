import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { checkPrefixContinuity, reset, type Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { type ContextFetchOptions, contextFetch, type Fetch, type SentRequest } from "@tidemark/core/fetch";
import { gemini } from "@tidemark/core/gemini";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { createAgent, createMiddleware, tool } from "langchain";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  anthropicSimulator,
  geminiSimulator,
  ollamaSimulator,
  openaiChatSimulator,
  openaiResponsesSimulator,
  type Script,
  type Simulator,
} from "../src/index.ts";

/** A chat model of LangChain over the strict simulator of its provider. */
type Host = {
  readonly name: string;
  readonly wire: Wire;
  simulate(script: Script): Simulator;
  model(fetch: Fetch): BaseChatModel;
  /** What the provider says to the history as LangChain hands it back by itself; undefined: it takes it. */
  readonly refuses?: string;
  /** Reasoning that goes back: all of it, or none since there is none. */
  readonly reasons: boolean;
  /** Reasoning that goes back without Tidemark in the last of nine requests. */
  readonly reasonsWithout: number;
  /** The class hands a failure on. */
  readonly retries?: false;
};

const responses = { model: "gpt-5.5", useResponsesApi: true, zdrEnabled: true, reasoning: { effort: "low", summary: "auto" } } as const;

const hosts: readonly Host[] = [
  {
    name: "ChatAnthropic",
    wire: anthropic(),
    simulate: (script) => anthropicSimulator({ script }),
    model: (fetch) =>
      new ChatAnthropic({ apiKey: "x", model: "claude-opus-5-5", maxTokens: 1_000, maxRetries: 2, clientOptions: { fetch } }),
    reasons: true,
    reasonsWithout: 8,
  },
  {
    name: "ChatOpenAI",
    wire: openaiChat(),
    simulate: (script) => openaiChatSimulator({ script }),
    model: (fetch) => new ChatOpenAI({ apiKey: "x", model: "gpt-5.5", maxRetries: 2, configuration: { fetch } }),
    reasons: false,
    reasonsWithout: 0,
  },
  {
    name: "ChatOpenAI on DeepSeek, whose reasoning it drops",
    wire: openaiChat({ dialect: "deepseek" }),
    simulate: (script) => openaiChatSimulator({ script, dialect: "deepseek" }),
    model: (fetch) => new ChatOpenAI({ apiKey: "x", model: "deepseek-v4-pro", maxRetries: 2, configuration: { fetch } }),
    refuses: "DS-10",
    reasons: true,
    reasonsWithout: 0,
  },
  {
    name: "ChatOpenAI on Responses",
    wire: openaiResponses(),
    simulate: (script) => openaiResponsesSimulator({ script }),
    model: (fetch) => new ChatOpenAI({ ...responses, apiKey: "x", maxRetries: 2, configuration: { fetch } }),
    reasons: true,
    reasonsWithout: 8,
  },
  {
    name: "ChatOpenAI on Responses, messages of version 1",
    wire: openaiResponses(),
    simulate: (script) => openaiResponsesSimulator({ script }),
    model: (fetch) => new ChatOpenAI({ ...responses, outputVersion: "v1", apiKey: "x", maxRetries: 2, configuration: { fetch } }),
    reasons: true,
    reasonsWithout: 8,
  },
  {
    name: "ChatOllama, which drops thinking and makes up ids",
    wire: ollama(),
    simulate: (script) => ollamaSimulator({ script }),
    model: (fetch) => new ChatOllama({ model: "qwen3:8b", think: true, maxRetries: 2, fetch }),
    reasons: true,
    reasonsWithout: 0,
    retries: false,
  },
  {
    name: "ChatGoogleGenerativeAI, which takes no fetch, drops ids and makes up signatures",
    wire: gemini(),
    simulate: (script) => geminiSimulator({ script }),
    model: (fetch) => {
      vi.stubGlobal("fetch", fetch);
      return new ChatGoogleGenerativeAI({ apiKey: "x", model: "gemini-3.8-flash", maxRetries: 2 });
    },
    refuses: "GE-09",
    reasons: true,
    reasonsWithout: 0,
  },
];

/** Calls a tool twice at once in every step but each third, which ends the turn. */
const working: Script = (_request, position) =>
  position % 3 === 2
    ? { thinking: `It is done ${position}.`, text: `Done ${position}.` }
    : {
        thinking: `Which file ${position}?`,
        text: `Looking ${position}.`,
        calls: ["a", "b"].map((part) => ({ name: "read", input: { path: `${position}${part}.ts`, "10": 1, "2": 2 } })),
      };

const read = tool(async ({ path }: { readonly path: string }) => `Text of ${path}.`, {
  name: "read",
  description: "Reads a file.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

const ways = ["invoke", "stream"] as const;

/** Three turns of an agent, each with the history that LangChain handed back. What it handed back is compared with a copy. */
async function threeTurns(model: BaseChatModel, way: (typeof ways)[number], more: { readonly thread?: string } = {}): Promise<void> {
  const agent = createAgent({ model, tools: [read], systemPrompt: "You read files.", middleware: more.thread ? [namesThread] : [] });
  const config = { configurable: { thread_id: more.thread ?? "none" } };
  let messages: BaseMessage[] = [];
  for (const question of ["Read a.", "Read b.", "Read c."]) {
    const before = JSON.stringify(messages);
    const given = { messages: [...messages, { role: "user" as const, content: question }] };
    let state: { readonly messages: BaseMessage[] } = { messages: [] };
    if (way === "invoke") state = await agent.invoke(given, config);
    else
      for await (const [mode, chunk] of await agent.stream(given, { ...config, streamMode: ["values", "messages"] }))
        if (mode === "values") state = chunk as typeof state;
    messages = state.messages;
    expect(JSON.stringify(messages.slice(0, JSON.parse(before).length))).toBe(before);
  }
}

/** What an agent's author writes to name the conversation: a header of the call, which differs between the two classes that take one. */
const namesThread = createMiddleware({
  name: "NamesThread",
  wrapModelCall: (request, handler) => {
    const headers = { "x-tidemark-session": String(request.runtime.configurable?.thread_id) };
    return handler({ ...request, modelSettings: { ...request.modelSettings, headers, options: { headers } } });
  },
});

const refused = (sim: Simulator) => sim.requests.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.rule]));

/** Requests of which one does not continue the one before. Google's model stands in the path. */
function breaks(sim: Simulator, wire: Wire, requests = sim.requests): readonly (string | undefined)[] {
  const whole = requests.map(({ body, path }) => ({ model: path, ...body }));
  const reports = whole.slice(1).map((body, index) => checkPrefixContinuity(whole[index] ?? {}, body, { wire }));
  return reports.flatMap(({ verdict, path }) => (verdict === "continues" ? [] : [path]));
}

function reasoningIn(sim: Simulator): number {
  const named = /"type":"thinking"|"reasoning_content":"[^"]|"encrypted_content":"|"thinking":"[^"]+"(?!,"signature)|"thoughtSignature":"/g;
  return sim.requests.at(-1)?.text.match(named)?.length ?? 0;
}

function contextOver(sim: Simulator, host: Host, more: Partial<ContextFetchOptions> = {}): { fetch: Fetch; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  return { sent, fetch: contextFetch({ wires: [host.wire], fetch: sim.fetch, onTurn: (turn) => sent.push(turn), ...more }) };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(hosts.map((host) => [host.name, host] as const))("contextFetch under LangChain's %s", (_name, host) => {
  it.each(ways)("keeps an agent's requests append-only in the loop and over turns, with all reasoning (%s)", async (way) => {
    const without = host.simulate(working);
    const end = await threeTurns(host.model(without.fetch), way).catch(() => "refused");
    if (host.refuses !== undefined) expect([end, refused(without)[0]]).toEqual(["refused", host.refuses]);
    else expect([refused(without), reasoningIn(without)]).toEqual([[], host.reasonsWithout]);

    for (const session of [() => "one", () => undefined]) {
      const sim = host.simulate(working);
      const settled: number[] = [];
      const { fetch, sent } = contextOver(sim, host, { session, onSettled: ({ settled: { usage } }) => settled.push(usage.output ?? 0) });
      await threeTurns(host.model(fetch), way);
      expect(sim.requests).toHaveLength(9);
      expect(refused(sim)).toEqual([]);
      expect(breaks(sim, host.wire)).toEqual([]);
      expect(reasoningIn(sim)).toBe(host.reasons ? 8 : 0);
      expect(sent.flatMap(({ turn }) => turn.continuity.checkpoints)).toEqual([]);
      expect(settled.filter((tokens) => tokens > 0)).toHaveLength(9);
    }
  });

  it("never mixes conversations that run at once and begin alike", async () => {
    const sim = host.simulate((request, position) => ({ ...working(request, repliesIn(request) % 3), ...aboutRequest(request, position) }));
    const { fetch, sent } = contextOver(sim, host);
    const model = host.model(fetch);
    const agent = createAgent({ model, tools: [read], systemPrompt: "You read files." });
    await Promise.all(
      ["x", "y", "z"].map(async (name) => {
        const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Read a." }] });
        await agent.invoke({ messages: [...messages, { role: "user", content: `Now ${name}.` }] });
      }),
    );
    expect(sim.requests).toHaveLength(18);
    expect(refused(sim)).toEqual([]);
    expect(sent.flatMap(({ turn }) => turn.continuity.checkpoints)).toEqual([]);
    for (const name of ["x", "y", "z"]) {
      const own = sim.requests.filter(({ text }) => text.includes(`Now ${name}.`));
      expect(own).toHaveLength(3);
      expect(breaks(sim, host.wire, own)).toEqual([]);
    }
  });

  it.skipIf(host.retries === false)("is the same request when LangChain retries", async () => {
    let failures = 0;
    const sim = host.simulate((request, position) => {
      if (position === 1 || position === 5) {
        failures += 1;
        return { error: { status: 503 } };
      }
      return working(request, position - failures);
    });
    const hasty: Fetch = async (input, init) => {
      const response = await sim.fetch(input, init);
      if (!response.ok) response.headers.set("retry-after-ms", "1");
      return response;
    };
    const { fetch } = contextOver({ ...sim, fetch: hasty }, host, { session: () => "one" });
    await threeTurns(host.model(fetch), "invoke");
    expect(sim.requests.map(({ status }) => status).filter((status) => status !== 200)).toEqual([503, 503]);
    expect(sim.requests[2]?.text).toBe(sim.requests[1]?.text);
    expect(breaks(sim, host.wire)).toEqual([]);
  });
});

/** Replies to other requests say something else. */
function aboutRequest(request: object, position: number): { readonly thinking: string } {
  return { thinking: `Thought ${position} of ${JSON.stringify(request).length}.` };
}

function repliesIn(request: Readonly<Record<string, unknown>>): number {
  if (request.input !== undefined) return (request.input as { readonly type?: string }[]).filter(({ type }) => type === "reasoning").length;
  const messages = (request.messages ?? request.contents) as readonly { readonly role: string }[];
  return messages.filter(({ role }) => role === "assistant" || role === "model").length;
}

describe("under an agent of LangChain", () => {
  it.each(hosts.filter(({ name }) => /^Chat(Anthropic|OpenAI)$/.test(name)).map((host) => [host.name, host] as const))(
    "a middleware names the conversation by its thread, and the name stays here (%s)",
    async (_name, host) => {
      const sim = host.simulate(working);
      const { fetch, sent } = contextOver(sim, host);
      await threeTurns(host.model(fetch), "invoke", { thread: "thread seven" });
      expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(["thread seven"]));
      expect(JSON.stringify(sim.requests)).not.toContain("thread seven");
    },
  );

  it("a prompt that the provider refuses for its length is sent once more with room made, and the thread goes on", async () => {
    const [host] = hosts as [Host];
    const sim = host.simulate((request, position) => {
      const tooLong = position === 3 && JSON.stringify(request).includes("Text of 0a.ts");
      return tooLong
        ? { error: { status: 400, message: "prompt is too long: 300000 tokens > 200000 maximum" } }
        : working(request, position > 3 ? position - 1 : position);
    });
    const { fetch, sent } = contextOver(sim, host, { session: () => "one", sessions: { overflow: reset() } });
    await threeTurns(host.model(fetch), "invoke");
    expect(sim.requests.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200, 200, 200, 200, 200, 200]);
    expect(sent.flatMap(({ turn }) => turn.continuity.checkpoints).map(({ reason }) => reason)).toEqual(["compaction"]);
    expect(breaks(sim, host.wire, sim.requests.slice(4))).toEqual([]);
  });
});
