import {
  createSession,
  estimateRequest,
  FloorError,
  type Landing,
  newContext,
  type ObjectValue,
  type OnDemandCompactionOptions,
  type OverflowStrategy,
  OverLimitError,
  PendingCallsError,
  type Session,
  type SessionOptions,
  type Turn,
} from "@tidemark/core";
import type { ScriptedReply } from "../../src/index.ts";
import type { Least } from "./least-window.ts";
import type { LongRecording } from "./long-recordings.ts";

/** A strategy, and what it has to leave. */
export type Squeezer = {
  readonly strategy: (
    send: OnDemandCompactionOptions["send"],
    about: { readonly wire: string; readonly limit: number },
  ) => OverflowStrategy;
  readonly least: Least;
  /** It asks the provider to compact, for which the host sends headers. */
  readonly signed?: boolean;
  /** The model asks for a new context with every so many requests, by the tool for that. */
  readonly asksEvery?: number;
};

export type Squeezed = {
  readonly requests: number;
  readonly landings: number;
  /** What went wrong; empty: nothing. */
  readonly faults: readonly string[];
  /** Why the run did not come to its end: what has to stay is above the limit, and the session said so. */
  readonly ended: string | undefined;
};

export const summaryText = "SUMMARY: they went on with the task; nothing else is open.";

/** Room for the reply. */
const outputTokens = 1_024;

/**
 * Feeds a recorded conversation to a session whose window is this share of its size, message by message as its host would. Every request must fit, be taken by the strict
 * simulator, and break the prefix at landings only.
 */
export async function squeezeRecording(recording: LongRecording, share: number, squeezer: Squeezer): Promise<Squeezed> {
  const squeeze = new Squeeze(recording, share, squeezer);
  const { messages } = recording;
  for (let at = 0; at < messages.length; ) {
    const behind = messages.findIndex((next, index) => index > at && !recording.isReply(next));
    const row = messages.slice(at, recording.isReply(messages[at] as ObjectValue) ? (behind < 0 ? undefined : behind) : at + 1);
    at += row.length;
    if (!(await squeeze.takes(row))) break;
  }
  return squeeze.result();
}

class Squeeze {
  readonly #recording: LongRecording;
  readonly #squeezer: Squeezer;
  readonly #options: SessionOptions;
  readonly #session: Session;
  readonly #simulator: ReturnType<LongRecording["simulator"]>;
  readonly #history: ObjectValue[] = [];
  readonly #faults: string[] = [];
  #scripted: ScriptedReply = {};
  #landed: Landing[] = [];
  /** The provider said that it dropped reasoning that a landing lent it (rule 62). */
  #lent = false;
  #requests = 0;
  #landings = 0;
  #ended: string | undefined;

