import type { ObjectValue } from "@tidemark/core";
import { type ManualClock, manualClock } from "../src/simulator/clock.ts";
import type { ScriptedReply } from "../src/simulator/script.ts";
import type { SimulatedRequest } from "../src/simulator/simulated-request.ts";
import type { Simulator } from "../src/simulator/simulator.ts";
import { describeAll } from "./describe.ts";
import { SoakFailure } from "./failure.ts";
import type { Message } from "./history.ts";
import type { AnyMessage } from "./plain-model.ts";
import type { Side } from "./sides/side.ts";

/** The strict simulator that a session's requests go to. What it answers is said with each request. */
export class Provider {
  readonly simulator: Simulator;
  readonly clock: ManualClock;
  readonly #path: string | undefined;
  #scripted: ScriptedReply | Promise<ScriptedReply> = {};

  constructor(seed: string, side: Side, clock: ManualClock = manualClock()) {
    this.#path = side.path;
    this.clock = clock;
    this.simulator = side.simulator({ seed, keep: 1, clock: this.clock, script: () => this.#scripted });
  }

  /** Compacts what it was sent, as it is asked. */
  async compacts(body: object, headers: Readonly<Record<string, string>>): Promise<object> {
    const answer = await this.answer(body, headers, { summary: "The provider's own summary." });
    if (answer.refusal?.rule !== undefined)
      throw new SoakFailure(`refused ${answer.refusal.rule}`, `a compaction: ${answer.refusal.message}`);
    return answer.reply;
  }

  answer(body: object, headers: Readonly<Record<string, string>>, scripted: ScriptedReply): Promise<SimulatedRequest> {
    this.#scripted = scripted;
    return this.simulator.handle(body, { headers, ...(this.#path === undefined ? {} : { path: this.#path }) });
  }
}

/** What a provider refuses by a rule of its own is a failure of the library. */
export function assertTaken({ status, refusal, truncated }: SimulatedRequest, messages: readonly AnyMessage[]): void {
  if (truncated > 0) throw new SoakFailure("cut by the server", `the server left out ${truncated} messages without a word`);
  if (refusal?.rule === undefined) return;
  throw new SoakFailure(`refused ${refusal.rule}`, `${status} ${refusal.message}`, [
    refusal.detail ?? "",
    describeAll(messages as readonly Message[]),
  ]);
}

/** Places of reasoning that the provider did not read, each with its reason. */
export function placesDropped(transformations: readonly ObjectValue[]): readonly string[] {
  return transformations.map(({ path, reason }) => `${path} (${reason})`);
}
