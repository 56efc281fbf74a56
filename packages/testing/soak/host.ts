import {
  type CheckpointReason,
  FloorError,
  newContext,
  type ObjectValue,
  OverLimitError,
  type Session,
  type SessionOptions,
  type Snapshot,
  TidemarkError,
} from "@tidemark/core";
import { chanceOf } from "../src/simulator/chance.ts";
import type { ManualClock } from "../src/simulator/clock.ts";
import type { ScriptedReply } from "../src/simulator/script.ts";
import type { CacheAccount } from "../src/simulator/simulated-request.ts";
import { accountOf, type SettledAccount } from "./cache-account.ts";
import { Conversation } from "./conversation.ts";
import { describeAll, describeContent } from "./describe.ts";
import { asFailure, SessionOver, SoakFailure } from "./failure.ts";
import { type Block, blocksOf, clone, endsInReply, isInLoop, type Message, openCalls, signatureOf } from "./history.ts";
import { type Abilities, describe, isLanding, judge } from "./judge.ts";
import { drawReply, type ReplyWish } from "./model-replies.ts";
import { answeredTo, commonLength, givenChain, isPrefix, isReply } from "./plain-model.ts";
import { assertTaken, Provider, placesDropped } from "./provider.ts";
import type { SoakRequest } from "./request.ts";
import type { Side } from "./sides/side.ts";
import { sideNamed } from "./sides/table.ts";
import { tryRestored } from "./snapshot-check.ts";
import { SoakSources } from "./sources.ts";
import { drawForms } from "./store-forms.ts";
import { asksByTool, asksNobody, budgetOf, type Compact, moodySummarizer, strategies } from "./strategies.ts";
import { repairCounts, type Tally } from "./tally.ts";
import type { Traits } from "./traits.ts";
import type { Transcript } from "./transcript.ts";
import type { Handed, Told, WayIn, WayMaker } from "./way-in.ts";
import { DirectSession } from "./ways/direct-session.ts";
import { StoredSession } from "./ways/stored-session.ts";
import { ThroughFetch } from "./ways/through-fetch.ts";
import { asOfNow, givenOf, lastRow, type Window, windowOf } from "./window.ts";
import { isFold, type Word, wordsOf } from "./words.ts";

export type Prepared = { readonly handed: Handed; readonly window: Window };
export type Answer = { readonly reply: ObjectValue; readonly content: readonly Block[]; readonly cache?: CacheAccount | undefined };
/** A session as it was saved, and what the soak knew of it then. */
export type Save = {
  readonly snapshot: Snapshot;
  readonly last: Window | undefined;
  readonly told: ReadonlyMap<string, Word> | undefined;
};

/** Shares of requests after which the session is saved, and before which its snapshot is tried. */
const saveShare = 0.3;
const trialShare = 0.05;
const resultCapTokens = 64;
/** Windows that are remembered to tell what stands in a history's own line. */
const earlierMax = 16;
/** What providers call it when another model made the reasoning. */
const madeByOthers = ["model_binding_mismatch", "model_mismatch", "model"];

export type HostSetup = {
  readonly seed: string;
  readonly traits: Traits;
  readonly tally: Tally;
  readonly transcript: Transcript;
  /** Absent: the way in that the traits name. */
  readonly opens?: WayMaker | undefined;
  /** How the provider is asked to compact; absent: by the request as it is. */
  readonly compacts?: ((provider: Provider) => Compact) | undefined;
};
type HostParts = HostSetup & { readonly provider: Provider; readonly way: WayIn; readonly sources: SoakSources | undefined };

