import {
  createSession,
  type ObjectValue,
  restoreSession,
  type Session,
  type SessionOptions,
  state,
  type Turn,
  through,
  translateHistory,
  type Wire,
} from "@tidemark/core";
import { expect } from "vitest";
import { plainSchema } from "../../../core/test/plain-schema.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { harbourText, type TestWire } from "../sources/wires.ts";

/** How a host comes to a history in another wire's messages: it has all of it translated each time, or keeps what it had there and has only the rest translated. */
export type Habit = "translates" | "keeps" | "hands over what is new";

type Answered = { readonly turn: Turn; readonly request: SimulatedRequest };

export const tide = state("tide", { schema: plainSchema<{ readonly water: string }>() });
const tools = ["read", "list"];

/** An agent that goes from provider to provider in one session; each answers by its strict rules. */
export class Traveller {
  session: Session;
  /** Every request, answered or not, with where it went. */
  readonly prepared: { readonly on: TestWire; readonly turn: Turn }[] = [];
  readonly #habit: Habit;
  readonly #options: Omit<SessionOptions, "wire">;
  readonly #simulators = new Map<TestWire, Simulator>();
  /** The history as it was at the provider before, and how many messages stand for it here. */
  readonly #kept = new Map<TestWire, { readonly there: readonly ObjectValue[]; readonly count: number }>();
  #on: TestWire;
  #history: ObjectValue[] = [];
  #fresh: ObjectValue[] = [];
  #scripted: ScriptedReply = {};
  #open: readonly { readonly id: string; readonly name: string }[] = [];

  constructor(on: TestWire, habit: Habit, options: Partial<SessionOptions> = {}) {
    this.#on = on;
    this.#habit = habit;
    this.#options = {
      ...{ strict: true, selfCheck: true, headers: true, cache: "off" as const, sources: [tide], toolResultCap: 64 },
      ...(habit === "hands over what is new" ? { history: "new" as const } : {}),
      ...options,
    };
    this.session = createSession({ wire: on.wire, ...this.#options });
  }

  goTo(on: TestWire): void {
    const from = this.#on;
    if (from === on) return;
    this.session = through(this.session, on.wire);
    const translate = (messages: readonly ObjectValue[]): ObjectValue[] => [
      ...translateHistory(messages, { from: from.wire, to: on.wire }),
    ];
    const kept = this.#habit === "keeps" ? this.#kept.get(on) : undefined;
    const here = this.#history;
    this.#history =
      kept === undefined ? translate(here) : [...kept.there, ...translate(here).slice(translate(here.slice(0, kept.count)).length)];
    this.#kept.clear();
    this.#kept.set(from, { there: here, count: this.#history.length });
    this.#fresh = translate(this.#fresh);
    this.#on = on;
  }

  restore(): void {
    this.session = restoreSession(JSON.parse(JSON.stringify(this.session.snapshot())), { wire: this.#on.wire, ...this.#options });
  }

  say(text: string): void {
    this.#add(this.#on.user(text) as ObjectValue);
  }

  handOver(text: string): void {
    for (const call of this.#open) this.#add(this.#on.result(call, text) as ObjectValue);
    this.#open = [];
  }

  #add(message: ObjectValue): void {
    this.#history.push(message);
    this.#fresh.push(message);
  }

  async prepare(): Promise<Turn> {
    const history = this.#habit === "hands over what is new" ? this.#fresh : this.#history;
    const turn = await this.session.prepare(this.#on.request(structuredClone(history), tools, harbourText));
    this.prepared.push({ on: this.#on, turn });
    // What was handed over is the session's from now on.
    this.#fresh = [];
    return turn;
  }

  /** One request and its reply, which must be taken. */
  async exchange(scripted: ScriptedReply): Promise<Answered> {
    const turn = await this.prepare();
    this.#scripted = scripted;
    const request = await this.#simulator().handle(turn.request, { headers: turn.headers });
    expect(request.refusal, `${this.#on.name}: ${JSON.stringify(turn.request).slice(-3_000)}`).toBeUndefined();
    turn.settle(request.reply);
    const { messages } = this.#on.wire.readReply(request.reply);
    this.#history.push(...(structuredClone(messages) as ObjectValue[]));
    this.#open = messages.flatMap((message) =>
      this.#on.wire.read(message as ObjectValue).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])),
    );
    return { turn, request };
  }

  #simulator(): Simulator {
    const known = this.#simulators.get(this.#on) ?? this.#on.simulator(() => this.#scripted);
    this.#simulators.set(this.#on, known);
    return known;
  }
}

/** The signed or encrypted reasoning that messages hold. */
export function boundIn(wire: Wire, messages: readonly unknown[]): readonly ObjectValue[] {
  const units = messages.flatMap((message) => wire.read(message as ObjectValue).units);
  return units.flatMap((unit) => (unit.kind === "reasoning" && unit.bound ? [unit.block] : []));
}

/** The native messages of a request. */
export function messagesOf(wire: Wire, { turn }: Answered): readonly unknown[] {
  return wire.open(turn.request).messages;
}

export function reasons({ turn }: Answered): readonly string[] {
  return turn.continuity.checkpoints.map(({ reason, at }) => `${reason} at ${at}`);
}
