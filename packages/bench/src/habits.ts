/**
 * Five things that hosts tell their model by rewriting what was sent, and the same said by appending: how much of the prompts is read from the cache over twenty turns? These are
 * the figures of `docs-site/things-that-change.md`.
 *
 * `pnpm bench habits`
 */
import {
  announcement,
  clock,
  createSession,
  retrieval,
  type Session,
  type SessionOptions,
  type StandardSchema,
  skill,
  state,
} from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { type Message, play, systemText, tools, type Way } from "./sources/agent.ts";

const model = "claude-opus-5-5";
const turns = 20;

type Habit = {
  readonly name: string;
  /** The request as the habit makes it. */
  before(messages: readonly Message[], turn: number): { readonly system: string; readonly messages: readonly Message[] };
  readonly options: Omit<SessionOptions, "wire">;
  /** What is set before a turn instead. */
  after(session: Session<AnthropicRequest>, turn: number): void;
};

const schema: StandardSchema<object> = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value: value as object }) } };
const git = state<object>("git", { schema });
const todo = announcement("todo", { channel: "turn" });
const found = retrieval("found");
const mode = skill();
let now = 0;

const minute = (turn: number): number => Date.UTC(2026, 10, 30, 9) + turn * 60_000;
const status = (turn: number): object => ({
  branch: "tides",
  changed: Array.from({ length: turn % 7 }, (_, file) => `tables/${file}.csv`),
});
const open = (turn: number): string =>
  `Still open: ${Array.from({ length: turns - turn }, (_, point) => `table ${turn + point}`).join(", ")}`;
const pages = (turn: number): readonly { readonly id: string; readonly text: string }[] =>
  [turn, turn + 1, turn + 2].map((page) => ({ id: `page ${page}`, text: `Page ${page} of the log. ${"High water at noon. ".repeat(20)}` }));
const work = (turn: number): { readonly name: string; readonly instructions: string } => {
  const name = turn % 6 < 3 ? "plan" : "act";
  return { name, instructions: `You are to ${name}. ${"Follow the harbour's rules for it. ".repeat(10)}` };
};

const habits: readonly Habit[] = [
  {
    name: "clock in the system prompt",
    before: (messages, turn) => ({ system: `${systemText}\nIt is ${new Date(minute(turn)).toISOString()}.`, messages }),
    options: { sources: [clock({ granularity: "minute" })], now: () => now },
    after: (_session, turn) => {
      now = minute(turn);
    },
  },
  {
    name: "git status in the first message",
    before: (messages, turn) => ({ system: systemText, messages: withWords(messages, 0, `<git>${JSON.stringify(status(turn))}</git>`) }),
    options: { sources: [git] },
    after: (session, turn) => session.set(git, status(turn)),
  },
  {
    name: "todo list in the newest message",
    before: (messages, turn) => ({ system: systemText, messages: withWords(messages, messages.length - 1, open(turn)) }),
    options: { sources: [todo] },
    after: (session, turn) => session.set(todo, open(turn)),
  },
  {
    name: "retrieved documents",
    before: (messages, turn) => ({ system: systemText, messages: withWords(messages, messages.length - 1, JSON.stringify(pages(turn))) }),
    options: { sources: [found] },
    after: (session, turn) => session.set(found, pages(turn)),
  },
  {
    name: "mode in the system prompt",
    before: (messages, turn) => ({ system: `${work(turn).instructions}\n${systemText}`, messages }),
    options: { sources: [mode] },
    after: (session, turn) => session.set(mode, work(turn)),
  },
];

export async function run(): Promise<boolean> {
  console.log(["habit", "", "prompt tokens", "read", "of the prompt", "thinking lost"].map(cell).join(" "));
  let passed = true;
  for (const habit of habits) {
    const before = await play(rewriting(habit), model, turns);
    const after = await play(appending(habit), model, turns);
    for (const [when, { prompt, read, dropped }] of [
      ["before", before],
      ["after", after],
    ] as const)
      console.log([habit.name, when, prompt, read, `${Math.round((read / prompt) * 100)} %`, dropped].map(cell).join(" "));
    passed &&= after.dropped === 0 && after.read / after.prompt > Math.max(0.9, before.read / before.prompt);
  }
  return passed;
}

function rewriting({ name, before }: Habit): Way {
  return {
    name,
    prepare: async (_model, history, _known, turn) => ({
      request: { model, max_tokens: 1_000, tools, cache_control: { type: "ephemeral" }, ...before(history, turn) },
    }),
  };
}

function appending({ name, options, after }: Habit): Way {
  const session = createSession<AnthropicRequest>({ wire: anthropic(), headers: true, ...options } as SessionOptions<AnthropicRequest>);
  return {
    name,
    prepare: (_model, messages, _known, turn) => {
      after(session, turn);
      return session.prepare({ model, max_tokens: 1_000, system: systemText, tools, messages } as unknown as AnthropicRequest);
    },
    settle: (reply) => session.settle(reply),
  };
}

/** The messages with words of the host behind one of them. */
function withWords(messages: readonly Message[], at: number, text: string): readonly Message[] {
  return messages.map((message, index) => {
    if (index !== at) return message;
    const { content } = message;
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return { ...message, content: [...blocks, { type: "text", text }] };
  });
}

function cell(value: string | number, column: number): string {
  return column < 2 ? String(value).padEnd(column === 0 ? 34 : 8) : String(value).padStart(14);
}
