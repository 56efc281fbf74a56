import { createSession, type ObjectValue, ReplayLog, restoreSession, type Session, type SessionOptions } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { seededActor } from "../src/simulator/actor.ts";
import { anthropicSimulator } from "../src/simulator/anthropic/server.ts";
import { type Chance, chanceOf } from "../src/simulator/chance.ts";
import { openaiChatSimulator } from "../src/simulator/openai-chat/server.ts";
import type { Simulator } from "../src/simulator/simulator.ts";

export type Message = { role: string; content?: unknown; [member: string]: unknown };
type Body = { readonly model: string; readonly messages: readonly Message[]; readonly [member: string]: unknown };
type Options = Partial<SessionOptions<Body>>;

/** What differs between the wires for a host. */
export type Side = {
  readonly name: string;
  readonly model: string;
  readonly options: Pick<SessionOptions<Body>, "wire">;
  simulator(seed: string): Simulator;
  replyOf(reply: ObjectValue): Message;
  openCalls(reply: Message): readonly string[];
  results(results: readonly (readonly [id: string, text: string])[]): readonly Message[];
  picture(words: string): unknown;
  head(system: string, tools: readonly string[]): { readonly fields: object; readonly leading: readonly Message[] };
};

const pixels = (chance: Chance): string => btoa(chance.token(120));
const actor = (seed: string) => seededActor({ seed, thinks: 0.7, finishes: 0.4, empties: 0.05 });

export const anthropicSide = (chance: Chance): Side => ({
  name: "Anthropic",
  model: "claude-opus-5-5",
  options: { wire: anthropic() } as unknown as Pick<SessionOptions<Body>, "wire">,
  simulator: (seed) => anthropicSimulator({ seed, script: actor(seed), mode: "error" }),
  replyOf: ({ content }) => ({ role: "assistant", content: structuredClone(content) }),
  openCalls: ({ content }) => (content as { type: string; id: string }[]).flatMap(({ type, id }) => (type === "tool_use" ? [id] : [])),
  results: (results) => [{ role: "user", content: results.map(([id, content]) => ({ type: "tool_result", tool_use_id: id, content })) }],
  picture: (words) => [
    { type: "text", text: words },
    { type: "image", source: { type: "base64", media_type: "image/png", data: pixels(chance) } },
  ],
  head: (system, tools) => ({
    fields: { max_tokens: 1_000, system, tools: tools.map((name) => ({ name, input_schema: { type: "object" } })) },
    leading: [],
  }),
});

export const chatSide = (chance: Chance): Side => ({
  name: "Chat Completions",
  model: "deepseek-chat",
  options: { wire: openaiChat({ dialect: "deepseek" }) } as unknown as Pick<SessionOptions<Body>, "wire">,
  simulator: (seed) => openaiChatSimulator({ seed, script: actor(seed), dialect: "deepseek" }),
  replyOf: (reply) => structuredClone((reply.choices as unknown as { message: Message }[])[0]?.message as Message),
  openCalls: ({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id),
  results: (results) => results.map(([id, content]) => ({ role: "tool", tool_call_id: id, content })),
  picture: (words) => [
    { type: "text", text: words },
    { type: "image_url", image_url: { url: `data:image/png;base64,${pixels(chance)}` } },
  ],
  head: (system, tools) => ({
    fields: { tools: tools.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } })) },
    leading: [{ role: "system", content: system }],
  }),
});

/** A small host by seed: it appends, retries, edits, regenerates, changes its head, and goes on from a snapshot with other options. A log is attached all the while. */
export class ReplayAgent {
  readonly simulator: Simulator;
  log = new ReplayLog();
  #history: Message[] = [];
  #session: Session<Body>;
  #options: Options;
  #system = "You help with files.\nBe brief.\nNever delete.";
  #tools = ["read", "write"];
  #words = 0;
  readonly #side: Side;
  readonly #chance: Chance;

