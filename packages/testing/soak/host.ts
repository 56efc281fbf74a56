import {
  createSession,
  type ObjectValue,
  restoreSession,
  type Session,
  type SessionOptions,
  type Snapshot,
  TidemarkError,
  type Turn,
} from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { anthropicSimulator } from "../src/simulator/anthropic/server.ts";
import { type Chance, chanceOf } from "../src/simulator/chance.ts";
import type { ScriptedReply } from "../src/simulator/script.ts";
import { describeAll, describeContent } from "./describe.ts";
import { SoakFailure } from "./failure.ts";
import { type Block, blocksOf, clone, endsInReply, isInLoop, type Message, openCalls, type Tool } from "./history.ts";
import { describe, judge } from "./judge.ts";
import { drawReply, type ReplyWish } from "./model-replies.ts";
import { answeredTo, givenChain, isPrefix } from "./plain-model.ts";
import { tryRestored } from "./snapshot-check.ts";
import { drawForms } from "./store-forms.ts";
import { repairCounts, type Tally } from "./tally.ts";
import type { Traits } from "./traits.ts";
import type { Transcript } from "./transcript.ts";
import { givenOf, type SoakRequest, type Window, windowOf } from "./window.ts";
import { isFold, wordMaker, wordsOf } from "./words.ts";

export type Prepared = { readonly turn: Turn<SoakRequest>; readonly window: Window };
export type Answer = { readonly reply: ObjectValue; readonly content: readonly Block[] };
/** A session as it was saved, and what the soak knew of it then. */
export type Save = { readonly snapshot: Snapshot; readonly last: Window | undefined };

const wire = anthropic();
/** Shares of requests after which the session is saved, and before which its snapshot is tried. */
const saveShare = 0.3;
const trialShare = 0.05;
/** Of a host whose content is mixed: how often it is anything but a word. */
const mixedShare = 0.08;
const resultCapTokens = 64;
const longText = "\nthis line is one of many".repeat(40);
/** Cut inside a surrogate pair, as a limit in UTF-16 units does. */
const halfEmoji = " \ud83d";

/** An agent: it owns its history, asks the model through a session and stores what comes back. Behaviours make it do what hosts do. */
export class Host {
  readonly traits: Traits;
  readonly tally: Tally;
  readonly transcript: Transcript;
  readonly word = wordMaker();
  /** Chances of the step at hand, so that a step does the same whatever was left out before it. */
  chance: Chance;
  history: Message[] = [];
  /** What a window keeps although the host dropped it (`trims: "ignore"`). */
  forgotten: Message[] = [];
  systemLines: string[];
  tools: Tool[];
  model: string;
  effort: string | undefined;
  session: Session<AnthropicRequest>;
  /** The session's last prepared request. */
  last: Window | undefined;
  restarted = false;
  /** Histories that the user left, and what had been dropped of them. */
  branches: { readonly history: Message[]; readonly forgotten: Message[] }[] = [];
  saves: Save[] = [];
  /** Whether some behaviour of the session wants old snapshots: taking one costs as much as a request. */
  keepsSaves = false;
  readonly #simulator;
  #scripted: ScriptedReply = {};
  /** Of a session that owns the history: how much of it the host has handed over. */
  #handed = 0;
  #requests = 0;

  constructor(seed: string, traits: Traits, tally: Tally, transcript: Transcript) {
    this.traits = traits;
    this.tally = tally;
    this.transcript = transcript;
    this.chance = chanceOf(seed);
    this.model = traits.model;
    this.systemLines = ["You help with files.", `Rules: ${this.word("s")}`, `Now: ${this.word("s")}`];
    this.tools = [toolNamed("read"), toolNamed("write")];
    this.#simulator = anthropicSimulator({ seed, keep: 1, script: () => this.#scripted });
    this.session = createSession(this.options());
  }

