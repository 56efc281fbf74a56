import { ContextChef, InMemoryBackend } from "@context-chef/core";
import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createSession, inMemoryArchive, presets, type Session, type SessionOptions } from "@tidemark/core";
import { type ModelMessage, pruneMessages } from "ai";
import { summarizationMiddleware } from "langchain";
import type { ChatMessage } from "./corpus.ts";
import { summaryOf } from "./facts.ts";
import type { Provider } from "./providers.ts";

/** What a variant makes of the history for one request. */
type Made = { readonly request: object; readonly headers?: Readonly<Record<string, string>>; readonly breaks: number };

/** One way to keep a conversation within its window. It is given the whole history each time. */
export interface Variant {
  readonly name: string;
  request(history: readonly ChatMessage[]): Promise<Made>;
  settle(reply: object): void;
  /** References that stand in a text, by which more can be read. */
  references(text: string): readonly string[];
  /** What the variant's recall tool answers under a reference, where it is asked for lines with these words. */
  recall(reference: string, words: string): Promise<string>;
  /** Words of the lines in which references stand. */
  readonly markers: readonly string[];
  /** Tokens that summarisers were given outside of any cache, and what they wrote. */
  readonly summaries: Summaries;
}

type Summaries = { given: number; written: number };

export type Start = {
  readonly provider: Provider;
  readonly context: number;
  /** Sends a request that rides the cached prefix of the conversation, and is answered by this text. Undefined: summarisers are given a text of their own. */
  readonly ask?: (request: object, headers: Readonly<Record<string, string>>, answer: string) => Promise<void>;
};

export const tokensOf = (value: unknown): number => Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
const highWater = (context: number): number => Math.floor(context * 0.75);

/** Without a tool that reads what is gone. */
export const noRecall: Pick<Variant, "references" | "recall" | "markers"> = {
  references: () => [],
  recall: async () => "",
  markers: [],
};

/** Peers hand over messages; the provider's request is made of them. */
function peer(
  name: string,
  { provider }: Start,
  window: (history: readonly ChatMessage[]) => Promise<readonly ChatMessage[]>,
  summaries: Summaries = { given: 0, written: 0 },
  reads: Pick<Variant, "references" | "recall" | "markers"> = noRecall,
): Variant {
  return {
    name,
    request: async (history) => ({ request: provider.request(await window(history)), breaks: 0 }),
    settle: () => {},
    ...reads,
    summaries,
  };
}

/** The scripted summariser of a peer: what it is given is read outside of any cache. */
function summarised(text: string, summaries: Summaries): string {
  const summary = summaryOf(text);
  summaries.given += tokensOf(text);
  summaries.written += tokensOf(summary);
  return summary;
}

/** Whether the model could still read a text: in its window, or by what the recall tool answers under references that stand there, or in such an answer. */
export async function isKnown(variant: Variant, words: string, window: string): Promise<boolean> {
  if (window.includes(words)) return true;
  const asked = new Set<string>();
  const open = [...variant.references(window)];
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    if (asked.has(reference)) continue;
    asked.add(reference);
    if ((await variant.recall(reference, words)).includes(words)) return true;
    for (const marker of variant.markers) open.push(...variant.references(await variant.recall(reference, marker)));
  }
  return false;
}

