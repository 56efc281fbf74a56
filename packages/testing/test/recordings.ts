import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import type { ObjectValue, Value } from "@tidemark/core";

/** Recorded sessions of public projects; they are beside the repository and never in it. */
export const folder: string = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
export const isPresent: boolean = existsSync(join(folder, "INDEX.json"));

/** One conversation of a recording, as the host would hand it over: head fields, and the whole history in the wire's own words. */
export type Conversation = {
  readonly id: string;
  readonly format: string;
  readonly wire: "anthropic" | "bedrock" | "openai-chat";
  readonly head: ObjectValue;
  readonly messages: readonly ObjectValue[];
  /** Names of the host's own metadata. */
  readonly ignore: readonly string[];
};

type Recording = { readonly id: string; readonly format: string } & { readonly [name: string]: unknown };
type Message = { readonly role: string; readonly content?: unknown } & { readonly [name: string]: unknown };
type Reader = (recording: Recording, messages: readonly Message[]) => readonly Read[];
type Read = Pick<Conversation, "wire" | "head" | "messages"> & { readonly part?: string; readonly ignore?: readonly string[] };

/** A reader for each format that is one of these wires, or a host's way to write one down. */
const readers: Readonly<Record<string, Reader>> = {
  anthropic: (recording, messages) => [claude(messages as readonly ObjectValue[], recording)],
  "anthropic-like": (recording, messages) => [claude(messages.map(fromCline), recording)],
  "bedrock-converse": (recording, messages) => [converse(messages as readonly ObjectValue[], recording)],
  "claude-code": (recording, messages) => fromClaudeCode(recording, messages),
  pi: (recording, messages) => [claude(messages.map(fromPi), recording)],
  "openai-chat": (recording, messages) => [chat(messages.map(withCallId), recording)],
  "openai-chat-text": (recording, messages) => [chat(messages as readonly ObjectValue[], recording)],
  "openai-chat-functions": (recording, messages) => [chat(messages as readonly ObjectValue[], recording)],
  tau2: (recording, messages) => [chat(messages.map(fromTau2), recording)],
  inspect: (recording, messages) => [chat(messages.map(fromInspect), recording)],
};

export function readConversations(): { readonly conversations: readonly Conversation[]; readonly otherFormats: readonly string[] } {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const ours = index.sessions.filter(({ format }) => readers[format] !== undefined);
  const others = index.sessions.filter(({ format }) => readers[format] === undefined).map(({ format }) => format);
  return { conversations: ours.flatMap(({ file }) => conversationsOf(file)), otherFormats: [...new Set(others)].sort() };
}

function conversationsOf(file: string): readonly Conversation[] {
  const recording = JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording;
  const reader = readers[recording.format] as Reader;
  return reader(recording, recording.messages as readonly Message[]).map(({ part, ignore = [], ...read }) => ({
    id: part === undefined ? recording.id : `${recording.id} (${part})`,
    format: recording.format,
    ignore,
    ...read,
  }));
}

const headNames = ["system", "tools", "tool_choice", "stop_sequences", "functions"] as const;

/** The newest model line, which binds its thinking to everything before it, whatever model was recorded. */
function claude(messages: readonly ObjectValue[], recording: Recording): Read {
  const head = { model: "claude-opus-5-5", max_tokens: 8_192, thinking: { type: "adaptive" }, ...headOf(recording) };
  return { wire: "anthropic", head: recording.tools === undefined ? { ...head, tools: toolsCalled(messages) } : head, messages };
}

function chat(messages: readonly ObjectValue[], recording: Recording): Read {
  const ignore = ["agent", "thought", "action", "message_type", "is_demo", "valid"];
  return { wire: "openai-chat", head: { model: "gpt-4.1", ...headOf(recording) }, messages, ignore };
}

/** Recorded on small models; Claude's newest line asks more of a history. */
function converse(messages: readonly ObjectValue[], recording: Recording): Read {
  const { system, toolConfig, inferenceConfig } = recording as unknown as ObjectValue;
  const head = { modelId: "us.anthropic.claude-opus-5-5", system, toolConfig, inferenceConfig };
  return { wire: "bedrock", head: defined(head), messages };
}

function headOf(recording: Recording): ObjectValue {
  return defined(Object.fromEntries(headNames.map((name) => [name, recording[name]])));
}

