import { createSession, type ObjectValue, restoreSession, type Session, type SessionOptions } from "@tidemark/core";
import { reversed } from "../../src/contract/host.ts";
import type { SaidResult, WireSubject } from "../../src/contract.ts";
import { type Chance, chanceOf } from "../../src/simulator/chance.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";

type Call = { readonly id: string; readonly name: string };

/** A host on one wire that does by seed what hosts do: it speaks twice, forgets results, hands them over late, edits, regenerates, sorts keys, drops reasoning, restarts. */
export class UnrulyHost {
  readonly simulator: Simulator;
  readonly #subject: WireSubject;
  readonly #chance: Chance;
  readonly #options: SessionOptions;
  #session: Session;
  #history: ObjectValue[] = [];
  #open: readonly Call[] = [];
  #answered: Call[] = [];
  #words = 0;
  #lacksReasoning = false;

  constructor(subject: WireSubject, simulator: Simulator, seed: string) {
    this.#subject = subject;
    this.simulator = simulator;
    this.#chance = chanceOf(seed);
    this.#options = { wire: subject.wire, strict: subject.strict ?? true, selfCheck: true, toolResultCap: 128 };
    this.#session = createSession(this.#options);
  }

  async step(): Promise<void> {
    this.#chance.pick(acts)(this);
    this.#goOn();
    const turn = await this.#session.prepare(this.#subject.request(structuredClone(this.#history), this.#subject.model));
    const { reply, status, refusal } = await this.simulator.handle(turn.request, { headers: turn.headers });
    if (status !== 200) throw new Error(`${refusal?.rule}: ${refusal?.message} (${refusal?.detail})\n${JSON.stringify(turn.request)}`);
    const { messages } = this.#subject.wire.readReply(reply);
    // Reasoning that was never settled and that the host drops itself is known to nobody but the provider.
    const thinks = messages.some((message) => this.#subject.wire.read(message).units.some(({ kind }) => kind === "reasoning"));
    if (thinks || !this.#chance.happens(0.1)) turn.settle(reply);
    this.#history.push(...structuredClone(messages));
    this.#open = callsOf(this.#subject, messages);
  }

  /** A request ends with something that the model has to answer: results, or a question. */
  #goOn(): void {
    const calls = this.#open;
    this.#open = [];
    if (calls.length > 0 && !this.#chance.happens(0.1)) this.results(this.#chance.happens(0.2) ? calls.toReversed() : calls);
    else if (this.#history.length === 0 || calls.length > 0 || !this.#endsInQuestion()) this.say();
  }

  #endsInQuestion(): boolean {
    const last = this.#history.at(-1);
    if (last === undefined) return false;
    const { role, units } = this.#subject.wire.read(last);
    return role === "user" && units.length > 0;
  }

  say(): void {
    this.#history.push(this.#subject.user(`Words ${++this.#words}. ${this.#chance.token(30)}`));
  }

  blank(): void {
    this.#history.push(this.#subject.user(" \n"));
  }

  results(calls: readonly Call[]): void {
    const long = this.#chance.happens(0.2);
    const results = calls.map(({ id, name }): SaidResult => ({ id, name, text: `${id} ${++this.#words}\n`.repeat(long ? 200 : 1) }));
    this.#answered.push(...calls);
    this.#history.push(...this.#subject.results(results));
  }

  /** One that was answered before, or that nobody ever made. */
  late(): void {
    const call = this.#chance.happens(0.7) ? this.#answered[this.#chance.below(Math.max(this.#answered.length, 1))] : undefined;
    const { id, name } = call ?? { id: this.#subject.callId?.(9_000 + this.#words) ?? `call_none_${this.#words}`, name: "never_called" };
    if (this.#open.length > 0) return;
    this.#history.push(...this.#subject.results([{ id, name, text: `Late ${++this.#words}.` }]));
  }

  edit(): void {
    const at = this.#chance.below(Math.max(this.#history.length, 1));
    const message = this.#history[at];
    if (message === undefined || this.#subject.wire.read(message).role !== "user") return;
    if (this.#subject.wire.read(message).units.some(({ kind }) => kind === "result")) return;
    this.#history[at] = this.#subject.user(`Edited ${++this.#words}.`);
  }

  regenerate(): void {
    while (this.#history.length > 0 && this.#subject.wire.read(this.#history.at(-1) as ObjectValue).role === "assistant")
      this.#history.pop();
    this.#open = [];
  }

  sortKeys(): void {
    this.#history = reversed(this.#history);
  }

  dropReasoning(): void {
    this.#lacksReasoning = true;
    this.#history = this.#history.map((message) =>
      this.#subject.wire.read(message).role === "assistant" ? this.#subject.withoutReasoning(message) : message,
    );
  }

  restore(): void {
    this.#session = restoreSession(JSON.parse(JSON.stringify(this.#session.snapshot())), this.#options);
  }

  /** A session that starts over knows nothing of what the host's copies lost before. */
  restart(): void {
    if (!this.#lacksReasoning) this.#session.restart();
  }
}

function callsOf({ wire }: WireSubject, messages: readonly ObjectValue[]): readonly Call[] {
  return messages.flatMap((message) => wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])));
}

// By how often each is drawn.
const acts: readonly ((host: UnrulyHost) => void)[] = [
  ...Array.from({ length: 8 }, () => () => undefined),
  (host) => host.say(),
  (host) => host.blank(),
  (host) => host.late(),
  (host) => host.edit(),
  (host) => host.regenerate(),
  (host) => host.sortKeys(),
  (host) => host.dropReasoning(),
  (host) => host.restore(),
  (host) => host.restart(),
];
