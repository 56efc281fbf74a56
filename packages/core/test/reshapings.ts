import { anthropicSpeaker, type Block, chatSpeaker, type Message, type Speaker } from "./speakers.ts";

/** Makes a history that says the same in another way (rule 4). */
type Reshaping = (history: readonly Message[]) => readonly Message[];
export type Reshapings = Readonly<Record<string, Reshaping>>;

/** Ways that both wires read alike. */
const common: Reshapings = {
  "keys sorted": (history) => history.map((message) => sorted(message) as Message),
  "keys reversed": (history) => history.map((message) => reversed(message) as Message),
  "strings as blocks": (history) =>
    history.map((message) => (message.role === "tool" ? message : { ...message, content: asBlocks(message.content) })),
};

export const anthropicReshapings: Reshapings = {
  ...common,
  "results as blocks": (history) =>
    mapBlocks(history, (block) => (isResult(block) ? { ...block, content: asBlocks(block.content) } : block)),
  "results reversed": (history) => history.map((message) => ({ ...message, content: resultsReversed(blocksOf(message)) })),
  "blocks cut into messages": (history) =>
    history.flatMap(({ role, content }) => blocksOf({ role, content }).map((block) => ({ role, content: [block] }))),
  "neighbours joined": joined,
  "nulls added": (history) => mapBlocks(history, withNulls),
  "marks moved": (history) => history.map((message, index) => (index % 3 === 1 ? marked(message) : message)),
  "empty text added": (history) => history.map((message) => ({ ...message, content: [...blocksOf(message), { type: "text", text: "" }] })),
  "reasoning lost": (history) =>
    history.map((message) => ({ ...message, content: blocksOf(message).filter(({ type }) => type !== "thinking") })),
};

export const chatReshapings: Reshapings = {
  ...common,
  "results as parts": (history) =>
    history.map((message) => (message.role === "tool" ? { ...message, content: asBlocks(message.content) } : message)),
  "results reversed": (history) => {
    const from = history.findIndex(({ role }) => role === "tool");
    const behind = history.slice(from).findIndex(({ role }) => role !== "tool");
    const to = behind < 0 ? history.length : from + behind;
    return from < 0 ? history : [...history.slice(0, from), ...history.slice(from, to).reverse(), ...history.slice(to)];
  },
  "argument strings written otherwise": (history) =>
    history.map((message) => mapArguments(message, (text) => JSON.stringify(JSON.parse(text), null, 2))),
  "nulls added": (history) => history.map((message) => (message.role === "tool" ? message : { ...message, name: null })),
  "nulls dropped": (history) =>
    history.map((message) => Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null)) as Message),
  "empty content": (history) => history.map((message) => (message.content === null ? { ...message, content: "" } : message)),
  "empty calls": (history) =>
    history.map((message) => (message.role === "assistant" && message.tool_calls === undefined ? { ...message, tool_calls: [] } : message)),
  "reasoning lost": (history) => history.map(({ reasoning_content: _lost, ...message }) => message as Message),
};

/** Those of the wire that a speaker writes for. */
export function reshapingsFor({ wire }: Speaker): Reshapings {
  return wire === chatSpeaker.wire ? chatReshapings : wire === anthropicSpeaker.wire ? anthropicReshapings : common;
}

function blocksOf({ content }: Message): readonly Block[] {
  return (typeof content === "string" ? [{ type: "text", text: content }] : content) as readonly Block[];
}

function joined(history: readonly Message[]): readonly Message[] {
  const list: Message[] = [];
  for (const message of history) {
    const last = list.at(-1);
    if (last?.role !== message.role) list.push(message);
    else list.splice(-1, 1, { role: last.role, content: [...blocksOf(last), ...blocksOf(message)] });
  }
  return list;
}

function asBlocks(content: unknown): unknown {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function isResult({ type }: Block): boolean {
  return type === "tool_result";
}

function resultsReversed(blocks: readonly Block[]): readonly Block[] {
  return [...blocks.filter(isResult).reverse(), ...blocks.filter((block) => !isResult(block))];
}

function mapBlocks(history: readonly Message[], map: (block: Block) => Block): readonly Message[] {
  return history.map((message) => ({ ...message, content: blocksOf(message).map(map) }));
}

function withNulls(block: Block): Block {
  if (isResult(block)) return { is_error: false, ...block, cache_control: null };
  return block.type === "text" ? { citations: null, ...block } : block;
}

function marked(message: Message): Message {
  const blocks = blocksOf(message);
  const at = blocks.findLastIndex(({ type }) => type !== "thinking");
  return { ...message, content: blocks.map((block, index) => (index === at ? { ...block, cache_control: { type: "ephemeral" } } : block)) };
}

function mapArguments(message: Message, map: (text: string) => string): Message {
  const calls = message.tool_calls as readonly { readonly function: { readonly name: string; readonly arguments: string } }[] | undefined;
  if (calls === undefined) return message;
  return {
    ...message,
    tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: map(call.function.arguments) } })),
  };
}

function sorted(value: unknown): unknown {
  return rewritten(value, (members) => members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function reversed(value: unknown): unknown {
  return rewritten(value, (members) => members.reverse());
}

function rewritten(value: unknown, order: (members: [string, unknown][]) => readonly [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, order));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(order(Object.entries(value)).map(([name, member]) => [name, rewritten(member, order)]));
}
