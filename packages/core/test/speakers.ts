import { anthropic } from "../src/adapters/anthropic/index.ts";
import { bedrock } from "../src/adapters/bedrock/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import type { Wire } from "../src/wire/wire.ts";

export type Message = { readonly role: string; readonly [member: string]: unknown };
export type Block = { readonly type: string; readonly [member: string]: unknown };
export type Body = { readonly model: string; readonly messages: readonly Message[]; readonly [member: string]: unknown };
export type SpokenCall = { readonly id: string; readonly name?: string; readonly input?: object };
export type Reply = { readonly thinking?: string; readonly text?: string; readonly calls?: readonly SpokenCall[] };

/** What a host writes on one wire, so that one test can be played on several. */
export type Speaker = {
  readonly name: string;
  readonly wire: Wire<Body>;
  readonly model: string;
  /** Where a request names it, if not in `model`. */
  readonly modelMember?: string;
  user(text: string): Message;
  reply(parts: Reply): Message;
  /** Results of one batch, as the wire wants them: one message, or one each. */
  results(...results: readonly (readonly [id: string, content: string])[]): readonly Message[];
  /** A reply of the provider that says this message. */
  replied(message: Message, more?: object): object;
};

/** Anthropic Messages, on a model that binds its thinking to what stands before it. */
export const anthropicSpeaker: Speaker = {
  name: "Anthropic",
  wire: anthropic() as unknown as Wire<Body>,
  model: "claude-opus-5-5",
  user: (text) => ({ role: "user", content: text }),
  reply: ({ thinking: thought, text: said, calls = [] }) => ({
    role: "assistant",
    content: [
      ...(thought === undefined ? [] : [thinking(thought)]),
      ...(said === undefined ? [] : [text(said)]),
      ...calls.map(({ id, name, input }) => call(id, name, input)),
    ],
  }),
  results: (...results) => [{ role: "user", content: results.map(([id, content]) => result(id, content)) }],
  replied: ({ content }, more = {}) => ({
    ...{ type: "message", role: "assistant", stop_reason: "end_turn", usage: { input_tokens: 9, output_tokens: 9 }, content },
    ...more,
  }),
};

/** Chat Completions, on a server whose reasoning is plain text. */
export const chatSpeaker: Speaker = {
  name: "Chat Completions",
  wire: openaiChat({ dialect: "deepseek" }) as unknown as Wire<Body>,
  model: "deepseek-chat",
  user: (text) => ({ role: "user", content: text }),
  reply: ({ thinking: thought, text: said, calls = [] }) => ({
    role: "assistant",
    content: said ?? null,
    ...(thought === undefined ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
  }),
  results: (...results) => results.map(([id, content]) => ({ role: "tool", tool_call_id: id, content })),
  replied: (message, more = {}) => ({ object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }], ...more }),
};

/** Amazon Bedrock's Converse, which refuses neighbours of one role: they are joined on the wire. */
export const bedrockSpeaker: Speaker = {
  name: "Bedrock",
  wire: bedrock() as unknown as Wire<Body>,
  model: "anthropic.claude-opus-5-5",
  modelMember: "modelId",
  user: (text) => ({ role: "user", content: [{ text }] }),
  reply: ({ thinking: thought, text: said, calls = [] }) => ({
    role: "assistant",
    content: [
      ...(thought === undefined ? [] : [{ reasoningContent: { reasoningText: { text: thought, signature: btoa(`signed ${thought}`) } } }]),
      ...(said === undefined ? [] : [{ text: said }]),
      ...calls.map(({ id, name = "read", input = { path: `${id}.ts` } }) => ({ toolUse: { toolUseId: id, name, input } })),
    ],
  }),
  results: (...results) => [
    { role: "user", content: results.map(([id, content]) => ({ toolResult: { toolUseId: id, content: [{ text: content }] } })) },
  ],
  replied: (message, more = {}) => ({
    ...{ output: { message }, stopReason: "end_turn", usage: { inputTokens: 9, outputTokens: 9, totalTokens: 18 } },
    ...more,
  }),
};

export const speakers: readonly Speaker[] = [anthropicSpeaker, chatSpeaker];

export function text(words: string): Block {
  return { type: "text", text: words };
}

/** Signed thinking. The signature follows from the words. */
export function thinking(words: string, signature: string = btoa(encodeURIComponent(`signed ${words}`))): Block {
  return { type: "thinking", thinking: words, signature };
}

export function call(id: string, name = "read", input: object = { path: `${id}.ts` }): Block {
  return { type: "tool_use", id, name, input };
}

export function result(id: string, content: unknown = `text of ${id}`): Block {
  return { type: "tool_result", tool_use_id: id, content };
}

function chatCall({ id, name = "read", input = { path: `${id}.ts` } }: SpokenCall): object {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}
