import { chain, onDemandCompaction, reset, type Summarizer, summarize } from "@tidemark/core";
import { convertToModelMessages, generateText, isStepCount, type ModelMessage, streamText, ToolLoopAgent, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  compactModelMessages,
  type PromptLanding,
  planCompaction,
  sender,
  summarizer,
  type TidemarkOptions,
  withTidemark,
} from "../src/index.ts";
import { landingsOf } from "../src/landing.ts";
import { claude, compatible, hosts, named, refused, thinkingCount, turnOf, working } from "./hosts.ts";

const profiles = { "anthropic.messages/claude-opus-5-5": { context: 16_000, outputMax: 1_000 } };
const long = (name: string): string => `Line of ${name} that says what it does.\n`.repeat(60);
const longTools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => long(path),
  }),
  list: tool({ description: "Lists a folder.", inputSchema: z.object({ path: z.string() }), execute: ({ path }) => `Folder ${path}` }),
};

const counting = (): { readonly summarizer: Summarizer; readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    summarizer: async ({ transcript }) => {
      asked.push(transcript);
      return { text: `Summary ${asked.length}.`, complete: true, refused: false };
    },
  };
};

describe.each(["generate", "stream"] as const)("a window that is too full (%s)", (way) => {
  it("carries on through sixty steps of a ToolLoopAgent with bound thinking, and no request is refused", async () => {
    const sim = claude.simulate(working(60));
    const landings: PromptLanding[] = [];
    const model = withTidemark(claude.model(sim), {
      profiles,
      sessions: { overflow: reset() },
      onLanding: (landing) => landings.push(landing),
    });
    const agent = new ToolLoopAgent({
      model,
      tools: longTools,
      instructions: "You read files.",
      maxOutputTokens: 1_000,
      stopWhen: isStepCount(100),
      providerOptions: named("one").providerOptions,
    });
    if (way === "generate") await agent.generate({ prompt: "Read everything." });
    else await (await agent.stream({ prompt: "Read everything." })).consumeStream();
    expect(sim.requests).toHaveLength(60);
    expect(refused(sim)).toEqual([]);
    expect(landings.length).toBeGreaterThanOrEqual(2);
    expect(sim.requests.filter(({ text }) => text.includes("block_binding"))).toEqual([]);
    expect(Math.max(...sim.requests.map(({ text }) => text.length))).toBeLessThan(16_000 * 6);
    expect(thinkingCount(sim)).toBeGreaterThan(0);
  });

  it("carries on through sixty steps with one landing that the provider signs and one that folds the loop", async () => {
    let compactions = 0;
    const sim = claude.simulate((request, position) =>
      request.compaction === undefined ? working(60)(request, position - Math.min(compactions, 1)) : { summary: "Files were read." },
    );
    const asks = sender(claude.model(sim));
    const once: typeof asks = (request, more) => {
      compactions += 1;
      return compactions === 1 ? asks(request, more) : Promise.reject(new Error("The provider has no time."));
    };
    const landings: PromptLanding[] = [];
    const thinking: number[] = [];
    const model = withTidemark(claude.model(sim), {
      profiles,
      sessions: { overflow: chain(onDemandCompaction({ send: once }), reset()) },
      onLanding: (landing) => {
        landings.push(landing);
        thinking.push(sim.requests.length);
      },
    });
    const agent = new ToolLoopAgent({
      model,
      tools: longTools,
      instructions: "You read files.",
      maxOutputTokens: 1_000,
      stopWhen: isStepCount(100),
      providerOptions: named("one").providerOptions,
    });
    if (way === "generate") await agent.generate({ prompt: "Read everything." });
    else await (await agent.stream({ prompt: "Read everything." })).consumeStream();
    const steps = sim.requests.filter(({ body }) => body.compaction === undefined);
    expect(steps).toHaveLength(60);
    expect(refused(sim)).toEqual([]);
    expect(landings.map(({ signed }) => signed).slice(0, 2)).toEqual([true, false]);
    expect(landings[0]?.replacement).toMatchObject([{ role: "assistant", content: [{ text: "Files were read." }] }]);
    // Behind the provider's block the kept steps go out with their thinking.
    const signed = String(sim.requests[thinking[0] as number]?.text);
    expect(signed).toContain('"type":"compaction"');
    expect(signed).toContain('"type":"thinking"');
    expect(sim.requests.filter(({ text }) => text.includes("block_binding"))).toEqual([]);
  });

  it("lands once where the host stores the replacement, keeps its words, and later reasoning with its signatures", async () => {
    const sim = claude.simulate(working(3));
    const { summarizer: writes, asked } = counting();
    const landings: PromptLanding[] = [];
    const model = withTidemark(claude.model(sim), {
      profiles,
      sessions: { overflow: summarize({ summarizer: writes, keepRecentTurns: 1 }) },
      onLanding: (landing) => landings.push(landing),
    });
    let history: ModelMessage[] = [];
    for (let turn = 0; turn < 7; turn++) {
      const before = landings.length;
      await turnOf(model, history, `Read file ${turn}. ${turn < 3 ? long(`question ${turn}`).repeat(3) : ""}`, {
        way,
        tools: longTools as never,
        maxOutputTokens: 1_000,
        ...named("one"),
      });
      for (const landing of landings.slice(before)) history = compactModelMessages(history, landing);
    }
    expect(refused(sim)).toEqual([]);
    expect(asked).toHaveLength(landings.length);
    expect(landings).toHaveLength(1);
    expect(JSON.stringify(history)).toContain("Summary 1.");
    expect(JSON.stringify(sim.requests.at(-1)?.body)).toContain("Summary 1.");
    const stored = history.flatMap(({ role, content }) => (role === "assistant" && Array.isArray(content) ? content : []));
    const reasonings = stored.filter(({ type }) => type === "reasoning").length;
    expect(reasonings).toBeGreaterThan(5);
    expect(thinkingCount(sim)).toBeGreaterThanOrEqual(reasonings - 1);
  });
});

