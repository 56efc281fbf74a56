import { createSession, type ObjectValue, restoreSession, type Session, type SessionOptions, type Turn } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { type Block, blocksOf, type Message } from "../../soak/history.ts";
import { type StoreForm, throughStore } from "../../soak/store-forms.ts";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import type { ReplyPart, ScriptedReply } from "../../src/simulator/script.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";
import { describeTurn } from "./print.ts";
import { Squeezing } from "./squeezing.ts";
import { printStory, readStory, type Step, type Story } from "./story.ts";
import { tellings, toldThings } from "./told.ts";

/** Plays a story through a session and the strict simulator in error mode, and writes down what comes of it. */
export async function play(text: string): Promise<string> {
  const story = readStory(text);
  const stage = new Stage(story);
  const rows = story.steps.map(({ line }) => ({ line, came: [] as string[] }));
  for (const [index, step] of story.steps.entries()) {
    const row = rows[index];
    // A reply that stands behind something new answers the request that this made.
    if (step.verb === "reply" && step.words[0] !== "to" && stage.isNew)
      rows[index - 1]?.came.push(...(await stage.send(replyFor(story, index, stage.requestCount + 1))));
    if (step.verb === "send") row?.came.push(...(await stage.send(replyFor(story, index + 1, stage.requestCount + 1))));
    else row?.came.push(...(await stage.perform(step)));
  }
  if (stage.isNew) rows.at(-1)?.came.push(...(await stage.send(unheard)));
  return printStory(story, rows);
}

/** What the model will say to a request: in the reply that names it, else in the next one that names none, unless another request goes out before. */
function replyFor({ steps }: Story, from: number, request: number): ScriptedReply {
  const replies = steps.slice(from).filter(({ verb }) => verb === "reply" || verb === "send");
  const named = replies.find(({ words }) => words[0] === "to" && words[1] === String(request));
  if (named !== undefined) return scripted(named.words.slice(2));
  const [next] = replies;
  return next?.verb === "reply" && next.words[0] !== "to" ? scripted(next.words) : unheard;
}

const unheard: ScriptedReply = { text: "nobody hears this" };

/** `thinks "hm" says "yes" call c1 read call c2 ls`. */
function scripted(words: readonly string[]): ScriptedReply {
  const parts: ReplyPart[] = [];
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "thinks") parts.push({ thinking: words[++at] ?? "" });
    if (words[at] === "says") parts.push({ text: words[++at] ?? "" });
    if (words[at] === "call") {
      const [id = "", name = ""] = words.slice(at + 1, at + 3);
      parts.push({ call: { id, name, input: { path: `${id}.ts`, all: true } } });
      at += 2;
    }
  }
  return { parts };
}

type Sent = { readonly turn: Turn<AnthropicRequest>; readonly answer: SimulatedRequest };

class Stage {
  isNew = false;
  requestCount = 0;
  #history: Message[] = [];
  #head: { model: string; system?: string; tools?: ObjectValue[]; output_config?: object } = { model: "claude-opus-5-5" };
  #session: Session<AnthropicRequest>;
  readonly #told = toldThings();
  readonly #squeezing: Squeezing;
  readonly #options: SessionOptions<AnthropicRequest>;
  readonly #sent = new Map<number, Sent>();
  #scripted: ScriptedReply = {};
  readonly #simulator = anthropicSimulator({ seed: "transcript", script: () => this.#scripted });

  constructor({ options }: Story) {
    this.#squeezing = new Squeezing(async (body, headers, summary) => {
      this.#scripted = { summary };
      return (await this.#simulator.handle(body, { headers })).reply;
    });
    const cap = options.find((option) => option.startsWith("cap "))?.slice("cap ".length);
    this.#options = {
      ...{ wire: anthropic(), strict: true, selfCheck: true, headers: options.includes("headers") },
      ...(options.includes("systemChanges append") ? { systemChanges: "append" } : {}),
      ...(options.includes("toolChanges append") ? { toolChanges: "append" } : {}),
      ...(cap === undefined ? {} : { toolResultCap: Number(cap) }),
      ...(options.includes("sources") ? { sources: this.#told.sources } : {}),
      ...this.#squeezing.options(options),
    };
    this.#session = this.#listened(createSession(this.#options));
  }