/** Logs hold no tool definitions; the provider wants one for each call. */
function toolsCalled(messages: readonly ObjectValue[]): readonly ObjectValue[] {
  const names = messages.flatMap(({ content }) =>
    blocksOf(content).flatMap(({ type, name }) => (type === "tool_use" ? [String(name)] : [])),
  );
  return [...new Set(names)].sort().map((name) => ({ name, description: `Recorded tool ${name}.`, input_schema: { type: "object" } }));
}

/** Files beside the words, and results that are objects, are text for the provider; a result's tool is named by its call. */
function fromCline({ role, content }: Message): ObjectValue {
  const blocks = blocksOf(content as Value).map((block): ObjectValue => {
    if (block.type === "file") return { type: "text", text: `${String(block.path)}\n${String(block.content)}` };
    if (block.type !== "tool_result") return block;
    const said = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    return { type: "tool_result", tool_use_id: block.tool_use_id as Value, content: said };
  });
  return { role, content: blocks };
}

/** The log has one entry a block: those of one provider message are one message again. A sub-agent is a conversation of its own. */
function fromClaudeCode(recording: Recording, messages: readonly Message[]): readonly Read[] {
  const meta = recording.meta as readonly { readonly isSidechain?: boolean }[];
  const sides = [false, true].map((side) => messages.filter((_, index) => (meta[index]?.isSidechain === true) === side));
  return sides.flatMap((entries, side) =>
    entries.length === 0 ? [] : [{ ...claude(joinedById(entries), recording), ...(side === 1 && { part: "sub-agent" }) }],
  );
}

function joinedById(entries: readonly Message[]): readonly ObjectValue[] {
  const joined: { role: string; content: Value }[] = [];
  const byId = new Map<unknown, { role: string; content: Value }>();
  for (const { role, content, id } of entries) {
    const known = id === undefined ? undefined : byId.get(id);
    if (known !== undefined) {
      known.content = [...blocksOf(known.content), ...blocksOf(content as Value)];
      continue;
    }
    const message = { role, content: content as Value };
    if (id !== undefined) byId.set(id, message);
    joined.push(message);
  }
  return joined;
}

function fromPi(message: Message): ObjectValue {
  if (message.role === "bashExecution") return { role: "user", content: `$ ${String(message.command)}\n${String(message.output)}` };
  const blocks = blocksOf(message.content as Value);
  if (message.role === "toolResult") {
    const result = { type: "tool_result", tool_use_id: message.toolCallId as Value, content: blocks, is_error: message.isError as Value };
    return { role: "user", content: [result] };
  }
  const content = blocks.map((block) => {
    if (block.type === "toolCall") return { type: "tool_use", id: block.id, name: block.name, input: block.arguments } as ObjectValue;
    return block.type === "thinking" ? { type: "thinking", thinking: block.thinking as Value, signature: "recorded" } : block;
  });
  return { role: message.role, content };
}

/** One of the recorders writes a list of ids where the wire has one. */
function withCallId({ tool_call_ids, ...message }: Message): ObjectValue {
  const ids = tool_call_ids as readonly string[] | undefined;
  return (ids === undefined || message.role !== "tool" ? message : { ...message, tool_call_id: ids[0] }) as ObjectValue;
}

type RecordedCall = { readonly id: string; readonly name?: string; readonly function?: string; readonly arguments: unknown };

function callOf({ id, name, function: called, arguments: given }: RecordedCall): ObjectValue {
  return { id, type: "function", function: { name: (name ?? called) as string, arguments: JSON.stringify(given) } };
}

function fromTau2({ role, content, id, tool_calls }: Message): ObjectValue {
  if (role === "tool") return { role, tool_call_id: id as Value, content: (content ?? "") as Value };
  const calls = tool_calls as readonly RecordedCall[] | undefined;
  return { role, content: (content ?? null) as Value, ...(calls !== undefined && { tool_calls: calls.map(callOf) }) };
}

function fromInspect({ role, content, tool_call_id, tool_calls }: Message): ObjectValue {
  const parts = blocksOf(content as Value).map((part) =>
    part.type === "image" ? { type: "image_url", image_url: { url: part.image as Value } } : part,
  );
  const said = (typeof content === "string" ? content : parts) as Value;
  const calls = tool_calls as readonly RecordedCall[] | undefined;
  return defined({ role, content: said, tool_call_id, tool_calls: calls?.map(callOf) });
}

export function blocksOf(content: Value | undefined): readonly ObjectValue[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as readonly ObjectValue[]) : [];
}

function defined(object: Readonly<Record<string, unknown>>): ObjectValue {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as ObjectValue;
}