  constructor(recording: LongRecording, share: number, squeezer: Squeezer) {
    this.#recording = recording;
    this.#squeezer = squeezer;
    const { wire, messages, ignore } = recording;
    const size = estimateRequest(wire, recording.request(messages, outputTokens)).total;
    this.#simulator = recording.simulator(() => this.#scripted);
    const limit = Math.max(Math.floor(size * share), 1_024);
    this.#options = {
      ...{ wire, ignore, strict: true, selfCheck: true, headers: wire.name === "anthropic" && squeezer.signed === true },
      budget: { context: limit + outputTokens, output: outputTokens, measure: "counter" },
    };
    const strategy = squeezer.strategy((body, options) => this.#compact(body, options), { wire: wire.name, limit });
    const tool = squeezer.asksEvery === undefined ? {} : { tool: newContext() };
    this.#session = createSession({ ...this.#options, overflow: { strategy, minimumGain: 0, ...tool } });
    this.#session.on("landing", (landing) => this.#landed.push(landing));
    this.#session.on("overflow", ({ status, why }) => {
      if (status === "failed" && !why.includes("no shorter")) this.#note(why);
    });
  }

  result(): Squeezed {
    return { requests: this.#requests, landings: this.#landings, faults: this.#faults, ended: this.#ended };
  }

  /** The next of the recording: the host's own message, or what the model says in one go. False: the run is over. */
  async takes(row: readonly ObjectValue[]): Promise<boolean> {
    if (!this.#recording.isReply(row[0] as ObjectValue) || this.#history.length === 0) {
      this.#history.push(...row);
      return true;
    }
    this.#requests += 1;
    this.#landed = [];
    if (this.#squeezer.asksEvery !== undefined && this.#requests % this.#squeezer.asksEvery === 0)
      await this.#session.tools.call("new_context", { notes: "They went on." });
    const turn = await this.#prepared();
    if (turn === undefined) return false;
    this.#landings += this.#landed.length;
    for (const fault of this.#faultsOf(turn)) this.#note(fault);
    this.#scripted = this.#recording.said(row);
    const { reply, refusal, transformations } = await this.#simulator.handle(turn.request, { headers: turn.headers });
    this.#lent = transformations.length > 0;
    if (refusal !== undefined) this.#note(`refused by ${refusal.rule}: ${refusal.message} ${refusal.detail ?? ""}`);
    else turn.settle(reply);
    this.#history.push(...this.#recording.stored(row, reply));
    return this.#faults.length === 0;
  }

  async #prepared(): Promise<Turn | undefined> {
    try {
      return await this.#session.prepare(this.#recording.request([...this.#history], outputTokens));
    } catch (error) {
      // Some agents were stopped while calls were open, and their logs go on.
      if (error instanceof PendingCallsError) this.#ended = error.message;
      else if (error instanceof FloorError) this.#ended = error.message;
      else if (error instanceof OverLimitError) await this.#judge(error);
      else throw error;
      return undefined;
    }
  }

  /** Whether the window could not fit: a session without a limit measures what has to stay. */
  async #judge({ limit, message }: OverLimitError): Promise<void> {
    const { wire, request } = this.#recording;
    const least = this.#squeezer.least(wire, this.#history);
    // Where nothing goes nothing breaks, and reasoning stays, which a session without a record of it would not send.
    if (least.length === this.#history.length && least.every((kept, index) => kept === this.#history[index])) {
      this.#ended = `nothing may be left out: ${message}`;
      return;
    }
    const plain = createSession({
      ...this.#options,
      budget: { context: false, output: outputTokens },
      toolResultCap: this.#session.resultCap("") ?? false,
    });
    const { tokens } = (await plain.prepare(request(least, outputTokens))).budget;
    if (tokens > limit) this.#ended = `what has to stay has ${tokens} tokens, the limit is ${limit}`;
    else this.#note(`what has to stay has ${tokens} tokens only: ${message}`);
  }

  #faultsOf(turn: Turn): readonly string[] {
    const { tokens, limits } = turn.budget;
    const { checkpoints } = turn.continuity;
    const starts = this.#requests === 1 && this.#history.some(this.#recording.isReply);
    const isLanding = (reason: string): boolean => reason === "compaction" || reason === "elision";
    const breaks = checkpoints.filter(({ reason }) => isLanding(reason)).length;
    const others = checkpoints.filter(
      ({ reason, hint }) =>
        // A history that brings a reply with it is the one start without a record (rule 8).
        !isLanding(reason) && !(starts && reason === "ledger") && !(this.#lent && hint === "dropped-by-provider"),
    );
    return [
      ...(tokens <= (limits?.limit ?? 0) ? [] : [`${tokens} tokens in a limit of ${limits?.limit}`]),
      ...(breaks === this.#landed.length ? [] : [`${breaks} breaks for ${this.#landed.length} landings`]),
      ...others.map(({ reason, path }) => `checkpoint ${reason} at ${path}`),
    ];
  }

  async #compact(body: object, { headers }: Parameters<OnDemandCompactionOptions["send"]>[1]): Promise<object> {
    this.#scripted = { summary: summaryText };
    const path = this.#options.wire.name === "openai-responses" ? "/v1/responses/compact" : undefined;
    const { reply, refusal } = await this.#simulator.handle(body, { headers, ...(path === undefined ? {} : { path }) });
    if (refusal !== undefined) this.#note(`the compaction is refused by ${refusal.rule}: ${refusal.message}`);
    return reply;
  }

  #note(fault: string): void {
    this.#faults.push(`request ${this.#requests}: ${fault}`);
  }
}
