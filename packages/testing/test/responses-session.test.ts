import { createSession, restoreSession, type Session, type Turn } from "@tidemark/core";
import { openaiResponses } from "@tidemark/core/openai-responses";
import OpenAI from "openai";
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseFunctionToolCall,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { openaiResponsesSimulator, type Simulator, seededActor } from "../src/index.ts";
import { stepTokens } from "../src/simulator/openai-responses/cache.ts";

type Request = ResponseCreateParamsNonStreaming;

const tools: Request["tools"] = [
  { type: "function", name: "read", description: "Reads a file.", parameters: { type: "object", properties: {} }, strict: false },
  { type: "function", name: "list", description: "Lists a folder.", parameters: { type: "object", properties: {} }, strict: false },
];
const instructions = `You look after the harbour's files. ${"Keep the tide tables in order. ".repeat(200)}`;

/** A host of the plainest kind: it keeps what the provider said and appends what it has to say. */
class Host {
  readonly input: ResponseInputItem[] = [{ role: "developer", content: instructions }];
  readonly sim: Simulator;
  readonly client: OpenAI;
  readonly model: string;
  session: Session<Request>;
  turns: Turn<Request>[] = [];

  constructor(model: string, sim: Simulator) {
    this.model = model;
    this.sim = sim;
    this.client = new OpenAI({ apiKey: "x", fetch: sim.fetch, maxRetries: 0 });
    this.session = createSession<Request>(settings);
  }

  restart(): void {
    this.session = restoreSession<Request>(JSON.parse(JSON.stringify(this.session.snapshot())), settings);
  }

  /** One request; every third is streamed. */
  async ask(): Promise<Response> {
    const turn = await this.session.prepare<Request>({ model: this.model, store: false, tools: tools ?? [], input: this.input });
    this.turns.push(turn);
    const reply = this.turns.length % 3 === 0 ? await this.#streamed(turn.request) : await this.client.responses.create(turn.request);
    turn.settle(reply);
    this.input.push(...(reply.output as ResponseInputItem[]));
    return reply;
  }

  async #streamed(request: Request): Promise<Response> {
    const accumulator = openaiResponses().accumulator();
    for await (const event of await this.client.responses.create({ ...request, stream: true })) accumulator.add(event);
    const { reply, finished } = accumulator.reply();
    expect(finished).toBe(true);
    return reply as Response;
  }

  /** A user's turn: what it says, and the tools until the model has nothing more to call. */
  async turn(text: string): Promise<void> {
    this.input.push({ role: "user", content: text });
    for (let step = 0; step < 8; step++) {
      const { output } = await this.ask();
      const calls = output.filter((item): item is ResponseFunctionToolCall => item.type === "function_call");
      if (calls.length === 0) return;
      for (const { call_id, name } of calls)
        this.input.push({
          type: "function_call_output",
          call_id,
          output: `${name} ${this.input.length}\n${"line of a file\n".repeat(40)}`,
        });
    }
    this.input.push({ role: "assistant", content: "Enough of that." });
  }
}

const settings = { wire: openaiResponses(), strict: true, selfCheck: true } as const;

/** GPT-6.2 binds reasoning and reads at breakpoints, GPT-5.4 renders one turn's reasoning unless asked, GPT-4.1 does not reason. */
const runs = [
  { model: "gpt-6.2-sol", turns: 100 },
  { model: "gpt-5.4", turns: 100 },
  { model: "gpt-5.6-sol", turns: 15 },
  { model: "gpt-4.1", turns: 15 },
];

describe.each(runs)("$turns turns with $model", ({ model, turns }) => {
  it("are never refused, and every request reads what the one before wrote", async () => {
    const script = seededActor({ seed: `harbour ${model}`, thinks: 0.8, callsMax: 3 });
    const host = new Host(model, openaiResponsesSimulator({ seed: "harbour", script }));
    for (let turn = 0; turn < turns; turn++) {
      if (turn % 12 === 11) host.restart();
      await host.turn(`Question ${turn}: what stands in the book of tides?`);
    }
    const { requests } = host.sim;
    expect(requests.length).toBeGreaterThan(turns * 1.5);
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(requests.flatMap(({ transformations }) => transformations)).toEqual([]);
    expect(host.turns.flatMap(({ continuity }) => continuity.checkpoints)).toEqual([]);
    const hasReasoning = JSON.stringify(requests.at(-1)?.body).includes('"type":"reasoning"');
    expect(hasReasoning).toBe(model !== "gpt-4.1");
    for (const [index, { cache }] of requests.entries()) {
      const before = requests[index - 1]?.cache;
      if (cache === undefined || before === undefined) continue;
      const last = before.breakpoints.at(-1);
      const written = last?.tokens ?? Math.floor(before.prompt / stepTokens(model)) * stepTokens(model);
      expect(cache.read, `request ${index}`).toBeGreaterThanOrEqual(written);
    }
    const sum = (of: "read" | "prompt") => requests.reduce((total, { cache }) => total + (cache?.[of] ?? 0), 0);
    expect(sum("read") / sum("prompt")).toBeGreaterThan(0.8);
  });
});
