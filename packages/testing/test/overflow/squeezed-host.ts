import assert from "node:assert/strict";
import {
  createSession,
  type Landing,
  type ObjectValue,
  type OnDemandCompactionOptions,
  type OverflowStrategy,
  OverLimitError,
  restoreSession,
  type Session,
  type SessionOptions,
  type Turn,
} from "@tidemark/core";
import type { Chance } from "../../src/simulator/chance.ts";
import type { ScriptedReply } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { type Call, callsIn, type Side, storedOf } from "./sides.ts";

/** Sends a request of the wire to its provider as it is. */
export type Send = OnDemandCompactionOptions["send"];

/** What a host makes of a landing: it goes on with its full history, stores the replacement, or hands over only what was kept and is new. */
type Habit = "full" | "stores" | "tail";

export type Squeeze = {
  readonly habit: Habit;
  readonly restarts: boolean;
  readonly edits: boolean;
  readonly interrupts: boolean;
  /** A landing that does not pay is declined, as where the host sets nothing. */
  readonly declines: boolean;
};

const words = "copper linen quarry harbour meadow kettle winter garnet compass willow pebble marble lantern barley thistle saddle".split(
  " ",
);

/** A host by seed that talks to the strict simulator of its wire through a session whose window is far too small for it. */
export class SqueezedHost {
  history: ObjectValue[] = [];
  landings: Landing[] = [];
  readonly #side: Side;
  readonly #chance: Chance;
  readonly #squeeze: Squeeze;
  readonly #options: SessionOptions;
  readonly #simulator: Simulator;
  readonly #pinned: string[] = [];
  #session: Session;
  #scripted: ScriptedReply = {};
  #asked = "";
  #open: readonly (readonly [Call, string])[] = [];
  #count = 0;
  #mayBreak = false;
  /** The provider dropped reasoning that a landing lent it (rule 62 b): the next request is without. */
  #dropped = false;

  constructor(
    side: Side,
    chance: Chance,
    seed: string,
    overflow: (send: Send) => OverflowStrategy,
    squeeze: Squeeze,
    log: (line: string) => void = () => {},
  ) {
    this.#log = log;
    this.#side = side;
    this.#chance = chance;
    this.#squeeze = squeeze;
    this.#options = {
      wire: side.wire,
      strict: true,
      selfCheck: true,
      budget: { context: 3_000, output: 256, highWater: 1_800, lowWater: 900 },
      overflow: { strategy: overflow((body, options) => this.#compact(body, options)), minimumGain: squeeze.declines ? 1 : 0 },
      ...(side.wire.name === "anthropic" ? { headers: true, reasoningMismatch: "error" } : {}),
      pinned: ({ text }) => this.#pinned.some((pin) => text.includes(pin)),
      ...(squeeze.habit === "tail" ? { history: "tail" } : {}),
    };
    this.#session = this.#listening(createSession(this.#options));
    this.#simulator = side.simulator(seed, () => this.#scripted);
  }

  #listening(session: Session): Session {
    session.on("landing", (landing) => this.landings.push(landing));
    return session;
  }

