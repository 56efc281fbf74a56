import { createSession, type ObjectValue, restoreSession, type Session, type SessionOptions, type Turn } from "@tidemark/core";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { harbourText, type TestWire } from "./wires.ts";

export type Answered = { readonly turn: Turn; readonly request: SimulatedRequest };

/** An agent of a harbour office on one wire: every third request it calls a tool, and it thinks where the model does. */
export class Office {
  readonly on: TestWire;
  readonly simulator: Simulator;
  readonly answered: Answered[] = [];
  session: Session;
  tools: readonly string[] = ["read", "list"];
  system: string = harbourText;
  /** What the next tool's result says; undefined: a line. */
  resultText: string | undefined;
  /** A picture beside the next user's words, or the next result's. */
  picture: string | undefined;
  /** Another model than the wire's own. */
  model: string | undefined;
  /** What the user says before the first question. */
  opening = "";
  /** Further members of each request. */
  more: object = {};
  /** What happens behind each attempt at the next request that nobody answers. */
  attempts: (() => void)[] = [];
  readonly #options: SessionOptions;
  readonly #history: object[] = [];
  #open: readonly { readonly id: string; readonly name: string }[] = [];

  constructor(on: TestWire, options: Omit<SessionOptions, "wire">) {
    this.on = on;
    this.#options = { wire: on.wire, strict: true, selfCheck: true, headers: true, ...options };
    this.session = createSession(this.#options);
    this.simulator = on.simulator((_request, position) => replyTo(position));
  }

  restore(): void {
    this.session = restoreSession(JSON.parse(JSON.stringify(this.session.snapshot())), this.#options);
  }

  /** One request: what the user says, or the results of the last calls. */
  async step(): Promise<Answered> {
    const { on, simulator } = this;
    const number = this.answered.length;
    const { picture, resultText } = this;
    const question = `${number === 0 ? this.opening : ""}Question ${number}: what stands in the book of tides?`;
    if (this.#open.length === 0) this.#history.push(picture === undefined ? on.user(question) : on.shown(question, picture));
    for (const call of this.#open) {
      const text = resultText ?? `${call.name} found line ${number}.`;
      this.#history.push(picture === undefined ? on.result(call, text) : on.shownResult(call, text, picture));
    }
    this.picture = undefined;
    const prepare = (): Promise<Turn> => this.session.prepare(this.#request());
    for (const happens of this.attempts.splice(0)) {
      await prepare();
      happens();
    }
    const turn = await prepare();
    const request = await simulator.handle(turn.request, { headers: turn.headers });
    const answered = { turn, request };
    this.answered.push(answered);
    if (request.status !== 200) return answered;
    turn.settle(request.reply);
    const { messages } = on.wire.readReply(request.reply);
    this.#history.push(...structuredClone(messages));
    this.#open = messages.flatMap((message) =>
      on.wire.read(message as ObjectValue).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])),
    );
    return answered;
  }

  #request(): object {
    const request = this.on.request(structuredClone(this.#history), this.tools, this.system);
    const field = "modelId" in request ? "modelId" : "model";
    return { ...request, ...this.more, ...(this.model === undefined ? {} : { [field]: this.model }) };
  }
}

function replyTo(position: number): ScriptedReply {
  const thinking = `About question ${position}.`;
  if (position % 3 === 1) return { thinking, calls: [{ name: "read", input: { path: `tides/${position}` } }] };
  return { thinking, text: `Line ${position} says high water.` };
}
