import type { ObjectValue, Turn, Wire } from "@tidemark/core";
import type { SimulatedRequest, Simulator } from "@tidemark/testing";
import { leadCount, messagesOf } from "./body.ts";
import { repeatedMessages } from "./repeated-messages.ts";
import type { RequestRow } from "./request-row.ts";

/** Makes a row of what a simulator received since the row before, and of the turn that prepared it, if one did. */
export class RowMaker {
  readonly #simulator: Simulator;
  readonly #wire: Wire;
  #seen = 0;
  #before: ObjectValue | undefined;
  #turn: Turn | undefined;

  constructor(simulator: Simulator, wire: Wire) {
    this.#simulator = simulator;
    this.#wire = wire;
  }

  prepared(turn: Turn): void {
    this.#turn = turn;
  }

  make(label: string): RequestRow {
    const attempts = this.#simulator.requests.slice(this.#seen);
    this.#seen += attempts.length;
    const answered = attempts.find(({ status }) => status === 200);
    const turn = this.#turn;
    this.#turn = undefined;
    const row: RequestRow = {
      label,
      ...this.#repeats(turn, answered ?? attempts.at(-1)),
      rejections: attempts.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.message])),
      usage: answered === undefined ? undefined : this.#wire.readReply(answered.reply).usage,
      checkpoints: turn?.continuity.checkpoints ?? [],
      repairs: turn?.repairs,
    };
    this.#before = answered?.body ?? this.#before;
    return row;
  }

  /** A prepared turn says itself what it repeats; any other request is compared with the one that was answered before. */
  #repeats(turn: Turn | undefined, request: SimulatedRequest | undefined): Pick<RequestRow, "kept" | "appended"> {
    if (turn !== undefined) return { kept: turn.continuity.kept, appended: turn.continuity.appended };
    if (request === undefined) return { kept: 0, appended: 0 };
    const lead = leadCount(request.body);
    const repeated = this.#before === undefined ? 0 : repeatedMessages(this.#before, request.body);
    const kept = Math.max(repeated - lead, 0);
    return { kept, appended: messagesOf(request.body).length - lead - kept };
  }
}
