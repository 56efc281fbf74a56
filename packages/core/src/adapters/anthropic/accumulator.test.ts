import { describe, expect, it } from "vitest";
import { accumulator } from "./accumulator.ts";
import { readReply } from "./reply.ts";

const started = (more: object = {}): object => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 1 },
    ...more,
  },
});
const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const ended = (stop_reason = "end_turn", more: object = {}): object[] => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9, input_tokens: null }, ...more },
  { type: "message_stop" },
];
function replyOf(events: readonly object[]): { readonly reply: Record<string, unknown>; readonly finished: boolean } {
  const made = accumulator();
  for (const event of events) made.add(event);
  return made.reply() as { reply: Record<string, unknown>; finished: boolean };
}
const text = (index: number, ...pieces: string[]): object[] =>
  block(index, { type: "text", text: "" }, ...pieces.map((piece) => ({ type: "text_delta", text: piece })));

describe("a streamed reply", () => {
  it("is put together as if it had not been streamed", () => {
    const { reply, finished } = replyOf([
      started(),
      { type: "ping" },
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "hm" },
        { type: "thinking_delta", thinking: "m" },
        { type: "signature_delta", signature: "sig" },
      ),
      ...text(1, "a", "b"),
      ...block(
        2,
        { type: "tool_use", id: "t", name: "n", input: {} },
        { type: "input_json_delta", partial_json: '{"a":' },
        { type: "input_json_delta", partial_json: "1}" },
      ),
      ...block(3, { type: "tool_use", id: "u", name: "n", input: {} }, { type: "input_json_delta", partial_json: "" }),
      ...block(
        4,
        { type: "text", text: "", citations: [] },
        { type: "text_delta", text: "c" },
        { type: "citations_delta", citation: { type: "x" } },
      ),
      ...block(5, { type: "compaction", content: null }, { type: "compaction_delta", content: "sum", encrypted_content: "e" }),
      ...ended("tool_use"),
    ]);
    expect(finished).toBe(true);
    expect(reply).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 9 },
      content: [
        { type: "thinking", thinking: "hmm", signature: "sig" },
        { type: "text", text: "ab" },
        { type: "tool_use", id: "t", name: "n", input: { a: 1 } },
        { type: "tool_use", id: "u", name: "n", input: {} },
        { type: "text", text: "c", citations: [{ type: "x" }] },
        { type: "compaction", content: "sum", encrypted_content: "e" },
      ],
    });
    expect(readReply(reply)).toMatchObject({ finished: true, usage: { prompt: 10, output: 9 } });
  });

  it("keeps what the last event says of drops and edits", () => {
    const dropped = [{ type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" }];
    const first = replyOf([
      started({ input_transformations: dropped }),
      ...text(0, "a"),
      ...ended("end_turn", { context_management: null }),
    ]);
    expect(readReply(first.reply).dropped).toHaveLength(1);
    const second = replyOf([
      started({ input_transformations: dropped }),
      ...text(0, "a"),
      ...ended("end_turn", { input_transformations: [] }),
    ]);
    expect(readReply(second.reply).dropped).toEqual([]);
  });

  it("is unfinished when it is cut or fails", () => {
    const events = [started(), ...text(0, "a"), ...ended()];
    for (let cut = 0; cut < events.length; cut++) expect(replyOf(events.slice(0, cut)).finished).toBe(false);
    expect(
      replyOf([...events.slice(0, -1), { type: "error", error: { type: "overloaded_error" } }, { type: "message_stop" }]).finished,
    ).toBe(false);
    expect(replyOf([{ type: "message_stop" }]).finished).toBe(false);
  });

  it("goes on over a second start of the same reply, and begins anew with another", () => {
    const same = replyOf([started(), ...text(0, "a"), started({ usage: { input_tokens: 8 } }), ...text(1, "b"), ...ended()]);
    expect(same.reply).toMatchObject({ content: [{ text: "a" }, { text: "b" }], usage: { input_tokens: 8, cache_read_input_tokens: 3 } });
    const other = replyOf([started(), ...text(0, "a"), ...text(1, "x"), started({ id: "msg_2" }), ...text(0, "b"), ...ended()]);
    expect(other.reply).toMatchObject({ id: "msg_2", content: [{ type: "text", text: "b" }] });
  });

  it("leaves input empty that was cut inside its JSON", () => {
    const call = block(0, { type: "tool_use", id: "t", name: "n", input: {} }, { type: "input_json_delta", partial_json: '{"a":' });
    expect(replyOf([started(), ...call, ...ended("max_tokens")])).toMatchObject({ finished: true, reply: { content: [{ input: {} }] } });
  });

  it("ignores what it does not know and never writes to an event", () => {
    const frozen = (value: unknown): object => JSON.parse(JSON.stringify(value), (_name, member) => Object.freeze(member));
    const events = [
      started(),
      { type: "vendor_event" },
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "a" }, { type: "new_delta", x: 1 }),
      ...ended(),
    ].map(frozen);
    expect(replyOf([...events, {}, { type: "content_block_delta", index: 9, delta: {} }, { type: "message_delta" }])).toMatchObject({
      finished: true,
      reply: { content: [{ text: "a" }] },
    });
  });

  it("is put together in time that grows with its length", () => {
    const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "word " } };
    const pieces: object[] = Array.from({ length: 100_000 }, () => piece);
    const { reply } = replyOf([started(), ...text(0), ...ended()].toSpliced(2, 0, ...pieces));
    expect((reply.content as { text: string }[])[0]?.text).toHaveLength(500_000);
  });
});
