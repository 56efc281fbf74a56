import { chain, createSession, type OverflowStrategy, onDemandCompaction, reset, type Session, server, type Turn } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { type OpenAIResponsesOptions, openaiResponses, type ResponsesRequest } from "@tidemark/core/openai-responses";
import { describe, expect, test } from "vitest";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { openaiResponsesSimulator } from "../../src/simulator/openai-responses/server.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";

type Item = { readonly type?: string; readonly role?: string; readonly call_id?: string; readonly [member: string]: unknown };

const prose = "copper linen quarry harbour meadow kettle winter garnet compass willow ";

/** A host on OpenAI's Responses, before the strict simulator. */
class ResponsesHost {
  history: Item[] = [];
  landings = 0;
  readonly session: Session<ResponsesRequest>;
  readonly #model: string;
  readonly #simulator;
  #scripted: ScriptedReply = {};

  constructor(
    model: string,
    strategy: (host: ResponsesHost) => OverflowStrategy,
    { wire = {}, budget }: { readonly wire?: OpenAIResponsesOptions; readonly budget?: object } = {},
  ) {
    this.#model = model;
    this.#simulator = openaiResponsesSimulator({ seed: model, script: () => this.#scripted });
    this.session = createSession<ResponsesRequest>({
      wire: openaiResponses(wire),
      strict: true,
      selfCheck: true,
      budget: { context: 6_000, output: 512, highWater: 3_000, lowWater: 1_200, ...budget },
      overflow: { strategy: strategy(this), minimumGain: 0 },
    });
    this.session.on("landing", () => {
      this.landings += 1;
    });
  }

  /** What the provider is asked to compact. */
  async compact(request: object, path: string, summary: string | null = "SUMMARY"): Promise<object> {
    const before = this.#scripted;
    this.#scripted = { summary };
    const answer = await this.#simulator.handle(request, { path });
    this.#scripted = before;
    expect(answer.refusal, JSON.stringify(answer.refusal)).toBeUndefined();
    return answer.reply;
  }

  async ask(words: string, scripted: ScriptedReply): Promise<Turn<ResponsesRequest>> {
    this.history.push({ type: "message", role: "user", content: [{ type: "input_text", text: words }] });
    return this.#exchange(scripted);
  }

  async results(words: string, scripted: ScriptedReply): Promise<Turn<ResponsesRequest>> {
    const last = this.history.findLastIndex(({ role, type }) => role === "user" || type === "function_call_output");
    const calls = this.history.slice(last + 1).filter(({ type }) => type === "function_call");
    for (const { call_id } of calls) this.history.push({ type: "function_call_output", call_id: call_id as string, output: words });
    return this.#exchange(scripted);
  }

  async #exchange(scripted: ScriptedReply): Promise<Turn<ResponsesRequest>> {
    const turn = await this.session.prepare({
      ...{ model: this.#model, store: false, max_output_tokens: 512, instructions: "You help." },
      tools: [{ type: "function", name: "read", parameters: { type: "object", properties: {} }, strict: false }],
      input: this.history,
    } as ResponsesRequest);
    this.#scripted = scripted;
    const answer = await this.#simulator.handle(turn.request, { headers: turn.headers });
    expect(answer.refusal, JSON.stringify(answer.refusal)).toBeUndefined();
    expect(answer.transformations).toEqual([]);
    turn.settle(answer.reply);
    this.history.push(...(structuredClone(answer.reply.output) as unknown as Item[]));
    return turn;
  }
}

const inputOf = (turn: Turn<ResponsesRequest>): readonly Item[] => turn.request.input as unknown as readonly Item[];

describe.each(["gpt-5.5", "gpt-5.6-sol", "gpt-6.2-sol"])("OpenAI's compaction on demand, on %s (rule 42)", (model) => {
  test.each(["endpoint", "trigger"] as const)(
    "by %s: lands, and the strict provider takes all that follows, in tool turns too",
    async (form) => {
      const path = form === "endpoint" ? "/v1/responses/compact" : "/v1/responses";
      const host = new ResponsesHost(
        model,
        (self) => onDemandCompaction({ send: (request) => self.compact(request, path), keepRecentTurns: 1 }),
        { wire: { compaction: form } },
      );
      await host.ask("my name is Ada", { thinking: "greet", text: "hello" });
      host.session.pin(host.history[0] as object);
      for (let round = 1; round <= 16; round++) {
        const asked = await host.ask(`question ${round}`, { thinking: `think ${round}`, calls: [{ name: "read", input: { round } }] });
        expect(JSON.stringify(asked.request.input)).toContain(`question ${round}`);
        const more = await host.results(`result ${round} ${prose.repeat(12)}`, {
          thinking: `more ${round}`,
          calls: [{ name: "read", input: {} }],
        });
        expect(JSON.stringify(more.request.input)).toContain(`result ${round} `);
        const turn = await host.results(`rest ${round} ${prose.repeat(12)}`, { thinking: `done ${round}`, text: `answer ${round}` });
        expect(JSON.stringify(turn.request.input)).toContain("my name is Ada");
        expect(turn.budget.tokens).toBeLessThanOrEqual(turn.budget.limits?.limit ?? 0);
      }
      expect(host.landings).toBeGreaterThan(1);
      expect(inputOf(await host.ask("bye", { text: "bye" })).filter(({ type }) => type === "compaction")).toHaveLength(1);
    },
  );

  test("a reply without its item is a failure, and nothing lands", async () => {
    const failures: string[] = [];
    const host = new ResponsesHost(
      model,
      (self) => onDemandCompaction({ send: (request) => self.compact(request, "/v1/responses", null) }),
      {
        wire: { compaction: "trigger" },
      },
    );
    host.session.on("overflow", ({ error }) => failures.push(error?.failure ?? ""));
    for (let round = 1; round <= 3; round++) await host.ask(`question ${round}`, { text: prose.repeat(4) });
    host.session.compact();
    await host.ask("on", { text: "yes" });
    expect(host.landings).toBe(0);
    expect(failures).toContain("invalid");
  });
});

