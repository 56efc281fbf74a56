import { describe, test } from "vitest";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { openaiChat } from "../src/adapters/openai-chat/index.ts";
import { createSession, type SessionOptions, TidemarkError } from "../src/index.ts";
import { expectProportion, processorTimeOf } from "./growth.ts";

type Message = { readonly role: string; readonly [name: string]: unknown };
type Row = {
  readonly name: string;
  readonly size: number;
  readonly histories: (size: number) => readonly (readonly Message[])[];
  readonly head?: (size: number) => object;
};

const list = <T>(length: number, make: (index: number) => T): readonly T[] => Array.from({ length }, (_, index) => make(index));
const members = (size: number): object => Object.fromEntries(list(size, (index) => [`member${index}`, index]));
const user = (content: unknown): Message => ({ role: "user", content });
const assistant = (content: unknown): Message => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });
const talk = (size: number, name = ""): readonly Message[] => [
  ...list(size, (index) => (index % 2 === 0 ? user(`question ${name}${index}`) : assistant(`answer ${name}${index}`))),
  user("and now?"),
];
const chorus = (size: number): readonly Message[] => [
  ...list(size, (index) => (index % 2 === 0 ? user("again") : assistant("yes"))),
  user("and now?"),
];

const call = (id: number, input: unknown = { path: id }) => ({ type: "tool_use", id: `call_${id}`, name: "read", input });
const result = (id: number, content: unknown = `text ${id}`) => ({ type: "tool_result", tool_use_id: `call_${id}`, content });
const resultOf = (content: string): readonly Message[] => [user("read"), assistant([call(1)]), user([result(1, content)])];