/** The newest messages that fit, from a user's message or a reply on. */
export function slidingWindow(start: Start): Variant {
  const window = async (history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> => {
    let [from, tokens] = [history.length, 0];
    while (from > 0 && tokens + tokensOf(history[from - 1]) <= highWater(start.context)) tokens += tokensOf(history[--from]);
    while (from < history.length && history[from]?.role !== "user") from += 1;
    // Inside one long tool turn there is no user's message left: the question stands first, then whole batches.
    return from < history.length ? history.slice(from) : lastTurnWithin(history, highWater(start.context));
  };
  return peer("sliding window", start, window);
}

function lastTurnWithin(history: readonly ChatMessage[], tokensMax: number): readonly ChatMessage[] {
  const question = history.findLast(({ role }) => role === "user") as ChatMessage;
  let [from, tokens] = [history.length, tokensOf(question)];
  while (from > 0 && tokens + tokensOf(history[from - 1]) <= tokensMax) tokens += tokensOf(history[--from]);
  while (from < history.length && history[from]?.role !== "assistant") from += 1;
  return [question, ...history.slice(from)];
}

/** `pruneMessages` of the AI SDK in `prepareStep`, with the settings of its documentation. */
export function aiSdkPrune(start: Start): Variant {
  const window = async (history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> => {
    const pruned = pruneMessages({
      messages: toModel(history),
      reasoning: "before-last-message",
      toolCalls: "before-last-3-messages",
      emptyMessages: "remove",
    });
    return fromModel(pruned);
  };
  return peer("AI SDK pruneMessages", start, window);
}

function toModel(history: readonly ChatMessage[]): ModelMessage[] {
  const names = new Map(history.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name] as const)));
  return history.map((message): ModelMessage => {
    if (message.role === "user") return { role: "user", content: message.content };
    if (message.role === "tool") {
      const toolCallId = message.tool_call_id as string;
      return {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId, toolName: names.get(toolCallId) ?? "tool", output: { type: "text", value: message.content } },
        ],
      };
    }
    const text = message.content === "" ? [] : [{ type: "text" as const, text: message.content }];
    const calls = (message.tool_calls ?? []).map((call) => ({
      type: "tool-call" as const,
      toolCallId: call.id,
      toolName: call.function.name,
      input: JSON.parse(call.function.arguments) as unknown,
    }));
    return { role: "assistant", content: [...text, ...calls] };
  });
}

function fromModel(messages: readonly ModelMessage[]): readonly ChatMessage[] {
  return messages.flatMap((message): readonly ChatMessage[] => {
    if (typeof message.content === "string") return [{ role: message.role as "user", content: message.content }];
    const parts = message.content as readonly { readonly type: string; readonly [name: string]: unknown }[];
    if (message.role === "tool")
      return parts.map((part) => ({
        role: "tool",
        tool_call_id: String(part["toolCallId"]),
        content: String((part["output"] as { value: unknown }).value),
      }));
    const text = parts.flatMap((part) => (part.type === "text" ? [String(part["text"])] : [])).join("\n");
    const calls = parts.flatMap((part) =>
      part.type === "tool-call"
        ? [
            {
              id: String(part["toolCallId"]),
              type: "function" as const,
              function: { name: String(part["toolName"]), arguments: JSON.stringify(part["input"]) },
            },
          ]
        : [],
    );
    return [{ role: message.role as "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) }];
  });
}

/** LangChain's middleware before each model call, on the agent's own state, which it rewrites. */
export function langChain(start: Start): Variant {
  const summaries = { given: 0, written: 0 };
  class Summariser extends FakeListChatModel {
    override async _generate(messages: BaseMessage[], ...rest: never[]): Promise<never> {
      const text = messages.map(({ content }) => String(content)).join("\n");
      this.responses = [summarised(text, summaries)];
      return super._generate(messages, ...(rest as unknown as [never])) as Promise<never>;
    }
  }
  // Its parameter is the type of a schema library that this workspace does not have: `never`.
  const middleware = summarizationMiddleware({
    model: new Summariser({ responses: ["."] }),
    trigger: { tokens: highWater(start.context) },
    keep: { messages: 20 },
    tokenCounter: (messages: BaseMessage[]) => messages.reduce((sum, { content }) => sum + tokensOf(content), 0),
  } as never);
  const hook = middleware.beforeModel as unknown as BeforeModel | { readonly hook: BeforeModel };
  const before = typeof hook === "function" ? hook : hook.hook;
  let state: BaseMessage[] = [];
  let seen = 0;
  const window = async (history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> => {
    state = [...state, ...history.slice(seen).map((message, index) => toLangChain(message, seen + index))];
    seen = history.length;
    const update = await before({ messages: state }, { context: {} });
    if (update?.messages !== undefined) state = update.messages.filter((message) => !(message instanceof RemoveMessage));
    return state.map(fromLangChain);
  };
  return peer("LangChain summarizationMiddleware", start, window, summaries);
}

type BeforeModel = (state: object, runtime: object) => Promise<{ readonly messages?: BaseMessage[] } | undefined>;

function toLangChain({ role, content, tool_calls = [], tool_call_id }: ChatMessage, index: number): BaseMessage {
  const id = `m${index}`;
  if (role === "user") return new HumanMessage({ id, content });
  if (role === "tool") return new ToolMessage({ id, content, tool_call_id: tool_call_id as string });
  return new AIMessage({
    id,
    content,
    tool_calls: tool_calls.map((call) => ({
      id: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments) as Record<string, unknown>,
      type: "tool_call" as const,
    })),
  });
}

function fromLangChain(message: BaseMessage): ChatMessage {
  const content = String(message.content);
  if (message instanceof ToolMessage) return { role: "tool", tool_call_id: message.tool_call_id, content };
  if (!(message instanceof AIMessage)) return { role: "user", content };
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id as string,
    type: "function" as const,
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  }));
  return { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
}