test("a route of which nothing is known has no compaction: the fallback runs (rule 42)", async () => {
  const host = new ResponsesHost("gpt-5.5", () => onDemandCompaction({ send: () => Promise.reject(new Error("never")) }), {
    wire: { route: "xai" },
  });
  for (let round = 1; round <= 3; round++) await host.ask(`question ${round}`, { text: prose.repeat(4) });
  host.session.compact();
  expect(JSON.stringify((await host.ask("on", { text: "yes" })).request.input)).toContain("left out to make room");
});

describe("server: the provider compacts by its own threshold (rule 42)", () => {
  test.each(["gpt-5.5", "gpt-6.2-sol"])(
    "OpenAI, on %s: its item is replayed, nothing of the prefix changes, and what stands before it counts no more",
    async (model) => {
      const host = new ResponsesHost(model, () => chain(server({ tokens: 2_000 }), reset()), {
        budget: { context: 8_000, highWater: 3_000 },
      });
      let before = 0;
      let dropped = 0;
      for (let round = 1; round <= 12; round++) {
        await host.ask(`question ${round}`, { thinking: `think ${round}`, calls: [{ name: "read", input: { round } }] });
        const turn = await host.results(`result ${round} ${prose.repeat(14)}`, { thinking: `done ${round}`, text: `answer ${round}` });
        expect(turn.request).toMatchObject({ context_management: [{ type: "compaction", compact_threshold: 2_000 }] });
        expect(turn.continuity.checkpoints).toEqual([]);
        expect(turn.budget.tokens).toBeLessThan(3_500);
        if (turn.budget.tokens < before) dropped += 1;
        before = turn.budget.tokens;
      }
      expect(dropped).toBeGreaterThan(1);
      expect(host.landings).toBe(0);
      expect(host.history.filter(({ type }) => type === "compaction").length).toBeGreaterThan(1);
    },
  );

  test("Anthropic: its block is replayed, and thinking made behind it stays valid", async () => {
    let scripted: ScriptedReply = {};
    const simulator = anthropicSimulator({ seed: "server", mode: "error", script: () => scripted });
    const session = createSession<AnthropicRequest>({
      wire: anthropic(),
      ...{ strict: true, selfCheck: true, headers: true },
      budget: { context: 120_000, output: 1_000, highWater: 60_000 },
      overflow: chain(server({ tokens: 50_000 }), reset()),
    });
    let landings = 0;
    session.on("landing", () => {
      landings += 1;
    });
    const messages: { role: "user" | "assistant"; content: unknown }[] = [];
    const sizes: number[] = [];
    let explained = 0;
    for (let round = 1; round <= 14; round++) {
      messages.push({ role: "user", content: `question ${round} ${prose.repeat(550)}` });
      const turn = await session.prepare({
        model: "claude-opus-5-5",
        max_tokens: 1_000,
        messages: messages as AnthropicRequest["messages"],
      });
      expect(turn.headers["anthropic-beta"]).toContain("compact-2026-01-12");
      expect(turn.continuity.checkpoints).toEqual([]);
      sizes.push(turn.budget.tokens);
      scripted = { thinking: `think ${round}`, text: `answer ${round}` };
      const answer = await simulator.handle(turn.request, { headers: turn.headers });
      expect(answer.refusal, JSON.stringify(answer.refusal)).toBeUndefined();
      turn.settle(answer.reply);
      const compactedBefore = (messages.at(-2)?.content as { type: string }[] | undefined)?.[0]?.type === "compaction";
      explained += compactedBefore ? 1 : 0;
      if (compactedBefore)
        expect(session.explain()).toMatchObject({
          verdict: "provider",
          evidence: expect.arrayContaining([expect.stringContaining("compacted")]),
        });
      messages.push({ role: "assistant", content: structuredClone(answer.reply.content) });
    }
    expect(landings).toBe(0);
    const blocks = messages.flatMap(({ role, content }) => (role === "assistant" ? (content as { type: string }[]) : []));
    expect(blocks.filter(({ type }) => type === "compaction").length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(80_000);
    expect(explained).toBeGreaterThan(0);
  });

  test("writes no field whose beta header nobody sends (rule 58), and leaves the host's own threshold as it is", async () => {
    const request = { model: "claude-opus-5-5", max_tokens: 1_000, messages: [{ role: "user" as const, content: "hello" }] };
    const overflow = server({ tokens: 50_000 });
    const silent = await createSession<AnthropicRequest>({ wire: anthropic(), overflow }).prepare(request);
    expect(silent.request).not.toHaveProperty("context_management");
    const own = { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 90_000 } }] };
    const turn = await createSession<AnthropicRequest>({ wire: anthropic(), overflow, headers: true }).prepare({
      ...request,
      context_management: own,
    } as AnthropicRequest);
    expect(turn.request).toMatchObject({ context_management: own });
  });

  test("beside onDemandCompaction in one tree it is one warning at construction", async () => {
    const send = (): Promise<object> => Promise.reject(new Error("never"));
    for (const [strategy, count] of [
      [chain(server({ tokens: 50_000 }), onDemandCompaction({ send })), 1],
      [chain(server({ tokens: 50_000 }), reset()), 0],
    ] as const) {
      const warnings: string[] = [];
      createSession<AnthropicRequest>({ wire: anthropic(), overflow: strategy }).on("warning", ({ code }) => warnings.push(code));
      await Promise.resolve();
      expect(warnings).toEqual(Array.from({ length: count }, () => "two-compactions"));
    }
  });
});