/** An agent: it owns its history, asks the model through a way in and stores what comes back. Behaviours make it do what hosts do. */
export class Host extends Conversation {
  readonly tally: Tally;
  readonly way: WayIn;
  readonly sources: SoakSources | undefined;
  /** Words that a landing took out of the window, or that an edit put under one. */
  readonly taken = new Set<Word>();
  /** Words of messages that are pinned. */
  readonly pinned = new Set<Word>();
  /** Signatures of reasoning of which the session was told that the provider does not read it. */
  unread: ReadonlySet<string> = new Set();
  /** The last prepared request. */
  last: Window | undefined;
  restarted = false;
  /** The last request went to another provider: the next one goes on from what was sent to this one, and says that it came back (rule 15). */
  isBack: false | "as it was" | "cut" = false;
  /** The host took a landing back since the last request: what it replaced shows again (rule 7). */
  revoked = false;
  /** What the behaviours of the session so far may lead to. */
  readonly mayBreak = new Set<CheckpointReason>();
  /** Histories that the user left, and what had been dropped of them. */
  branches: { readonly history: Message[]; readonly forgotten: Message[] }[] = [];
  saves: Save[] = [];
  /** Whether some behaviour of the session wants old snapshots: taking one costs as much as a request. */
  keepsSaves = false;
  readonly #provider: Provider;
  readonly #seed: string;
  readonly #abroad = new Map<string, Provider>();
  /** Of a session that owns the history: how much of it the host has handed over. */
  #handed = 0;
  #requests = 0;
  #earlier: readonly Window[] = [];
  /** What the provider's cache did with the last settled request. */
  #account: SettledAccount | undefined;

  private constructor({ seed, traits, tally, transcript, provider, way, sources }: HostParts) {
    super(traits, transcript, chanceOf(seed));
    this.tally = tally;
    this.#provider = provider;
    this.#seed = seed;
    this.way = way;
    this.sources = sources;
    if (traits.overflow !== "none") for (const reason of ["elision", "compaction"] as const) this.mayBreak.add(reason);
  }

  static async start(setup: HostSetup): Promise<Host> {
    const { seed, traits } = setup;
    const side = sideNamed(traits.wire);
    const provider = new Provider(seed, side);
    const sources = traits.sources === "all" ? new SoakSources() : undefined;
    const compact: Compact = setup.compacts?.(provider) ?? ((body, { headers }) => provider.compacts(body, headers));
    const options = optionsOf({ seed, traits, side, provider, sources, compact });
    const way = setup.opens?.(options, provider) ?? (await wayOf(traits, options, provider));
    return new Host({ ...setup, provider, way, sources });
  }

  /** Of behaviours that need `session`. */
  get session(): Session {
    if (this.way.session === undefined) throw new TypeError("A behaviour that uses the session has to say so: needs: session.");
    return this.way.session;
  }

  set session(session: Session) {
    this.way.session = session;
  }

  get clock(): ManualClock {
    return this.#provider.clock;
  }

  /** Goes on until the model has nothing to call. */
  async finishesTurn(): Promise<void> {
    if (endsInReply(this.history)) return;
    this.ready();
    await this.asks({ calls: 0 });
  }

  /** Goes on until the model has called something. */
  async opensLoop(): Promise<void> {
    if (openCalls(this.history).length > 0) return;
    this.ready();
    await this.asks({ calls: 1 + this.chance.below(2) });
  }

  /** One request, its reply stored and settled. */
  async asks(wish: ReplyWish | ScriptedReply = {}): Promise<Prepared> {
    const prepared = await this.prepares();
    this.keeps(prepared, await this.sends(prepared, wish));
    return prepared;
  }

  /** What the host hands over, in the wire's form. */
  request(): object {
    const { objects } = this.traits;
    const request = this.side.request(this.asking());
    if (objects === "in-place") return request;
    return objects === "rebuilt" ? clone(request) : frozen(clone(request));
  }

