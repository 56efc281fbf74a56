import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";
import { anthropicSimulator, openaiChatSimulator, openaiResponsesSimulator, type ScriptedReply, type Simulator } from "../../src/index.ts";
import { blocksOf, type Conversation, folder, readConversations } from "../recordings.ts";

/** A recorded conversation on a model that binds its reasoning where the wire has one, with what a host does to play it. */
export type LongRecording = {
  readonly id: string;
  readonly wire: Wire;
  readonly messages: readonly ObjectValue[];
  readonly ignore: readonly string[];
  /** The native request of a history. */
  request(messages: readonly ObjectValue[], output: number): object;
  isReply(message: ObjectValue): boolean;
  simulator(script: () => ScriptedReply): Simulator;
  /** A row of recorded replies as the model says it in one go. */
  said(row: readonly ObjectValue[]): ScriptedReply;
  /** What the host stores of it: the provider's own signatures and ids. */
  stored(row: readonly ObjectValue[], reply: ObjectValue): readonly ObjectValue[];
};

/** Recordings that are not squeezed, being shorter. */
const messagesMin = 40;

/** The models of the provider have room for whatever was recorded: what is asked is whether the session keeps within its own budget. */
const room = { context: 10_000_000 };

/** Every conversation of the corpus that is long enough, on whichever wire; those of Bedrock and Gemini are all shorter. */
export function longRecordings(): readonly LongRecording[] {
  const { conversations } = readConversations();
  const played = conversations.flatMap((conversation) => {
    if (conversation.messages.length < messagesMin || conversation.wire === "bedrock") return [];
    return [conversation.wire === "anthropic" ? claude(conversation) : chat(conversation)];
  });
  return [...played, ...itemRecordings().flatMap((recording) => (recording.items.length < messagesMin ? [] : [responses(recording)]))];
}

function claude({ id, head, messages, ignore }: Conversation): LongRecording {
  const profiles = { "claude-opus-5-5": room };
  return {
    ...{ id, messages, ignore },
    wire: anthropic({ profiles }) as unknown as Wire,
    request: (sent, output) => ({ ...head, max_tokens: output, messages: sent }),
    isReply,
    simulator: (script) => anthropicSimulator({ profiles, script, mode: "error", keep: 1 }),
    said: (row) => ({ message: { role: "assistant", content: row.flatMap(({ content }) => blocksOf(content)) } }),
    stored: (_row, { content }) => [{ role: "assistant", content: content ?? [] }],
  };
}

function chat({ id, head, messages, ignore }: Conversation): LongRecording {
  const profiles = { "gpt-4.1": room };
  return {
    ...{ id, messages, ignore },
    wire: openaiChat({ profiles }) as unknown as Wire,
    request: (sent, output) => ({ ...head, max_tokens: output, messages: sent }),
    isReply,
    simulator: (script) => openaiChatSimulator({ profiles, script, keep: 1 }),
    said: (row) => ({ message: { ...row[0] } }),
    stored: (row) => row,
  };
}

function isReply({ role }: ObjectValue): boolean {
  return role === "assistant";
}

type ItemRecording = { readonly id: string; readonly tools?: readonly ObjectValue[]; readonly items: readonly ObjectValue[] };

function responses({ id, tools, items }: ItemRecording): LongRecording {
  const model = "gpt-6.2-sol";
  const profiles = { [model]: room };
  const wire = openaiResponses({ profiles }) as unknown as Wire;
  const head = { model, store: false, ...(tools === undefined ? {} : { tools: tools.map((tool) => ({ ...tool, strict: false })) }) };
  return {
    ...{ id, wire, ignore: [] },
    messages: items.map(withOwnId),
    request: (input, output) => ({ ...head, max_output_tokens: output, input }),
    isReply: (item) => wire.read(item).role === "assistant",
    simulator: (script) => openaiResponsesSimulator({ profiles, script, keep: 1 }),
    said: (row) => ({ parts: row.map((block) => ({ block })) }),
    stored: (_row, { output }) => output as unknown as readonly ObjectValue[],
  };
}

const idPrefixes: Readonly<Record<string, string>> = { reasoning: "rs", message: "msg", function_call: "fc", custom_tool_call: "ctc" };

/** Other makers write ids otherwise; this provider gives its own. */
function withOwnId(item: ObjectValue, position: number): ObjectValue {
  const prefix = idPrefixes[String(item.type)];
  return prefix === undefined ? item : { ...item, id: `${prefix}_${position}` };
}

function itemRecordings(): readonly ItemRecording[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const files = index.sessions.filter(({ format }) => format === "openai-responses").map(({ file }) => file);
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as ItemRecording);
}
