import type { Checkpoint, Session, SessionOptions, Settled, Turn } from "../src/index.ts";
import { createSession, restoreSession } from "../src/index.ts";
import type { PrepareOptions } from "../src/session/prepare-options.ts";
import { anthropicSpeaker, type Block, type Body, type Message, type Reply, type Speaker } from "./speakers.ts";

export type TalkOptions = Partial<Omit<SessionOptions<Body>, "wire">>;

/** A host in a test: it keeps a history, asks through a session and stores what comes back. Every request is checked against the one before, byte by byte. */
export class Talk {
  readonly speaker: Speaker;
  /** The host's own. Tests change it as hosts do. */
  history: Message[] = [];
  /** Members of each request beside model and messages. */
  head: object = { max_tokens: 1_000 };
  session: Session<Body>;
  readonly options: TalkOptions;
  turn: Turn<Body> | undefined;

  constructor(options: TalkOptions = {}, speaker: Speaker = anthropicSpeaker) {
    this.speaker = speaker;
    this.options = { selfCheck: true, strict: true, ...options };
    this.session = createSession<Body>({ wire: speaker.wire, ...this.options });
  }

  request(more: object = {}): Body {
    return { [this.speaker.modelMember ?? "model"]: this.speaker.model, ...this.head, messages: this.history, ...more } as unknown as Body;
  }

  /** The next request, with the history as it stands. */
  async send(more: object = {}, options?: PrepareOptions): Promise<Turn<Body>> {
    this.turn = await this.session.prepare(this.request(more), options);
    return this.turn;
  }

  /** The user says something, and the request goes out. */
  async ask(words: string, more: object = {}): Promise<Turn<Body>> {
    this.history = [...this.history, this.speaker.user(words)];
    return this.send(more);
  }

  /** The calls get their results, and the request goes out. */
  async results(...results: readonly (readonly [id: string, content: string])[]): Promise<Turn<Body>> {
    this.history = [...this.history, ...this.speaker.results(...results)];
    return this.send();
  }

  /** The provider answers the last request; the host settles the reply and stores it. */
  answer(reply: Reply | readonly Block[], more: object = {}): Settled | undefined {
    const message = this.message(reply);
    const settled = this.turn?.settle(this.speaker.replied(message, more));
    this.history = [...this.history, message];
    return settled;
  }

  /** The host stores a reply that it does not settle. */
  store(reply: Reply | readonly Block[]): void {
    this.history = [...this.history, this.message(reply)];
  }

  message(reply: Reply | readonly Block[]): Message {
    return isBlocks(reply) ? { role: "assistant", content: reply } : this.speaker.reply(reply);
  }

  /** Another process goes on from this one's snapshot. */
  restore(options: TalkOptions = {}): void {
    const snapshot: unknown = JSON.parse(JSON.stringify(this.session.snapshot()));
    this.session = restoreSession<Body>(snapshot, { wire: this.speaker.wire, ...this.options, ...options });
    this.turn = undefined;
  }
}

function isBlocks(reply: Reply | readonly Block[]): reply is readonly Block[] {
  return Array.isArray(reply);
}

/** The messages of a request, without cache marks. */
export function sent(turn: Turn<Body> | undefined): readonly Message[] {
  return (turn?.request.messages ?? []).map(unmarked) as readonly Message[];
}

/** Each message of a request as its bytes, without cache marks. */
export function bytes(turn: Turn<Body> | undefined): readonly string[] {
  return sent(turn).map((message) => JSON.stringify(message));
}

/** All that a request says, as one text. */
export function allOf(turn: Turn<Body> | undefined): string {
  return bytes(turn).join("\n");
}

/** Reason and place of each checkpoint: `history at 0`. */
export function breaks(turn: Turn<Body>): readonly string[] {
  return turn.continuity.checkpoints.map(({ reason, at }) => `${reason} at ${at}`);
}

export function onlyCheckpoint(turn: Turn<Body>): Checkpoint {
  const [checkpoint, ...others] = turn.continuity.checkpoints;
  if (checkpoint === undefined || others.length > 0)
    throw new Error(`one checkpoint was expected, there are ${breaks(turn).join(", ") || "none"}`);
  return checkpoint;
}

const marks: ReadonlySet<string> = new Set(["cache_control", "prompt_cache_breakpoint"]);

export function unmarked<T>(value: T): T {
  const without = (name: string, member: unknown): unknown =>
    marks.has(name) ? undefined : Array.isArray(member) ? member.filter((item) => !isCachePoint(item)) : member;
  return JSON.parse(JSON.stringify(value, without)) as T;
}

/** Bedrock's mark is a block of its own. */
function isCachePoint(item: unknown): boolean {
  return typeof item === "object" && item !== null && "cachePoint" in item;
}
