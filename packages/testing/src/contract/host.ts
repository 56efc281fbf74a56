import { createSession, type ObjectValue, restoreSession, type Session, type SessionOptions, type Turn } from "@tidemark/core";
import type { Said, SaidCall, WireSubject } from "./subject.ts";

/** A host that keeps its history in the wire's own messages and asks through a session that refuses what is only doubtful, too. */
export class ContractHost {
  history: ObjectValue[] = [];
  session: Session;
  turn: Turn | undefined;
  readonly #subject: WireSubject;
  readonly #options: SessionOptions;
  #calls = 0;

  constructor(subject: WireSubject, options: Partial<SessionOptions> = {}) {
    this.#subject = subject;
    this.#options = { wire: subject.wire, strict: subject.strict ?? true, selfCheck: true, cache: "off", ...options };
    this.session = createSession(this.#options);
  }

  say(text: string): void {
    this.history.push(this.#subject.user(text));
  }

  results(calls: readonly SaidCall[], texts: readonly string[] = calls.map(({ id }) => `Result of ${id}.`)): void {
    this.history.push(...this.#subject.results(calls.map(({ id, name }, index) => ({ id, name, text: texts[index] ?? "" }))));
  }

  async send(model: string = this.#subject.model): Promise<Turn> {
    // Another object each time, as a store hands one out.
    this.turn = await this.session.prepare(this.#subject.request(structuredClone(this.history), model));
    return this.turn;
  }

  async ask(text: string, model?: string): Promise<Turn> {
    this.say(text);
    return this.send(model);
  }

  /** The provider answers the last request; the host settles the reply and stores its messages, which are returned. */
  answer(reply: ObjectValue | Said): readonly ObjectValue[] {
    const whole = isSaid(reply) ? this.#subject.reply(reply) : reply;
    this.turn?.settle(whole);
    const messages = structuredClone(this.#subject.wire.readReply(whole).messages) as readonly ObjectValue[];
    this.history.push(...messages);
    return messages;
  }

  /** Calls with ids that were not used before. */
  calls(...inputs: readonly ObjectValue[]): readonly SaidCall[] {
    const names = ["look", "ask"];
    return inputs.map((input, index) => ({ id: this.#nextId(), name: names[index % 2] as string, input }));
  }

  restore(): void {
    this.session = restoreSession(JSON.parse(JSON.stringify(this.session.snapshot())), this.#options);
    this.turn = undefined;
  }

  #nextId(): string {
    this.#calls += 1;
    return this.#subject.callId?.(this.#calls) ?? `call_${this.#calls}`;
  }
}

function isSaid(reply: ObjectValue | Said): reply is Said {
  return Object.keys(reply).every((name) => name === "reasoning" || name === "text" || name === "calls");
}

/** The messages of a prepared request behind its head. */
export function sentMessages({ wire }: WireSubject, turn: Turn): readonly ObjectValue[] {
  return wire.open(turn.request).messages as readonly ObjectValue[];
}

/** The whole request as text, to look for words in it. */
export function textOf(turn: Turn): string {
  return JSON.stringify(turn.request);
}

/** Everything of a turn's messages as text, each on its own: bytes to compare. */
export function sentBytes(subject: WireSubject, turn: Turn): readonly string[] {
  return sentMessages(subject, turn).map((message) => JSON.stringify(message));
}

/** What is between the wire's units and its messages: kind and block of each, without cache marks. */
export function unitsOf({ wire }: WireSubject, messages: readonly ObjectValue[]): readonly { kind: string; block: ObjectValue }[] {
  return messages.flatMap((message) => wire.read(message).units.map(({ kind, block }) => ({ kind, block })));
}

/** A copy with the keys of every object the other way round. */
export function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.reverse()) as T;
}