/**
 * context-chef as its documentation has it: large tool results go through the offloader before they enter the history, a tokenizer and a compression model keep the window, what is
 * evicted is archived, and the history is handed over whole.
 */
export function contextChef(start: Start): Variant {
  const summaries = { given: 0, written: 0 };
  let evicted = 0;
  const chef = new ContextChef({
    vfs: { store: new InMemoryBackend() },
    overflow: { archive: "vfs" },
    janitor: {
      contextWindow: start.context,
      tokenizer: (messages) => messages.reduce((sum, message) => sum + tokensOf(message), 0),
      compressionModel: async (messages) =>
        `<summary>${summarised(messages.map(({ content }) => content).join("\n"), summaries)}</summary>`,
      onCompress: (_summary, count) => {
        evicted = count;
      },
    },
  });
  let stored: ChatMessage[] = [];
  let seen = 0;
  const window = async (history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> => {
    for (const message of history.slice(seen))
      stored.push(message.role === "tool" ? { ...message, content: chef.offload(message.content) } : message);
    seen = history.length;
    const payload = (await chef.setHistory(stored as never).compile({ target: "openai" })) as unknown as {
      readonly messages: readonly ChatMessage[];
    };
    const messages = payload.messages.map((message) => ({ ...message, content: message.content ?? "" }));
    // What it compressed is stored so, as its hook for that is meant.
    if (evicted > 0) stored = messages;
    evicted = 0;
    return messages;
  };
  return peer("context-chef 4.2.1", start, window, summaries, {
    references: (text) => text.match(/context:\/\/[\w./-]*\w/g) ?? [],
    // Its tool answers with the whole text.
    recall: async (reference) => (await chef.resolveRecall(reference)) ?? "",
    markers: ["context://"],
  });
}

/** A Tidemark session with one of the presets. Its summariser rides the prefix where it can: the provider reads from the cache what is to be summarised. */
export function tidemark(
  preset: keyof typeof presets,
  { provider, context, ask }: Start,
  options: Pick<SessionOptions, "systemChanges"> = {},
): Variant {
  const archive = inMemoryArchive();
  const summaries = { given: 0, written: 0 };
  const parts = presets[preset]({
    summarizer: async ({ transcript, request, headers }) => {
      const text = ask === undefined ? summarised(transcript, summaries) : summaryOf(transcript);
      await ask?.(request, headers, text);
      return { text, complete: true, refused: false };
    },
  });
  const session = createSession({
    wire: provider.wire,
    ...parts,
    ...options,
    archive,
    countText: tokensOf,
    budget: { context, output: 1_024 },
  } as SessionOptions) as Session;
  let settle: (reply: object) => void = () => {};
  return {
    name: `Tidemark ${preset}`,
    request: async (history) => {
      const turn = await session.prepare(provider.request(history));
      settle = (reply) => void turn.settle(reply);
      return { request: turn.request, headers: turn.headers, breaks: turn.continuity.checkpoints.length };
    },
    settle: (reply) => settle(reply),
    references: (text) => [...text.matchAll(/(?:archived as |reference \\*")([0-9a-f]{12})/g)].map(([, reference]) => reference as string),
    recall: async (reference, match) => (await session.tools.call("recall", { reference, match }))?.text ?? "",
    markers: ["archived as", "reference"],
    summaries,
  };
}
