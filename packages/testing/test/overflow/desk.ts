import assert from "node:assert/strict";
import {
  createSession,
  estimateRequest,
  type Landing,
  type ObjectValue,
  type OverflowReport,
  type Session,
  type SessionOptions,
  type Summarizer,
  type Turn,
} from "@tidemark/core";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { type Call, callsIn, type Side, storedOf } from "./sides.ts";

const plainWords = ["copper", "linen", "quarry", "harbour", "meadow"];

/** So many words of prose that begin with a name. */
export function prose(name: string, words: number): string {
  return `${name}: ${Array.from({ length: words }, (_, index) => plainWords[index % plainWords.length]).join(" ")}`;
}

/** How many words make so many tokens of a wire's model. */
export function wordsOf({ wire, request, user }: Side, tokens: number): number {
  const sample = 1_000;
  return Math.floor((tokens * sample) / estimateRequest(wire, request([user(prose("sample", sample))])).total);
}

/** A host that is told step by step what to do, at the strict simulator of its wire. Every request must fit and be taken. */
export class Desk {
  history: ObjectValue[] = [];
  /** What the host makes of its history for a request: the same objects, if nothing is said. */
  handsOver: (history: readonly ObjectValue[]) => readonly ObjectValue[] = (history) => [...history];
  readonly side: Side;
  readonly session: Session;
  readonly simulator: Simulator;
  readonly landings: Landing[] = [];
  readonly reports: OverflowReport[] = [];
  open: readonly Call[] = [];
  #scripted: ScriptedReply = {};

  constructor(side: Side, options: Omit<SessionOptions, "wire">) {
    this.side = side;
    this.session = createSession({ wire: side.wire, strict: true, selfCheck: true, toolResultCap: false, ...options });
    this.session.on("landing", (landing) => this.landings.push(landing));
    this.session.on("overflow", (report) => this.reports.push(report));
    this.simulator = side.simulator("desk", () => this.#scripted);
  }

  say(text: string): void {
    this.history.push(this.side.user(text));
  }

  /** Results of the open calls, each the same text. */
  hand(text: string): void {
    this.history.push(...this.side.results(this.open.map((call) => [call, text])));
    this.open = [];
  }

  /** One request, and what the model says to it; `settled: false`: nobody hears of its usage. */
  async ask(reply: ScriptedReply = { text: "Yes." }, { settled = true } = {}): Promise<Turn> {
    const turn = await this.session.prepare(this.side.request(this.handsOver(this.history)));
    const { tokens, limits } = turn.budget;
    assert.ok(limits === undefined || tokens <= limits.limit, `${tokens} tokens in a limit of ${limits?.limit}`);
    const stored = storedOf(this.side, await this.#sent(turn.request, turn.headers, reply, (answer) => settled && turn.settle(answer)));
    this.history.push(...stored);
    this.open = callsIn(this.side, stored);
    // What runs beside the conversation comes to its end.
    await new Promise((resolve) => setImmediate(resolve));
    return turn;
  }

  /** A summariser that rides the prefix: its own request goes to the provider, and must be taken there. */
  rides(text: string): Summarizer {
    return async ({ request, headers }) => {
      await this.#sent(request, headers, { text }, () => {});
      return { text, complete: true, refused: false };
    };
  }

  /** What the breaker and the loop guard remember. */
  get remembered(): { readonly failures: number; readonly paused: boolean } {
    const { overflow } = JSON.parse(JSON.stringify(this.session.snapshot())) as {
      readonly overflow?: { readonly runner: { readonly failures: number; readonly pausedUntil?: number } };
    };
    return { failures: overflow?.runner.failures ?? 0, paused: overflow?.runner.pausedUntil !== undefined };
  }

  async #sent(
    request: object,
    headers: Readonly<Record<string, string>>,
    reply: ScriptedReply,
    settle: (answer: ObjectValue) => void,
  ): Promise<ObjectValue> {
    this.#scripted = reply;
    const answer = await this.simulator.handle(request, { headers });
    assert.equal(answer.refusal, undefined, `refused: ${JSON.stringify(answer.refusal)}`);
    settle(answer.reply);
    return answer.reply;
  }
}

/** The messages of a request as one text. */
export function textOf({ wire }: Side, turn: Turn): string {
  return JSON.stringify(wire.open(turn.request).messages);
}

/** Reasons of the checkpoints of a turn. */
export function breaksOf({ continuity }: Turn): readonly string[] {
  return continuity.checkpoints.map(({ reason }) => reason);
}