  /** So many requests; false: the strategy could not make the window fit, and said so. */
  async run(requests: number): Promise<boolean> {
    for (let request = 0; request < requests; request++) {
      if (this.#chance.happens(0.5)) await new Promise((resolve) => setTimeout(resolve, 0));
      this.#between();
      this.#speak();
      try {
        await this.#exchange();
      } catch (error) {
        if (error instanceof OverLimitError) return false;
        throw error;
      }
    }
    return true;
  }

  #between(): void {
    const { restarts, edits } = this.#squeeze;
    const inTurn = this.#open.length > 0;
    if (restarts && this.#chance.happens(0.15))
      this.#session = this.#listening(restoreSession(JSON.parse(JSON.stringify(this.#session.snapshot())), this.#options));
    if (this.#chance.happens(0.05)) this.#session.compact();
    if (edits && !inTurn && this.#chance.happens(0.1)) this.#edit();
    const last = this.landings.at(-1);
    if (edits && !inTurn && this.#squeeze.habit === "full" && last !== undefined && this.#chance.happens(0.05)) this.#revoke(last);
  }

  #revoke(landing: Landing): void {
    try {
      this.#log(`revoke ${landing.number}`);
      this.#session.revoke(landing.number);
      this.#mayBreak = true;
    } catch {
      // It was replaced by a newer one already.
    }
  }

  #edit(): void {
    if (this.history.length === 0) return;
    const at = this.#chance.below(Math.max(this.history.length - 4, 1));
    const { role, units } = this.#side.wire.read(this.history[at] as ObjectValue);
    const [unit] = units;
    if (role !== "user" || units.length !== 1 || unit?.kind !== "text") return;
    this.#log(`edit ${at}`);
    this.history[at] = this.#side.user(`${unit.text} (edited)`);
    this.#mayBreak = true;
  }

  /** The user, or the results of the open calls. */
  #speak(): void {
    const open = this.#open;
    this.#open = [];
    if (open.length > 0) {
      this.history.push(...this.#side.results(open));
      this.#seen = open;
      if (!(this.#squeeze.interrupts && this.#chance.happens(0.15))) return;
    } else this.#seen = [];
    this.#asked = `question ${++this.#count}`;
    const pins = this.#chance.happens(0.06);
    if (pins && this.#pinned.length < 3) this.#pinned.push(`question ${this.#count}.`);
    this.history.push(this.#side.user(`${this.#asked}. ${this.#prose(this.#chance.happens(0.1) ? 200 : 20)}`));
  }

  readonly #log: (line: string) => void;
  #seen: readonly (readonly [Call, string])[] = [];

  async #exchange(): Promise<void> {
    const landingsBefore = this.landings.length;
    const turn = await this.#session.prepare(this.#side.request(this.history));
    this.#log(
      `\n--- request ${turn.number}, ${this.history.length} in history; ${turn.budget.tokens} tokens; ${JSON.stringify(turn.continuity)} ${JSON.stringify(this.landings.slice(landingsBefore).map(({ replacement: _, ...rest }) => rest))}`,
    );
    for (const message of this.#side.wire.open(turn.request).messages) this.#log(JSON.stringify(message).slice(0, 260));
    this.#check(turn, this.landings.slice(landingsBefore));
    this.#scripted = this.#reply();
    const answer = await this.#simulator.handle(turn.request, { headers: turn.headers });
    assert.equal(answer.refusal, undefined, `refused: ${JSON.stringify(answer.refusal)}`);
    turn.settle(answer.reply);
    const lent = this.landings.length > landingsBefore || this.#dropped;
    assert.ok(lent || answer.transformations.length === 0, "the provider changed what no landing lent it");
    this.#dropped = answer.transformations.length > 0;
    const stored = storedOf(this.#side, answer.reply);
    this.#store(this.landings.slice(landingsBefore));
    this.history.push(...stored);
    this.#open = callsIn(this.#side, stored).map((call) => [
      call,
      `result ${++this.#count}. ${this.#prose(this.#chance.pick([2, 60, 180]))}`,
    ]);
  }

  #store(landings: readonly Landing[]): void {
    for (const { replaces, replacement } of landings) {
      if (replaces === undefined || this.#squeeze.habit === "full") continue;
      const stored = this.#squeeze.habit === "stores" ? (structuredClone(replacement) as ObjectValue[]) : [];
      this.history.splice(replaces.from, replaces.to - replaces.from, ...stored);
    }
  }

  #check(turn: Turn, landings: readonly Landing[]): void {
    const text = JSON.stringify(this.#side.wire.open(turn.request).messages);
    const { tokens, limits } = turn.budget;
    assert.ok(tokens <= (limits?.limit ?? 0), `${tokens} tokens are above the limit`);
    assert.ok(text.includes(`${this.#asked}.`), `the question being asked is lost: ${this.#asked}`);
    for (const pin of this.#pinned) assert.ok(text.includes(pin), `what is pinned is lost: ${pin}`);
    for (const [, result] of this.#seen)
      assert.ok(text.includes(result.slice(0, 20)), `a result that the model has not seen is lost: ${result.slice(0, 20)}`);
    const { checkpoints } = turn.continuity;
    const isLanding = (reason: string): boolean => reason === "compaction" || reason === "elision";
    const described = JSON.stringify(checkpoints);
    assert.equal(checkpoints.filter(({ reason }) => isLanding(reason)).length, landings.length, `one break a landing: ${described}`);
    if (!this.#mayBreak)
      assert.ok(
        checkpoints.every(({ reason, hint }) => isLanding(reason) || (this.#dropped && hint === "dropped-by-provider")),
        `a break that nobody caused: ${described}`,
      );
    this.#mayBreak = false;
  }

  async #compact(body: object, { headers }: Parameters<Send>[1]): Promise<object> {
    const atEndpoint = isForEndpoint(body);
    this.#scripted = {
      summary: !atEndpoint && this.#chance.happens(0.1) ? null : `SUMMARY ${++this.#count}`,
      ...(!atEndpoint && this.#chance.happens(0.1) ? { stop: "max_tokens" } : {}),
    };
    const answer = await this.#simulator.handle(body, { headers, ...(atEndpoint ? { path: "/v1/responses/compact" } : {}) });
    assert.equal(answer.refusal, undefined, `the compaction is refused: ${JSON.stringify(answer.refusal)}`);
    return answer.reply;
  }

  #reply(): ScriptedReply {
    const thinks = this.#chance.happens(0.7);
    const calls = this.#chance.happens(0.6) ? 1 + this.#chance.below(3) : 0;
    return {
      ...(thinks ? { thinking: `thought ${++this.#count}` } : {}),
      ...(calls === 0 || this.#chance.happens(0.3) ? { text: `answer ${++this.#count}. ${this.#prose(this.#chance.pick([5, 60]))}` } : {}),
      calls: Array.from({ length: calls }, () => ({ name: "read", input: { path: `${++this.#count}.ts` } })),
    };
  }

  #prose(count: number): string {
    return Array.from({ length: count }, () => this.#chance.pick(words)).join(" ");
  }
}

/** OpenAI compacts at an endpoint of its own, unless the request ends in a trigger. */
function isForEndpoint(body: object): boolean {
  const { input } = body as { readonly input?: readonly { readonly type?: string }[] };
  return input !== undefined && input.at(-1)?.type !== "compaction_trigger";
}