  /** The same in the soak's own form. */
  asking(): SoakRequest {
    if (this.traits.marks === "yes") this.marksNewest();
    const { history } = this.traits;
    const messages = history === "new" ? this.history.slice(this.#handed) : this.history;
    const text = this.systemLines.join("\n");
    return {
      model: this.model,
      max_tokens: this.traits.overflow === "none" ? 1_024 : budgetOf(this.traits.overflow, this.traits.wire).output,
      system: this.traits.system === "text" ? text : [{ type: "text", text }],
      tools: this.offered(),
      messages,
      thinking: { type: "adaptive" },
      ...(this.effort === undefined ? {} : { output_config: { effort: this.effort } }),
    };
  }

  async prepares(signal?: AbortSignal): Promise<Prepared> {
    const asking = this.asking();
    const request = this.request();
    const isStartKnown = this.#knowsStart();
    const before = this.traits.objects === "frozen" ? undefined : JSON.stringify(request);
    const given = givenOf(asking, this.whole(), this.side);
    const compare = this.chance.happens(trialShare) && this.traits.settles !== "never" ? await this.#triesRestored(asking) : undefined;
    const handed = await this.way.hand(request, signal).catch((error) => Promise.reject(error === signal?.reason ? error : asEnd(error)));
    if (before !== undefined && JSON.stringify(request) !== before)
      throw new SoakFailure("host objects changed", "prepare wrote to what the host handed over (rule 3)");
    const told = this.isBack === false ? handed.told : withoutReturn(handed.told, this.isBack);
    const window = windowOf(this.side.read(handed.request), given, handed.told, this.last);
    this.tally.prepared(handed.told);
    this.#tell(handed.told, window);
    judge({
      ...{ before: this.last, now: window, told, traits: this.traits },
      models: this.abilities(),
      inLoop: isInLoop(this.history),
      earlier: this.#earlier,
      restarted: this.restarted,
      ...{ revoked: this.revoked, isBack: this.isBack !== false },
      isStartKnown,
      mayBreak: this.mayBreak,
      ...{ taken: this.taken, pinned: this.pinned, unread: this.unread },
      sources: this.sources?.current,
    });
    this.#notesLanding(window, handed.told);
    if (!isStartKnown && !window.words.includes(wordsOf(this.forgotten)[0] ?? "")) this.forgotten = [];
    compare?.(handed);
    this.#earlier = [...this.#earlier, window].slice(-earlierMax);
    this.last = window;
    Object.assign(this, { restarted: false, revoked: false, isBack: false });
    this.#handed = this.history.length;
    const saves = this.chance.happens(saveShare);
    if (saves && this.keepsSaves) this.saves.push(this.save());
    return { handed, window };
  }

  #notesLanding(window: Window, told: Told): void {
    if (window.underRecap === 0 && !told.continuity.checkpoints.some(isLanding)) return;
    const sent = new Set(window.words);
    for (const word of window.given.words) if (!sent.has(word)) this.taken.add(word);
  }

  /** Sends a prepared request. What the provider refuses by a rule of its own is a failure. */
  async sends({ handed, window }: Prepared, wish: ReplyWish | ScriptedReply = {}): Promise<Answer> {
    const answer = await handed.send(isScripted(wish) ? wish : drawReply(wish, this));
    const { refusal, reply, transformations } = answer;
    if (refusal !== undefined) {
      this.tally.refused();
      this.transcript.came(`refused ${refusal.rule} ${refusal.path ?? ""}: ${refusal.detail ?? refusal.message}`);
    }
    assertTaken(answer, window.messages);
    if (transformations.length > 0) this.#checkDrops(window, transformations);
    this.clock.advance(1_000 * (1 + this.chance.below(20)));
    return { reply, content: refusal === undefined ? this.side.content(reply) : [], cache: answer.cache };
  }

  /** Asks without the library, as another tool of the host would. Undefined: the provider refuses. */
  async asksOutside(messages: readonly Message[], wish: ReplyWish): Promise<Answer | undefined> {
    const { refusal, reply } = await this.#provider.answer(this.side.request({ ...this.asking(), messages }), {}, drawReply(wish, this));
    return refusal === undefined ? { reply, content: this.side.content(reply) } : undefined;
  }

  /** The provider fails although the request was right. */
  async fails({ handed }: Prepared, status: number): Promise<ObjectValue> {
    this.transcript.came(`fails with ${status}`);
    return (await handed.send({ error: { status } })).reply;
  }

  /** Stores a reply behind the history and settles the turn that it answers. */
  keeps(prepared: Prepared, answer: Answer): void {
    this.settles(prepared, answer);
    this.stores(answer.content);
  }

  stores(content: readonly Block[]): void {
    this.transcript.did(`reply ${describeContent(content)}`);
    this.history.push({ role: "assistant", content: clone(content) as Block[] });
    if (this.traits.history === "new") this.#handed += 1;
  }