  #listened(session: Session<AnthropicRequest>): Session<AnthropicRequest> {
    this.#squeezing.listen(session);
    return session;
  }

  async send(reply: ScriptedReply): Promise<readonly string[]> {
    const request = { ...this.#head, max_tokens: 1_000, messages: this.#history };
    const turn = await this.#session.prepare(request);
    const squeezed = this.#squeezing.told(turn);
    this.#scripted = reply;
    const answer = await this.#simulator.handle(turn.request, { headers: turn.headers });
    this.#sent.set(turn.number, { turn, answer });
    this.requestCount = turn.number;
    this.isNew = false;
    return [...describeTurn(turn, answer), ...squeezed];
  }

  /** Does what the host does between requests. */
  async perform({ verb, words, line }: Step): Promise<readonly string[]> {
    if (verb === "reply") return this.#reply(words);
    const tell = tellings[verb];
    if (tell !== undefined) return tell(this.#session, this.#told, words);
    if (verb === "summariser") return this.#squeezing.summariser(words);
    if (verb === "compact") return this.#squeezing.compact(this.#session, words);
    this.isNew = verb !== "restore";
    const act = acts[verb];
    if (act === undefined)
      throw new Error(
        `There is no step "${line}". Known are ${[...Object.keys(acts), ...Object.keys(tellings)].join(", ")}, reply, send, summariser and compact.`,
      );
    return act(this.#hand(), words) ?? [];
  }

  #reply(words: readonly string[]): readonly string[] {
    const number = words[0] === "to" ? Number(words[1]) : this.requestCount;
    const { turn, answer } = this.#sent.get(number) as Sent;
    if (answer.status !== 200) return [`the provider answered ${answer.status}`];
    const { recorded, dropped } = words.includes("unsettled") ? { recorded: false, dropped: [] } : turn.settle(answer.reply);
    if (!words.includes("unstored"))
      this.#history.push({ role: "assistant", content: structuredClone(answer.reply.content) as unknown as Block[] });
    const reported = dropped.length === 0 ? "" : `, ${dropped.length} dropped`;
    return [`${recorded ? "settled" : "not settled"}${reported}`];
  }

  #hand(): Hand {
    return {
      head: this.#head,
      history: this.#history,
      rewrite: (history) => {
        this.#history = history;
      },
      restart: () => this.#session.restart(),
      restore: () => {
        this.#session = this.#listened(restoreSession(JSON.parse(JSON.stringify(this.#session.snapshot())), this.#options));
      },
    };
  }
}

/** What a step can lay hands on. */
type Hand = {
  readonly head: { model: string; system?: string; tools?: ObjectValue[]; output_config?: object };
  readonly history: Message[];
  readonly rewrite: (history: Message[]) => void;
  readonly restart: () => void;
  readonly restore: () => void;
};

// biome-ignore format: a table
const acts: Readonly<Record<string, (hand: Hand, words: readonly string[]) => readonly string[] | undefined>> = {
  user: ({ history }, [text = "", ...more]) => { history.push({ role: "user", content: more.length === 0 ? text : `${text}\n${textOf(more)}` }); return undefined; },
  note: ({ history }, [text = ""]) => { history.push({ role: "system", content: text }); return undefined; },
  result: ({ history }, words) => { history.push({ role: "user", content: results(words) }); return undefined; },
  edit: ({ history }, [, at = "0", text = ""]) => edit(history, Number(at), text),
  keep: ({ history, rewrite }, [count = "0"]) => { rewrite(history.slice(0, Number(count))); return undefined; },
  drop: ({ history, rewrite }, [count = "0"]) => { rewrite(history.slice(Number(count))); return undefined; },
  system: ({ head }, words) => { head.system = textOf(words); return undefined; },
  tools: ({ head }, names) => { head.tools = names.map((name) => ({ name, input_schema: { type: "object" } })); return undefined; },
  effort: ({ head }, [effort = ""]) => { head.output_config = { effort }; return undefined; },
  model: ({ head }, [id = ""]) => { head.model = id; return undefined; },
  store: ({ history, rewrite }, forms) => { rewrite(throughStore(history, forms as readonly StoreForm[])); return undefined; },
  restore: ({ restore }) => { restore(); return ["restored from its snapshot"]; },
  restart: ({ restart }) => { restart(); return undefined; },
};

/** `c1 "text" c2 400 lines`: the results of a batch, in this order. */
function results(words: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < words.length; at += units.has(words[at + 2] ?? "") ? 3 : 2) {
    blocks.push({ type: "tool_result", tool_use_id: words[at], content: textOf(words.slice(at + 1, at + 3)) });
  }
  return blocks;
}

const units = new Set(["lines", "words"]);
const plainWords = "copper linen quarry harbour meadow kettle winter garnet compass willow pebble marble".split(" ");

/** `"text"`, in which ⏎ is a line end, `400 lines`, or `400 words`. */
function textOf([text = "", unit]: readonly string[]): string {
  if (unit === "words") return Array.from({ length: Number(text) }, (_, word) => plainWords[word % plainWords.length]).join(" ");
  if (unit === "lines") return Array.from({ length: Number(text) }, (_, line) => `line ${line + 1}`).join("\n");
  return text.replaceAll("⏎", "\n");
}

/** Changes the words of a message in place: its text, or what its first result says. */
function edit(history: Message[], at: number, text: string): undefined {
  const message = history[at] as Message;
  const result = blocksOf(message).find(({ type }) => type === "tool_result");
  if (result === undefined) message.content = text;
  else result.content = text;
  return undefined;
}