  constructor(side: Side, chance: Chance, seed: string, options: Options) {
    this.#side = side;
    this.#chance = chance;
    this.#options = { toolResultCap: 128, strict: false, ...options };
    this.simulator = side.simulator(seed);
    this.#session = createSession<Body>({ ...side.options, ...this.#options, log: this.log });
  }

  async step(): Promise<void> {
    const [, act] = this.#chance.pick(acts);
    act(this);
    this.#makeReady();
    await this.#send();
  }

  async #send(): Promise<void> {
    const { fields, leading } = this.#side.head(this.#system, this.#tools);
    const turn = await this.#session.prepare({ model: this.#side.model, ...fields, messages: [...leading, ...this.#history] });
    const { status, reply, refusal } = await this.simulator.handle(turn.request, { headers: turn.headers });
    if (status !== 200) throw new Error(`${refusal?.rule}: ${refusal?.message}`);
    if (this.#chance.happens(0.1)) return;
    turn.settle(reply);
    this.#history.push(this.#side.replyOf(reply));
  }

  #makeReady(): void {
    const last = this.#history.at(-1);
    const open = last?.role === "assistant" ? this.#side.openCalls(last) : [];
    if (open.length > 0) this.#history.push(...this.#side.results(open.map((id) => [id, this.#text()] as const)));
    else if (last === undefined || last.role === "assistant") this.say();
  }

  say(): void {
    const words = this.#text();
    this.#history.push({ role: "user", content: this.#chance.happens(0.2) ? this.#side.picture(words) : words });
  }

  #text(): string {
    const words = `words ${++this.#words}`;
    return this.#chance.happens(0.3) ? `${words}\n`.repeat(200) : words;
  }

  /** Changes what was said earlier, results included. */
  edit(): void {
    const at = this.#chance.below(Math.max(this.#history.length, 1));
    const message = this.#history[at];
    if (message === undefined || message.role === "assistant") return;
    if (typeof message.content === "string") this.#history[at] = { ...message, content: "[cleared]" };
    else
      this.#history[at] = {
        ...message,
        content: (message.content as object[]).map((block) => ("tool_use_id" in block ? { ...block, content: "[cleared]" } : block)),
      };
  }

  regenerate(): void {
    if (this.#history.at(-1)?.role === "assistant") this.#history.pop();
  }

  changeHead(): void {
    if (this.#chance.happens(0.5)) this.#system = this.#system.replace(/(\nNow: .*)?$/, `\nNow: ${++this.#words}`);
    else this.#tools = this.#tools.length === 2 ? ["read", "write", "ls"] : ["write", "read"];
  }

  /** Another process, with other options and tools, and sometimes with the log as it comes back from its store. */
  restore(): void {
    if (this.#chance.happens(0.5)) this.log = new ReplayLog(JSON.parse(JSON.stringify(this.log.records)));
    this.#options = {
      ...this.#options,
      toolResultCap: this.#chance.pick([false, 64, 300]),
      cache: this.#chance.pick(["planned", "off", "automatic"]),
    };
    const snapshot: unknown = JSON.parse(JSON.stringify(this.#session.snapshot()));
    this.#session = restoreSession<Body>(snapshot, { ...this.#side.options, ...this.#options, log: this.log });
    this.changeHead();
  }

  restart(): void {
    this.#session.restart();
  }
}

// By how often each is drawn.
const acts: readonly (readonly [string, (agent: ReplayAgent) => void])[] = [
  ...Array.from({ length: 10 }, () => ["step", () => undefined] as const),
  ["retry", () => undefined],
  ["say more", (agent) => agent.say()],
  ["edit", (agent) => agent.edit()],
  ["edit", (agent) => agent.edit()],
  ["regenerate", (agent) => agent.regenerate()],
  ["change the head", (agent) => agent.changeHead()],
  ["restore", (agent) => agent.restore()],
  ["restore", (agent) => agent.restore()],
  ["restart", (agent) => agent.restart()],
];

export function agentOf(sideOf: (chance: Chance) => Side, seed: string, options: Options): ReplayAgent {
  const chance = chanceOf(seed);
  return new ReplayAgent(sideOf(chance), chance, seed, options);
}