  options(): SessionOptions<AnthropicRequest> {
    const { header, history, systemChanges, trims, cache } = this.traits;
    return {
      ...{ wire, history, systemChanges, trims, cache, selfCheck: true, strict: true },
      toolResultCap: resultCapTokens,
      headers: header !== "none",
      reasoningMismatch: header === "drop" ? "drop" : "error",
    };
  }

  /** All that is in the conversation as far as the host knows, also what it no longer hands over. */
  whole(): readonly Message[] {
    return this.forgotten.length === 0 ? this.history : [...this.forgotten, ...this.history];
  }

  // What the host does to its history.

  say(message: Message): void {
    this.history.push(message);
    this.transcript.did(describeAll([message]));
  }

  userSays(note?: string): void {
    const text = `${this.word("u")}${note === undefined ? "" : ` ${note}`}${this.#mixes() ? halfEmoji : ""}`;
    if (this.#mixes()) this.say({ role: "user", content: [{ type: "text", text }, picture()] });
    else this.say({ role: "user", content: this.chance.happens(0.5) ? text : [{ type: "text", text }] });
  }

  result(id: unknown): Block {
    const text = `${this.word("r")}${this.#mixes() ? longText : ""}`;
    if (this.#mixes()) return { type: "tool_result", tool_use_id: id, content: [{ type: "text", text }, picture()] };
    const content = this.chance.happens(0.6) ? text : [{ type: "text", text }];
    if (this.chance.happens(0.04)) return { type: "tool_result", tool_use_id: id, content: "" };
    return { type: "tool_result", tool_use_id: id, content, ...(this.chance.happens(0.1) ? { is_error: true } : {}) };
  }

  #mixes(): boolean {
    return this.traits.content === "mixed" && this.chance.happens(mixedShare);
  }

  /** The results of the open calls, in the order in which they came back, in one message or one each. */
  answersCalls(): void {
    const results = openCalls(this.history).map((call) => this.result(call.id));
    if (this.chance.happens(0.3)) results.reverse();
    if (this.chance.happens(0.8)) this.say({ role: "user", content: results });
    else for (const result of results) this.say({ role: "user", content: [result] });
  }

  /** Makes the history end in something that can be answered. */
  ready(): void {
    if (openCalls(this.history).length > 0) this.answersCalls();
    else if (this.history.at(-1)?.role !== "user") this.userSays();
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

  // What it asks the model.

  /** One request, its reply stored and settled. */
  async asks(wish: ReplyWish = {}): Promise<Prepared> {
    const prepared = await this.prepares();
    this.keeps(prepared, await this.sends(prepared, wish));
    return prepared;
  }

  request(): SoakRequest {
    if (this.traits.marks === "yes") this.#setMarks();
    const { objects, history } = this.traits;
    const messages = history === "new" ? this.history.slice(this.#handed) : this.history;
    const text = this.systemLines.join("\n");
    const request: SoakRequest = {
      model: this.model,
      max_tokens: 1_024,
      system: this.traits.system === "text" ? text : [{ type: "text", text }],
      tools: this.tools,
      messages,
      thinking: { type: "adaptive" },
      ...(this.effort === undefined ? {} : { output_config: { effort: this.effort } }),
    };
    if (objects === "in-place") return request;
    return objects === "rebuilt" ? clone(request) : frozen(clone(request));
  }

  async prepares(): Promise<Prepared> {
    const request = this.request();
    const isStartKnown = this.#knowsStart();
    const before = this.traits.objects === "frozen" ? undefined : JSON.stringify(request);
    const given = givenOf(request, this.whole());
    const compare = this.chance.happens(trialShare) && this.traits.settles !== "never" ? await this.#triesRestored(request) : undefined;
    const turn = await this.session.prepare(request).catch((error) => Promise.reject(asFailure(error)));
    if (before !== undefined && JSON.stringify(request) !== before)
      throw new SoakFailure("host objects changed", "prepare wrote to what the host handed over (rule 3)");
    const window = windowOf(turn.request, given, turn.repairs);
    this.tally.prepared(turn);
    this.#tell(turn, window);
    judge({
      ...{ before: this.last, now: window, turn, traits: this.traits },
      models: this.abilities(),
      inLoop: isInLoop(this.history),
      restarted: this.restarted,
      isStartKnown,
    });
    if (!isStartKnown && !window.words.includes(wordsOf(this.forgotten)[0] ?? "")) this.forgotten = [];
    compare?.(turn);
    this.last = window;
    this.restarted = false;
    this.#handed = this.history.length;
    const saves = this.chance.happens(saveShare);
    if (saves && this.keepsSaves) this.saves.push(this.save());
    return { turn, window };
  }

  /** Sends a prepared request. What the provider refuses by a rule of its own is a failure. */
  async sends({ turn, window }: Prepared, wish: ReplyWish | ScriptedReply = {}): Promise<Answer> {
    this.#scripted = isScripted(wish) ? wish : drawReply(wish, this);
    const { status, refusal, reply, transformations } = await this.#simulator.handle(turn.request, { headers: turn.headers });
    if (refusal !== undefined) {
      this.tally.refused();
      this.transcript.came(`refused ${refusal.rule} ${refusal.path ?? ""}: ${refusal.detail ?? refusal.message}`);
      throw new SoakFailure(`refused ${refusal.rule}`, `${status} ${refusal.message}`, [
        refusal.detail ?? "",
        describeAll(window.messages as Message[]),
      ]);
    }
    if (transformations.length > 0) this.#checkDrops(window, transformations);
    return { reply, content: clone(reply.content) as Block[] };
  }

  /** Asks without the session, as another tool of the host would. Undefined: the provider refuses. */
  async asksOutside(messages: readonly Message[], wish: ReplyWish): Promise<Answer | undefined> {
    this.#scripted = drawReply(wish, this);
    const { refusal, reply } = await this.#simulator.handle({ ...this.request(), messages });
    return refusal === undefined ? { reply, content: clone(reply.content) as Block[] } : undefined;
  }

  /** The provider fails although the request was right. */
  async fails({ turn }: Prepared, status: number): Promise<ObjectValue> {
    this.#scripted = { error: { status } };
    this.transcript.came(`fails with ${status}`);
    return (await this.#simulator.handle(turn.request, { headers: turn.headers })).reply;
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

  settles({ turn, window }: Prepared, { reply, content }: Answer): void {
    window.fate.reply = content;
    if (this.traits.settles === "never") return;
    if (this.traits.settles === "turn" || !this.#settlesSession(reply)) turn.settle(reply);
  }

  /** False: two turns are open, and the session cannot tell which is meant. */
  #settlesSession(reply: ObjectValue): boolean {
    try {
      this.session.settle(reply);
      return true;
    } catch (error) {
      if (error instanceof TidemarkError && error.code === "ambiguous-settle") return false;
      throw asFailure(error);
    }
  }

  // What becomes of its process.

  save(): Save {
    return { snapshot: clone(this.session.snapshot()), last: asOfNow(this.last) };
  }

  restores({ snapshot, last }: Save): void {
    this.session = restoreSession(clone(snapshot), this.options());
    this.last = asOfNow(last);
    this.restarted = false;
    if (this.last !== undefined) this.last.fate.restored = true;
  }

  /** A session without a ledger meets the history. */
  forgets(): void {
    this.session = createSession(this.options());
    this.last = undefined;
    this.restarted = false;
    this.forgetsWhatItDropped();
    this.#handed = 0;
  }

  /** No session knows any longer what the host dropped from its history. */
  forgetsWhatItDropped(): void {
    this.forgotten = [];
    this.branches = this.branches.map((branch) => ({ ...branch, forgotten: [] }));
  }

  abilities(): { readonly binds: boolean; readonly positionalSystem: boolean } {
    const profile = wire.profile(this.model);
    return { binds: profile.bindsReasoning !== "no", positionalSystem: profile.positionalSystem };
  }

  /**
   * Whether it is sure that the window goes on behind what was dropped: the last window is told by the first message that is left, older ones by chance, and of
   * a loop that was folded nothing can be told.
   */
  #knowsStart(): boolean {
    if (this.forgotten.length === 0) return true;
    const [start] = givenChain(this.history);
    return start !== undefined && !holdsFold(this.last) && this.last?.given.chain.includes(start) === true;
  }

  /**
   * What a session takes on trust is not in its snapshot, so that this is not for hosts that never settle. Only what was answered may come in another form: the
   * rest is admitted anew.
   */
  #triesRestored(request: SoakRequest): Promise<(own: Turn<SoakRequest>) => void> {
    const known = this.#answeredCount(request.messages);
    return tryRestored({ session: this.session, options: this.options(), request, known, forms: drawForms(this.chance) });
  }

  /** How many messages of a history that only grew since the last request were answered then. */
  #answeredCount(messages: readonly Message[]): number {
    if (this.traits.history === "new" || this.restarted || this.last === undefined || this.last.held > 0) return 0;
    const before = messages.slice(0, this.last.given.messages);
    return isPrefix(this.last.given.chain, givenChain(before)) ? answeredTo(before) : 0;
  }

  #setMarks(): void {
    for (const message of this.history) if (Array.isArray(message.content)) for (const block of message.content) delete block.cache_control;
    const last = this.history.at(-1);
    if (last === undefined) return;
    const blocks = [...blocksOf(last)];
    const block = blocks.at(-1);
    if (block === undefined || block.type.endsWith("thinking")) return;
    blocks[blocks.length - 1] = { ...block, cache_control: { type: "ephemeral" } };
    last.content = blocks;
  }

  /** Only the reasoning of an open loop's last replies may be lent, and only where the reply reports what was dropped (rule 62 b). */
  #checkDrops(window: Window, transformations: readonly ObjectValue[]): void {
    window.fate.dropped = true;
    const places = transformations.map(({ path, reason }) => `${path} (${reason})`);
    this.transcript.came(`drops ${places.join(", ")}`);
    const row = lastRow(window.messages);
    const lent = transformations.every(({ path }) => Number(/messages\.(\d+)/.exec(String(path))?.[1]) >= row);
    if (this.traits.header === "drop" && window.inLoop && lent) return;
    // A model that does not bind thinking passes over what it does not read; a session that does not know who made it may try (rule 27).
    if (!this.abilities().binds && transformations.every(({ reason }) => reason === "model_binding_mismatch")) return;
    throw new SoakFailure("reasoning unread", `the provider did not read ${places.join(", ")}`, [
      describeAll(window.messages as Message[]),
    ]);
  }