  settles({ handed, window }: Prepared, { reply, content, cache }: Answer): void {
    window.fate.reply = content;
    if (this.traits.settles === "never") return;
    this.unread = new Set([...this.unread, ...window.fate.unread]);
    if (this.traits.settles === "turn" || !this.#settlesSession(reply)) handed.settle(reply);
    this.#account = accountOf({ session: this.way.session, window, cache, before: this.#account, isLast: window === this.last });
  }

  /** False: two turns are open, and the session cannot tell which is meant; or the host holds no session. */
  #settlesSession(reply: ObjectValue): boolean {
    try {
      this.way.session?.settle(reply);
      return this.way.session !== undefined;
    } catch (error) {
      if (error instanceof TidemarkError && error.code === "ambiguous-settle") return false;
      throw asFailure(error);
    }
  }

  save(): Save {
    return { snapshot: clone(this.session.snapshot()), last: asOfNow(this.last), told: this.sources?.current };
  }

  restores({ snapshot, last, told }: Save): void {
    if (!(this.way instanceof DirectSession)) throw new TypeError("A behaviour that restores has to say so: needs: snapshots.");
    this.way.restore(clone(snapshot));
    this.unread = new Set();
    this.sources?.returnsTo(told);
    this.last = asOfNow(last);
    this.restarted = false;
    if (this.last !== undefined) this.last.fate.restored = true;
  }

  /** Another process, which knows nothing, meets the history. */
  async forgets(): Promise<void> {
    await this.way.forget();
    this.unread = new Set();
    this.sources?.returnsTo();
    this.last = undefined;
    this.restarted = false;
    this.forgetsWhatItDropped();
    this.#handed = 0;
  }

  /** No window knows any longer what the host dropped from its history. Which dropped start of a branch a window made since knows is beyond the soak's own model: such a branch is gone. */
  forgetsWhatItDropped(): void {
    this.forgotten = [];
    this.branches = this.branches.filter((branch) => branch.forgotten.length === 0);
  }

  /** The provider of another wire: it knows what it signed before. */
  providerOf(side: Side): Provider {
    const known = this.#abroad.get(side.name) ?? new Provider(this.#seed, side, this.clock);
    this.#abroad.set(side.name, known);
    return known;
  }

  abilities(): Abilities {
    const { abilities, profile, join } = this.side.wire;
    const { bindsReasoning, positionalSystem } = profile(this.model);
    return {
      binds: bindsReasoning !== "no",
      positionalSystem,
      speaksBehindResults: abilities.textBehindResults !== false,
      joins: join !== undefined,
    };
  }

  /**
   * Whether it is sure that the window goes on behind what was dropped: the last window is told by what is left of it, with a reply in that or the one that it was settled with (rule 5), older
   * ones by chance, and of a loop that was folded nothing can be told.
   */
  #knowsStart(): boolean {
    if (this.forgotten.length === 0) return true;
    const now = givenChain(this.history);
    const known = this.last?.given.chain ?? [];
    const from = known.indexOf(now[0] ?? "");
    if (from < 0 || this.last?.messages.some(isFold) === true) return false;
    const left = known.slice(from);
    const same = commonLength(left, now);
    const isAnswered = this.traits.settles !== "never" && same === left.length && isReply(now[same] ?? "");
    return isAnswered || now.slice(0, same).some(isReply);
  }

  /**
   * What a session takes on trust is not in its snapshot, so that this is not for hosts that never settle. Only what was answered may come in another form: the
   * rest is admitted anew.
   */
  async #triesRestored(request: SoakRequest): Promise<((own: Handed) => void) | undefined> {
    // A running job is in no snapshot, and a summariser does not say the same twice.
    if (!(this.way instanceof DirectSession) || !asksNobody(this.traits.overflow) || this.isBack !== false) return undefined;
    const known = this.#answeredCount(request.messages);
    return tryRestored({
      session: this.session,
      options: this.way.options,
      side: this.side,
      request,
      known,
      forms: drawForms(this.chance, this.side.storeForms),
    });
  }

  /** How many messages of a history that only grew since the last request were answered then. */
  #answeredCount(messages: readonly Message[]): number {
    if (this.traits.history === "new" || this.restarted || this.last === undefined || this.last.held > 0) return 0;
    const before = messages.slice(0, this.last.given.messages);
    return isPrefix(this.last.given.chain, givenChain(before)) ? answeredTo(before) : 0;
  }

  /** Only the reasoning of an open loop's last replies may be lent, and only where the reply reports what was dropped (rule 62 b). */
  #checkDrops(window: Window, transformations: readonly ObjectValue[]): void {
    window.fate.dropped = true;
    window.fate.unread = transformations
      .filter(({ reason }) => !madeByOthers.includes(String(reason)))
      .flatMap(({ path }) => {
        const [message, block] = (String(path).match(/\d+/g) ?? []).map(Number);
        return signatureOf(blocksOf(window.messages[message ?? -1] ?? { content: [] })[block ?? -1] ?? { type: "none" }) ?? [];
      });
    const places = placesDropped(transformations).join(", ");
    this.transcript.came(`drops ${places}`);
    const row = lastRow(window.messages);
    const lent = transformations.every(({ path }) => Number(/messages\.(\d+)/.exec(String(path))?.[1]) >= row);
    if (this.traits.header === "drop" && window.inLoop && lent) return;
    // A model that does not bind thinking passes over what it does not read; a session that does not know who made it may try (rule 27).
    if (!this.abilities().binds && transformations.every(({ reason }) => madeByOthers.includes(String(reason)))) return;
    throw new SoakFailure("reasoning unread", `the provider did not read ${places}`, [describeAll(window.messages as Message[])]);
  }

  #tell({ continuity, repairs, said }: Told, { messages }: Window): void {
    if (!this.transcript.isRead) return;
    const { kept, appended, checkpoints } = continuity;
    this.transcript.came(`request ${++this.#requests}: keeps ${kept}, appends ${appended}`);
    for (const checkpoint of checkpoints) this.transcript.came(describe(checkpoint));
    const repaired = Object.entries(repairCounts(repairs)).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
    if (repaired.length > 0) this.transcript.came(`repairs: ${repaired.join(", ")}`);
    if (said.length > 0) this.transcript.came(`says ${said.map(({ source }) => source).join(", ")}`);
    this.transcript.came(describeAll(messages as Message[]));
  }
}

