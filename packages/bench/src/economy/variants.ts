import { ContextChef } from "@context-chef/core";
import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { type Archive, createSession, inMemoryArchive, presets, type Session, type SessionOptions } from "@tidemark/core";
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
  /** Whether the model could still ask for a text: by a reference that stands in the window. */
  recalls(fact: string, window: string): boolean;
  /** Tokens that summarisers were given. */
  readonly summarised: () => number;
}

export type Start = { readonly provider: Provider; readonly context: number };

export const tokensOf = (value: unknown): number => Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
const highWater = (context: number): number => Math.floor(context * 0.75);

/** Peers hand over messages; the provider's request is made of them. */
function peer(
  name: string,
  { provider }: Start,
  window: (history: readonly ChatMessage[]) => Promise<readonly ChatMessage[]>,
  spent: { tokens: number } = { tokens: 0 },
  archived: readonly Archived[] = [],
): Variant {
  return {
    name,
    request: async (history) => ({ request: provider.request(await window(history)), breaks: 0 }),
    settle: () => {},
    recalls: (fact, text) => isReferenced(archived, fact, text),
    summarised: () => spent.tokens,
  };
}

type Archived = { readonly reference: string; readonly text: string };

/** Whether a text can be reached from the window by references, also by those inside what is archived. */
function isReferenced(archived: readonly Archived[], fact: string, text: string): boolean {
  const open = archived.filter(({ reference }) => text.includes(reference));
  const rest = archived.filter((entry) => !open.includes(entry));
  return (
    open.some((entry) => entry.text.includes(fact)) ||
    (open.length > 0 && isReferenced(rest, fact, open.map((entry) => entry.text).join("\n")))
  );
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
  const spent = { tokens: 0 };
  class Summariser extends FakeListChatModel {
    override async _generate(messages: BaseMessage[], ...rest: never[]): Promise<never> {
      const text = messages.map(({ content }) => String(content)).join("\n");
      spent.tokens += tokensOf(text);
      this.responses = [summaryOf(text)];
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
  return peer("LangChain summarizationMiddleware", start, window, spent);
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

/** context-chef with a tokenizer and a compression model, as its documentation's first path; the history is handed over whole. */
export function contextChef(start: Start): Variant {
  const spent = { tokens: 0 };
  const archived: Archived[] = [];
  const store = (text: string): string => {
    const reference = `context://archive/${archived.length}`;
    archived.push({ reference, text });
    return reference;
  };
  const chef = new ContextChef({
    overflow: { archive: { store } },
    janitor: {
      contextWindow: start.context,
      tokenizer: (messages) => messages.reduce((sum, message) => sum + tokensOf(message), 0),
      compressionModel: async (messages) => {
        const text = messages.map(({ content }) => content).join("\n");
        spent.tokens += tokensOf(text);
        return `<summary>${summaryOf(text)}</summary>`;
      },
    },
  });
  const window = async (history: readonly ChatMessage[]): Promise<readonly ChatMessage[]> => {
    const payload = (await chef.setHistory(history as never).compile({ target: "openai" })) as unknown as {
      readonly messages: readonly ChatMessage[];
    };
    return payload.messages.map((message) => ({ ...message, content: message.content ?? "" }));
  };
  return peer("context-chef 4.2.1", start, window, spent, archived);
}

/** A Tidemark session with one of the presets. */
export function tidemark(
  preset: keyof typeof presets,
  { provider, context }: Start,
  options: Pick<SessionOptions, "systemChanges"> = {},
): Variant {
  const spent = { tokens: 0 };
  const records = inMemoryArchive();
  const kept: Archived[] = [];
  const archive: Archive = {
    ...records,
    put: (record) => {
      kept.push(record);
      return records.put(record);
    },
  };
  const parts = presets[preset]({
    summarizer: async ({ transcript }) => {
      spent.tokens += tokensOf(transcript);
      return { text: summaryOf(transcript), complete: true, refused: false };
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
    recalls: (fact, text) => isReferenced(kept, fact, text),
    summarised: () => spent.tokens,
  };
}