// biome-ignore format: a row a line
const claudeRows: readonly Row[] = [
  { name: "messages", size: 150, histories: (size) => [talk(size), [...talk(size), assistant("so"), user("go on")]] },
  { name: "equal messages, the first two trimmed", size: 150, histories: (size) => [chorus(size), chorus(size).slice(2)] },
  { name: "equal messages, the first edited", size: 150, histories: (size) => [chorus(size), [user("other"), ...chorus(size).slice(1)]] },
  { name: "strings that become blocks", size: 150, histories: (size) => [talk(size), talk(size).map(({ role, content }) => ({ role, content: [text(content as string)] }))] },
  { name: "another history", size: 150, histories: (size) => [talk(size, "a"), talk(size, "b")] },
  { name: "user messages in a row", size: 500, histories: (size) => [list(size, (index) => user(`line ${index}`))] },
  { name: "user messages that become one", size: 250, histories: (size) => [list(size, (index) => user(`line ${index}`)), [user(list(size, (index) => text(`line ${index}`))), assistant("so"), user("go on")]] },
  { name: "replies in a row", size: 250, histories: (size) => [[user("a"), ...list(size, (index) => assistant(`line ${index}`)), user("b")]] },
  { name: "blocks", size: 1_000, histories: (size) => [[user(list(size, (index) => text(`line ${index}`)))]] },
  { name: "empty blocks", size: 2_000, histories: (size) => [[user([...list(size, () => text("")), text("word")])]] },
  { name: "empty messages", size: 500, histories: (size) => [[...list(size, () => user("")), user("a"), assistant("b"), ...list(size, () => assistant([])), user("c")]] },
  { name: "calls in one reply", size: 150, histories: (size) => [[user("a"), assistant(list(size, call)), user(list(size, (id) => result(id)))]] },
  { name: "results in the other order", size: 150, histories: (size) => [[user("a"), assistant(list(size, call)), user(list(size, (id) => result(id)).toReversed())], [user("a"), assistant(list(size, call)), user(list(size, (id) => result(id))), assistant("b"), user("c")]] },
  { name: "results in messages of their own", size: 150, histories: (size) => [[user("a"), assistant(list(size, call)), ...list(size, (id) => user([result(id)]))]] },
  { name: "calls without results", size: 100, histories: (size) => [[user("a"), assistant(list(size, call)), user("never mind")]] },
  { name: "calls of one id", size: 100, histories: (size) => [[user("a"), assistant(list(size, () => call(1))), user(list(size, () => result(1)))]] },
  { name: "calls of one id, turn by turn", size: 100, histories: (size) => [[user("a"), ...list(size, () => [assistant([call(1)]), user([result(1)])]).flat()]] },
  { name: "results without calls", size: 250, histories: (size) => [[user(list(size, (id) => result(id)))]] },
  { name: "one result many times", size: 250, histories: (size) => [[user("a"), assistant([call(1)]), user(list(size, () => result(1)))]] },
  { name: "late results", size: 100, histories: (size) => [[user("a"), assistant(list(size, call)), user("never mind"), assistant("b"), user(list(size, (id) => result(id)))]] },
  { name: "members of an input in another order", size: 500, histories: (size) => [[user("a"), assistant([call(1, members(size))]), user([result(1)])], [user("a"), assistant([call(1, Object.fromEntries(Object.entries(members(size)).toReversed()))]), user([result(1)])]] },
  { name: "unknown members of a block", size: 1_000, histories: (size) => [[user([{ ...text("a"), ...members(size) }])]] },
  { name: "unknown members of a message", size: 1_000, histories: (size) => [[{ ...user("a"), ...members(size) }]] },
  { name: "a long text", size: 500_000, histories: (size) => [[user("line\n".repeat(size / 5))]] },
  { name: "a long result of lines", size: 100_000, histories: (size) => [resultOf("line\n".repeat(size / 5))] },
  { name: "a long result without a line end", size: 200_000, histories: (size) => [resultOf("word".repeat(size / 4))] },
  { name: "a long result of line ends", size: 50_000, histories: (size) => [resultOf(`a${"\n".repeat(size)}b`)] },
  { name: "a long result of one grapheme cluster", size: 25_000, histories: (size) => [resultOf(`e${"\u0301".repeat(size)}`)] },
  { name: "lone surrogates", size: 100_000, histories: (size) => [[user("\ud83d".repeat(size))]] },
  { name: "a picture", size: 500_000, histories: (size) => [[user([{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo".padEnd(size, "A") } }])]] },
  { name: "levels of nesting, refused", size: 5_000, histories: (size) => [[user([{ ...text("a"), extra: nested(size) }])]] },
  { name: "a cycle behind much else, refused", size: 2_000, histories: (size) => [[user([{ ...text("a"), extra: wideCycle(size) }])]] },
  { name: "holes", size: 1_200, histories: (size) => [[user([{ ...text("a"), extra: holes(size) }])]] },
  { name: "system messages", size: 100, histories: (size) => [[user("a"), ...list(size, (index) => ({ role: "system", content: `line ${index}` }))]] },
  { name: "system messages between user messages", size: 100, histories: (size) => [[user("a"), ...list(size, (index) => [{ role: "system", content: `line ${index}` }, user(`question ${index}`)]).flat()]] },
  { name: "cache marks", size: 800, histories: (size) => [[user(list(size, (index) => ({ ...text(`line ${index}`), cache_control: { type: "ephemeral" } })))]] },
  { name: "cache marks on what may bear none", size: 1_000, histories: (size) => [[user("a"), assistant(list(size, (index) => ({ type: "thinking", thinking: `${index}`, signature: "s", cache_control: { type: "ephemeral" } }))), user("b")]] },
  { name: "holes of the greatest length, refused", size: 1, histories: () => [[user([{ ...text("a"), extra: holes(2 ** 32 - 2) }])], holes(2 ** 32 - 2) as Message[]] },
  { name: "tools", size: 150, histories: () => [[user("a")], [user("a"), assistant("b"), user("c")]], head: (size) => ({ tools: list(size, (index) => ({ name: `tool${index}`, input_schema: { type: "object" } })) }) },
  { name: "blocks of system text", size: 500, histories: () => [[user("a")], [user("a"), assistant("b"), user("c")]], head: (size) => ({ system: list(size, (index) => text(`line ${index}`)) }) },
  { name: "unknown members of the request", size: 1_000, histories: () => [[user("a")], [user("a"), assistant("b"), user("c")]], head: members },
];

const chatCall = (id: number, given = `{"path":${id}}`) => ({
  id: `call_${id}`,
  type: "function",
  function: { name: "read", arguments: given },
});
const chatResult = (id: number, content = `text ${id}`): Message => ({ role: "tool", tool_call_id: `call_${id}`, content });
const calling = (calls: readonly object[]): Message => ({ role: "assistant", content: null, tool_calls: calls });

// biome-ignore format: a row a line
const chatRows: readonly Row[] = [
  { name: "messages", size: 150, histories: (size) => [talk(size), [...talk(size), assistant("so"), user("go on")]] },
  { name: "user messages in a row", size: 500, histories: (size) => [list(size, (index) => user(`line ${index}`))] },
  { name: "results in the other order", size: 150, histories: (size) => [[user("a"), calling(list(size, (id) => chatCall(id))), ...list(size, (id) => chatResult(id)).toReversed()], [user("a"), calling(list(size, (id) => chatCall(id))), ...list(size, (id) => chatResult(id)), assistant("b"), user("c")]] },
  { name: "calls of one id", size: 150, histories: (size) => [[user("a"), calling(list(size, () => chatCall(1))), ...list(size, () => chatResult(1))]] },
  { name: "results without calls", size: 150, histories: (size) => [[user("a"), ...list(size, (id) => chatResult(id))]] },
  { name: "unknown members of a message", size: 1_000, histories: (size) => [[{ ...user("a"), ...members(size) }]] },
  { name: "unknown members of a tool", size: 3_000, histories: () => [[user("a")]], head: (size) => ({ tools: [{ type: "function", function: { name: "read" }, ...members(size) }] }) },
  { name: "cache marks", size: 500, histories: (size) => [[user(list(size, (index) => ({ ...text(`line ${index}`), cache_control: { type: "ephemeral" } })))]] },
  { name: "cache marks in messages of their own", size: 300, histories: (size) => [[user("a"), ...list(size, (index) => ({ role: "assistant", content: null, tool_calls: [chatCall(index)], cache_control: { type: "ephemeral" } })), user("b")]] },
  { name: "cache marks in leading system messages", size: 300, histories: (size) => [[...list(size, (index) => ({ role: "system", content: [{ ...text(`line ${index}`), cache_control: { type: "ephemeral" } }] })), user("a")]] },
  { name: "cache marks on tools", size: 300, histories: () => [[user("a")]], head: (size) => ({ tools: list(size, (index) => ({ type: "function", function: { name: `tool${index}` }, cache_control: { type: "ephemeral" } })) }) },
  { name: "holes of the greatest length, refused", size: 1, histories: () => [[{ role: "system", content: "a" }, ...[user("a")]], holes(2 ** 32 - 2) as Message[]] },
  { name: "long arguments", size: 200_000, histories: (size) => [[user("a"), calling([chatCall(1, JSON.stringify({ text: "word".repeat(size / 4) }))]), chatResult(1)]] },
  { name: "arguments that break off", size: 200_000, histories: (size) => [[user("a"), calling([chatCall(1, `{"text":"${"word".repeat(size / 4)}`)]), chatResult(1)]] },
  { name: "deep arguments", size: 5_000, histories: (size) => [[user("a"), calling([chatCall(1, "[".repeat(size) + "]".repeat(size))]), chatResult(1)]] },
  { name: "leading system messages", size: 250, histories: (size) => [[...list(size, (index) => ({ role: "system", content: `line ${index}` })), user("a")]] },
  { name: "system messages between user messages", size: 150, histories: (size) => [[user("a"), ...list(size, (index) => [{ role: "system", content: `line ${index}` }, user(`question ${index}`)]).flat()]] },
];

describe("what a request costs grows with the input and no faster", () => {
  test.each(claudeRows)("Anthropic: $name", { retry: 2 }, (row) =>
    expectProportion((size) => costOf(row, size, { wire: anthropic() }, { model: "claude-opus-5-5", max_tokens: 100 }), row.size),
  );
  test.each(chatRows)("Chat Completions: $name", { retry: 2 }, (row) =>
    expectProportion((size) => costOf(row, size, { wire: openaiChat() }, { model: "gpt-4.1" }), row.size),
  );
});

/** What it costs to feed the row's requests to one session. */
function costOf<W extends object>(row: Row, size: number, options: SessionOptions<W>, head: object): Promise<number> {
  const requests = row.histories(size).map((messages) => ({ ...head, ...row.head?.(size), messages }) as unknown as W);
  const session = createSession(options);
  return processorTimeOf(async () => {
    for (const request of requests) {
      await session.prepare(request).catch((error: unknown) => {
        if (!(error instanceof TidemarkError)) throw error;
      });
    }
  });
}

function nested(levels: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
}

function wideCycle(size: number): unknown {
  const items: unknown[] = list(size, (index) => ({ index })).slice();
  items.push(items);
  return items;
}

function holes(length: number): unknown {
  const items: unknown[] = [];
  items[length] = "far";
  return items;
}
