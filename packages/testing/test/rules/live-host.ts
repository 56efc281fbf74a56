import {
  createSession,
  type ObjectValue,
  restoreSession,
  type Session,
  type SessionOptions,
  type Settled,
  type Turn,
} from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { expect } from "vitest";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { manualClock } from "../../src/simulator/clock.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

export type Block = { readonly type: string; readonly [member: string]: unknown };
export type Message = { readonly role: "user" | "assistant" | "system"; readonly content: string | readonly Block[] };
export type Sent = { readonly turn: Turn<AnthropicRequest>; readonly answer: SimulatedRequest };

/** A host that talks to the strict Anthropic simulator through a session. In error mode the simulator refuses thinking whose prefix changed: here every request must be taken. */
export class LiveHost {
  readonly clock = manualClock();
  history: Message[] = [];
  head: { model: string; system: string; tools: readonly { name: string; description?: string }[]; [member: string]: unknown } = {
    ...{ model: "claude-opus-5-5", max_tokens: 1_000 },
    ...{ system: "You help with files.", tools: [{ name: "read" }] },
  };
  session: Session<AnthropicRequest>;
  settled: Settled | undefined;
  readonly #options: SessionOptions<AnthropicRequest>;
  #scripted: ScriptedReply = {};
  #simulator = this.#providerOf(undefined);

  constructor(options: Partial<SessionOptions<AnthropicRequest>> = {}) {
    this.#options = { wire: anthropic(), strict: true, selfCheck: true, now: () => this.clock.now(), ...options };
    this.session = createSession(this.#options);
  }

  request(): AnthropicRequest & { readonly [member: string]: unknown } {
    const tools = this.head.tools.map((tool) => ({ ...tool, input_schema: { type: "object" } }));
    return { ...this.head, tools, messages: this.history };
  }

  /** Sends the history as it stands through the session. */
  async send(reply: ScriptedReply): Promise<Sent> {
    const turn = await this.session.prepare(this.request());
    const answer = await this.#handle(turn.request, reply, turn.headers);
    expect(answer.refusal, JSON.stringify(answer.refusal)).toBeUndefined();
    return { turn, answer };
  }

  /** Sends it, settles the reply and stores it. */
  async exchange(reply: ScriptedReply): Promise<Sent> {
    const sent = await this.send(reply);
    this.settled = sent.turn.settle(sent.answer.reply);
    this.store(sent);
    return sent;
  }

  async ask(words: string, reply: ScriptedReply): Promise<Sent> {
    this.say(words);
    return this.exchange(reply);
  }

  /** The calls of the last reply come back, and the loop goes on. */
  async results(words: string, reply: ScriptedReply): Promise<Sent> {
    const { content } = this.history.at(-1) as Message;
    const calls = (content as readonly Block[]).filter(({ type }) => type === "tool_use");
    this.history.push({ role: "user", content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: words })) });
    return this.exchange(reply);
  }

  say(words: string): void {
    this.history.push({ role: "user", content: words });
  }

  store({ answer }: Sent): void {
    this.history.push({ role: "assistant", content: structuredClone(answer.reply.content) as unknown as readonly Block[] });
  }

  edit(at: number, change: (block: Block) => Block): void {
    const message = this.history[at] as Message;
    const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    this.history[at] = { role: message.role, content: blocks.map(change) };
  }

  /** From here on the same provider is asked with the key of another organisation, to which thinking is bound. */
  moveTo(organisation: string): void {
    this.#simulator = this.#providerOf(organisation);
  }

  restore(): void {
    this.session = restoreSession(JSON.parse(JSON.stringify(this.session.snapshot())), this.#options);
  }

  /** What the provider says to a host that sends the same history without Tidemark: the rule by which it refuses, if it does. */
  async without(): Promise<string | undefined> {
    const { refusal } = await this.#handle(this.request(), { text: "nobody hears this" }, {});
    return refusal?.rule;
  }

  #providerOf(organisation: string | undefined): Simulator {
    const account = organisation === undefined ? {} : { organisation };
    return anthropicSimulator({ seed: "rules", clock: this.clock, mode: "error", script: () => this.#scripted, ...account });
  }

  #handle(body: object, reply: ScriptedReply, headers: Readonly<Record<string, string>>): Promise<SimulatedRequest> {
    this.#scripted = reply;
    return this.#simulator.handle(body, { headers });
  }
}

export const reworded = (block: Block): Block =>
  block.type === "tool_result" ? { ...block, content: "[cleared]" } : { ...block, text: `${String(block.text)}, reworded` };

/** The thinking that a request sends, in order. */
export function thoughts({ turn }: Sent): readonly string[] {
  const messages = turn.request.messages as readonly { readonly content: readonly ObjectValue[] }[];
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "thinking" ? [String(block.thinking)] : [])));
}

export function breaks({ turn }: Sent): readonly string[] {
  return turn.continuity.checkpoints.map(({ reason, at }) => `${reason} at ${at}`);
}