async function wayOf({ way }: Traits, options: SessionOptions, provider: Provider): Promise<WayIn> {
  if (way === "fetch") return new ThroughFetch(options, provider);
  return way === "store" ? StoredSession.open(options, provider) : new DirectSession(options, provider);
}

type OptionParts = Pick<HostParts, "seed" | "traits" | "provider" | "sources"> & { readonly side: Side; readonly compact: Compact };

function optionsOf({ seed, traits, side, provider, sources, compact }: OptionParts): SessionOptions {
  const { header, history, systemChanges, trims, cache, overflow, declines } = traits;
  const { wire, doubted = [] } = side;
  const strategy = strategies[overflow]?.(moodySummarizer(chanceOf(`${seed}/summaries`)), compact, side.name);
  return {
    ...{ wire, history, systemChanges, trims, cache, selfCheck: true, strict: doubted.length === 0 },
    toolResultCap: resultCapTokens,
    headers: header !== "none",
    reasoningMismatch: header === "drop" ? "drop" : "error",
    now: () => provider.clock.now(),
    ...(sources === undefined ? {} : { sources: sources.all }),
    ...(strategy === undefined
      ? {}
      : {
          budget: budgetOf(overflow, side.name),
          overflow: {
            strategy,
            ...(declines === "yes" ? {} : { minimumGain: 0 }),
            ...(asksByTool(overflow) ? { tool: newContext() } : {}),
          },
        }),
  };
}

/** What it says of a request that comes back from another provider, beside that; what landed there has landed. @throws {SoakFailure} where it does not say it. */
function withoutReturn(told: Told, back: "as it was" | "cut"): Told {
  const [model, ...others] = told.continuity.checkpoints;
  if (model?.reason !== "model" || model.at !== 0)
    throw new SoakFailure("unreported return", "the last request went elsewhere, and no checkpoint says so");
  return {
    ...told,
    continuity: { ...told.continuity, checkpoints: back === "cut" ? [{ ...model, reason: "compaction" }, ...others] : others },
  };
}

/** A strategy that cannot make a window fit says so, and the host cannot go on. */
export function asEnd(error: unknown): Error {
  return error instanceof OverLimitError || error instanceof FloorError ? new SessionOver() : asFailure(error);
}

function isScripted(wish: ReplyWish | ScriptedReply): wish is ScriptedReply {
  return "parts" in wish || "error" in wish || "stop" in wish || "message" in wish;
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}