  #tell({ continuity, repairs, said }: Turn, { messages }: Window): void {
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

export function toolNamed(name: string): Tool {
  return {
    name,
    description: `Tool ${name}.`,
    input_schema: { type: "object", properties: { path: { type: "string" }, all: { type: "boolean" } }, required: ["path"] },
  };
}

function picture(): Block {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" } };
}

export function asFailure(error: unknown): Error {
  if (error instanceof SoakFailure || !(error instanceof Error)) return error as Error;
  const code = error instanceof TidemarkError ? error.code : error.name;
  return new SoakFailure(`throws ${code}`, error.message, error instanceof TidemarkError ? [] : [String(error.stack)]);
}

function lastRow(messages: readonly { readonly role: string }[]): number {
  let from = messages.findLastIndex((message) => message.role === "assistant");
  while (messages[from - 1]?.role === "assistant") from--;
  return from;
}

/** A window's fate goes on, also when the session is restored from a snapshot of before. */
function asOfNow(window: Window | undefined): Window | undefined {
  return window && { ...window, fate: { ...window.fate } };
}

/** Of a history that starts inside a folded loop nobody can tell what it goes on from. */
function holdsFold(window: Window | undefined): boolean {
  return window?.messages.some(isFold) === true;
}

function isScripted(wish: ReplyWish | ScriptedReply): wish is ScriptedReply {
  return "parts" in wish || "error" in wish || "stop" in wish || "message" in wish;
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}