describe("a refusal for length", () => {
  const options: TidemarkOptions = { sessions: { overflow: reset() } };
  const history: ModelMessage[] = Array.from({ length: 9 }, (_, index) => ({
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${index} ${long(String(index)).repeat(4)}`,
  }));

  /** How each provider says it. */
  const says: Readonly<Record<string, string>> = {
    [claude.name]: "prompt is too long: 201234 tokens > 200000 maximum",
    "@ai-sdk/google": "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
  };
  const usually = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";

  it.each(hosts.map((host) => [host.name, host] as const))(
    "is answered once, generating and streaming, and the host's messages stay as they are: %s",
    async (name, host) => {
      for (const way of ["generate", "stream"] as const) {
        const sim = host.simulate((request, position) =>
          position === 0 ? { error: { status: 400, message: says[name] ?? usually } } : working(1)(request, position),
        );
        const model = withTidemark(host.model(sim), options);
        const before = structuredClone(history);
        const call = { model, messages: history, maxRetries: 0, ...named("one") };
        const text = way === "generate" ? (await generateText(call)).text : await streamText(call).text;
        expect(text).toBe("Done 1.");
        expect(sim.requests.map(({ status }) => status)).toEqual([400, 200]);
        expect(sim.requests[1]?.text.length).toBeLessThan((sim.requests[0]?.text.length ?? 0) / 2);
        expect(history).toEqual(before);
      }
    },
  );

  it("goes to the host as the SDK's own error where no room is made", async () => {
    const sim = claude.simulate(() => ({ error: { status: 400, message: "prompt is too long: 201234 tokens > 200000 maximum" } }));
    const call = (model: ReturnType<typeof claude.model>) => generateText({ model, messages: history, maxRetries: 0, ...named("one") });
    await expect(call(withTidemark(claude.model(sim)))).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("too long"),
    });
    await expect(call(withTidemark(claude.model(sim), options))).rejects.toMatchObject({ statusCode: 400 });
    expect(sim.requests).toHaveLength(3);
  });
});

describe("planCompaction", () => {
  const plan = (messages: readonly ModelMessage[], host = claude, more: object = {}) =>
    planCompaction(messages, { model: host.model(host.simulate(working(1))), keepRecentTurns: 1, ...more });

  /** A conversation of three turns that no session has seen. */
  async function talked(host = claude): Promise<ModelMessage[]> {
    const sim = host.simulate(working(3));
    const history: ModelMessage[] = [];
    for (const name of ["a", "b", "c"]) await turnOf(host.model(sim), history, `Read ${name}.`, { tools: longTools as never });
    return history;
  }
  const reasoningIn = (messages: readonly ModelMessage[]): number =>
    messages
      .flatMap(({ content }): readonly { type: string }[] => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "reasoning").length;

  it("says what to summarise and how, as plain JSON, and the messages are compacted with the summary that a host had written", async () => {
    const history = await talked();
    const before = structuredClone(history);
    const made = await plan(history);
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    expect(made?.transcript).toContain("Line of 1.ts");
    expect(made?.transcript).not.toContain("Read c.");
    expect(made?.replaces).toEqual({ from: 0, to: history.findIndex(({ content }) => content === "Read c.") });
    const stored = compactModelMessages(history, JSON.parse(JSON.stringify(made)), "Two files were read.");
    expect(history).toEqual(before);
    expect(JSON.stringify(stored[0])).toContain("Two files were read.");
    expect(stored.slice(1).map(({ role }) => role)).toEqual(history.slice(made?.replaces?.to).map(({ role }) => role));
    expect(reasoningIn(history.slice(made?.replaces?.to))).toBe(3);
    expect(reasoningIn(stored)).toBe(0);
    const sim = claude.simulate(working(3));
    await turnOf(claude.model(sim), stored, "Read d.", { tools: longTools as never });
    expect(refused(sim)).toEqual([]);
  });

  it("keeps the reasoning that the provider does not bind to what was replaced", async () => {
    const history = await talked(compatible);
    const made = await plan(history, compatible);
    expect(reasoningIn(compactModelMessages(history, made as never, "Read."))).toBe(3);
  });

  it("keeps calls with their results, leaves what came later alone, and refuses a plan without its summary", async () => {
    const history = await talked();
    const made = await plan(history, claude, { keepRecentTurns: 0 });
    const later: ModelMessage[] = [...history, { role: "user", content: "More?" }, { role: "assistant", content: thought("Yes.") }];
    const stored = compactModelMessages(later, made as never, "All was read.");
    expect(stored.at(-1)).toEqual(later.at(-1));
    expect(JSON.stringify(stored).match(/"tool-call"/g)?.length ?? 0).toBe(JSON.stringify(stored).match(/"tool-result"/g)?.length ?? 0);
    expect(() => compactModelMessages(later, made as never)).toThrow("$.summary");
    expect(await plan([{ role: "user", content: "Hello" }])).toBeUndefined();
  });
});

const thought = (text: string) => [
  { type: "reasoning" as const, text: "So.", providerOptions: { anthropic: { signature: "c2lnbmVk" } } },
  { type: "text" as const, text },
];

describe("a replacement as UI messages", () => {
  it("is the same messages once they are converted, a provider's block among them", async () => {
    const block = { anthropic: { type: "compaction", signature: "c2ln" } };
    const file = { type: "file", mediaType: "text/plain", filename: "a.txt", data: { type: "data", data: "aGk=" } };
    const replacement = [
      { role: "assistant", content: [{ type: "text", text: "Files were read.", providerOptions: block }] },
      { role: "user", content: [{ type: "text", text: "And this?" }, file] },
    ];
    const turn = { number: 1, continuity: { checkpoints: [] } };
    const landing = { turn: 1, number: 3, replaces: { from: 1, to: 5 }, replacement };
    const [made] = landingsOf({ id: "one", session: { landings: [landing] }, turn } as never, 1, 9);
    expect(made?.replaces).toEqual({ from: 0, to: 4 });
    const converted = await convertToModelMessages([...(made?.uiReplacement ?? [])]);
    expect(converted).toMatchObject([
      { role: "assistant", content: [{ type: "text", text: "Files were read.", providerOptions: block }] },
      { role: "user", content: [{ text: "And this?" }, { type: "file", mediaType: "text/plain", filename: "a.txt" }] },
    ]);
    expect(made?.replacement[1]).toMatchObject({ content: [{}, { data: "aGk=" }] });
    expect(JSON.stringify(converted)).toContain("aGk=");
  });
});

describe("summarizer", () => {
  it("asks the model that it is given for the transcript's summary", async () => {
    const sim = claude.simulate((request) => ({ text: JSON.stringify(request).includes("question 1") ? "What was asked: 1." : "?" }));
    const summary = await summarizer(claude.model(sim))(
      { instructions: "Summarise.", transcript: "question 1", previous: undefined, tokensMax: 300, request: {}, headers: {} },
      { signal: new AbortController().signal },
    );
    expect(summary).toMatchObject({ text: "What was asked: 1.", complete: true, refused: false });
    expect(sim.requests[0]?.body).toMatchObject({ max_tokens: 300, system: [{ text: "Summarise." }] });
  });

  it("that is the wrapped model of its own session fails at once and says so", async () => {
    const sim = claude.simulate(working(1));
    const failures: unknown[] = [];
    const own: { model?: ReturnType<typeof withTidemark> } = {};
    const asksItself: Summarizer = async (input, more) => {
      try {
        const model = own.model as ReturnType<typeof withTidemark>;
        return await generateText({ model, prompt: input.transcript, abortSignal: more.signal, ...named("one") }).then(({ text }) => ({
          text,
          complete: true,
          refused: false,
        }));
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
    own.model = withTidemark(claude.model(sim), {
      profiles,
      sessions: { overflow: summarize({ summarizer: asksItself, keepRecentTurns: 1 }) },
    });
    const messages: ModelMessage[] = Array.from({ length: 9 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `${index} ${long(String(index)).repeat(4)}`,
    }));
    await generateText({ model: own.model, messages, maxOutputTokens: 1_000, maxRetries: 0, ...named("one") }).catch(() => undefined);
    expect(failures).toMatchObject([{ code: "session-waits-for-itself" }]);
  });
});
