import { createSession, type OverflowStrategy, type Session, type Turn } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { expect, test } from "vitest";
import { anthropicSimulator } from "../simulator/anthropic/server.ts";
import type { ScriptedReply } from "../simulator/script.ts";

/** A strategy under test. `make` is called anew for each test; a summariser in it should answer by itself. */
export type StrategySubject = { readonly name: string; readonly make: () => OverflowStrategy };

type Message = { role: "user" | "assistant"; content: unknown };

/** What a session relies on when it runs a strategy. */
export function strategyPromises({ make }: StrategySubject): void {
  test("brings a window that is above high water down, and the provider takes it", async () => {
    const host = new ContractHost(make());
    for (let number = 1; number <= 12; number++) await host.ask(`question ${number}`);
    expect(host.landings).toBeGreaterThan(0);
    expect(host.landings).toBeLessThan(12);
  });

  test("keeps a pinned message and the question being asked", async () => {
    const host = new ContractHost(make());
    await host.ask("my name is Ada");
    host.session.pin(host.history[0] as object);
    for (let number = 1; number <= 12; number++) {
      const turn = await host.ask(`question ${number}`);
      expect(JSON.stringify(turn.request.messages)).toContain("my name is Ada");
      expect(JSON.stringify(turn.request.messages)).toContain(`question ${number} `);
    }
  });

  test("keeps results that the model has not seen, also over the limit in a tool turn", async () => {
    const host = new ContractHost(make());
    await host.ask("read them all", { thinking: "first", calls: [{ name: "read", input: {} }] });
    for (let number = 1; number <= 12; number++) {
      const turn = await host.results(`result ${number} `, { thinking: `next ${number}`, calls: [{ name: "read", input: {} }] });
      expect(JSON.stringify(turn.request.messages)).toContain(`result ${number} `);
      expect(JSON.stringify(turn.request.messages)).toContain("read them all");
    }
  });

  test("changes nothing while there is room", async () => {
    const host = new ContractHost(make());
    await host.ask("question 1");
    expect((await host.ask("question 2")).continuity.checkpoints).toEqual([]);
  });

  test("leaves what it was shown as it was, and serves two sessions at once", async () => {
    const strategy = make();
    const hosts = [new ContractHost(strategy), new ContractHost(strategy)];
    for (let number = 1; number <= 8; number++) await Promise.all(hosts.map((host) => host.ask(`question ${number}`)));
    expect(hosts[0]?.landings).toBe(hosts[1]?.landings);
  });
}

/** A host in a small window, before a strict simulator that refuses reasoning which is not valid any more. */
class ContractHost {
  readonly session: Session<AnthropicRequest>;
  history: Message[] = [];
  landings = 0;
  #scripted: ScriptedReply = {};
  readonly #simulator = anthropicSimulator({ seed: "strategy", mode: "error", script: () => this.#scripted });

  constructor(strategy: OverflowStrategy) {
    this.session = createSession<AnthropicRequest>({
      wire: anthropic(),
      strict: true,
      selfCheck: true,
      budget: { context: 3_256, highWater: 1_500, lowWater: 800 },
      overflow: { strategy, minimumGain: 0 },
    });
    this.session.on("landing", () => {
      this.landings += 1;
    });
  }

  ask(
    words: string,
    reply: ScriptedReply = { thinking: `about ${words}`, text: `answer to ${words}. ${prose}` },
  ): Promise<Turn<AnthropicRequest>> {
    this.history.push({ role: "user", content: `${words} ` });
    return this.#exchange(reply);
  }

  results(words: string, reply: ScriptedReply): Promise<Turn<AnthropicRequest>> {
    const { content } = this.history.at(-1) as Message;
    const calls = (content as { type: string; id: string }[]).filter(({ type }) => type === "tool_use");
    this.history.push({
      role: "user",
      content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: `${words}${prose}` })),
    });
    return this.#exchange(reply);
  }

  async #exchange(reply: ScriptedReply): Promise<Turn<AnthropicRequest>> {
    const turn = await this.session.prepare({
      ...{ model: "claude-opus-5-5", max_tokens: 256, tools: [{ name: "read", input_schema: { type: "object" } }] },
      messages: this.history as AnthropicRequest["messages"],
    });
    this.#scripted = reply;
    const answer = await this.#simulator.handle(turn.request, { headers: turn.headers });
    expect(answer.refusal, JSON.stringify(answer.refusal)).toBeUndefined();
    expect(turn.budget.tokens).toBeLessThanOrEqual(turn.budget.limits?.limit ?? 0);
    turn.settle(answer.reply);
    this.history.push({ role: "assistant", content: structuredClone(answer.reply.content) });
    return turn;
  }
}

const prose = "copper linen quarry harbour meadow kettle winter garnet compass willow ".repeat(16);
