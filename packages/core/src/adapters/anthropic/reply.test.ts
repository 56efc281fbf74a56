import { describe, expect, it } from "vitest";
import { readReply } from "./reply.ts";

const usage = { input_tokens: 10, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 5 };
const reply = (more: object = {}): object => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [{ type: "text", text: "Hi.", citations: null }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage,
  ...more,
});
const usageOf = (reported: unknown): object => readReply(reply({ usage: reported })).usage;

describe("reading a reply", () => {
  it("gives the message as it came", () => {
    const content = [
      { type: "thinking", thinking: "", signature: "s" },
      { type: "tool_use", id: "t", name: "n", input: {} },
    ];
    expect(readReply(reply({ content, stop_reason: "tool_use" }))).toMatchObject({
      messages: [{ role: "assistant", content }],
      finished: true,
      dropped: [],
      cacheMissReason: undefined,
    });
  });

  it("has no message where the reply is empty, refused, or a compaction", () => {
    expect(readReply(reply({ content: [] })).messages).toEqual([]);
    expect(readReply(reply({ stop_reason: "refusal" })).messages).toEqual([]);
    expect(
      readReply(reply({ content: [{ type: "compaction", content: "s", signature: "x" }], stop_reason: "compaction" })).messages,
    ).toEqual([]);
  });

  it("is not finished without a stop reason", () => {
    expect(readReply(reply({ stop_reason: null })).finished).toBe(false);
  });

  it("reads the thinking that was dropped, by its place in the request (rule 28)", () => {
    const input_transformations = [
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" },
      { type: "thinking_mismatch_allowed", path: "messages.3.content.0", reason: "prefix_binding_mismatch" },
      { type: "thinking_dropped", path: "messages.13.content.2", reason: "model_binding_mismatch" },
      { type: "something_new", path: "messages.15.content.0" },
      { type: "thinking_dropped", path: "elsewhere" },
    ];
    expect(readReply(reply({ input_transformations })).dropped).toEqual([
      { message: 1, block: 0, reason: "prefix_binding_mismatch" },
      { message: 13, block: 2, reason: "model_binding_mismatch" },
    ]);
  });

  it("takes a drop without a readable place for none", () => {
    const odd = { toString: 2, valueOf: 3 };
    const drop = { type: "thinking_dropped", path: "messages.1.content.0", reason: odd };
    const reply = { role: "assistant", content: [], stop_reason: "end_turn", input_transformations: [{ ...drop, path: odd }, drop] };
    expect(readReply(reply).dropped).toEqual([{ message: 1, block: 0, reason: "" }]);
  });

  it("reads why the cache did not help", () => {
    expect(
      readReply(reply({ diagnostics: { cache_miss_reason: { type: "system_changed", cache_missed_input_tokens: 9 } } })).cacheMissReason,
    ).toBe("system_changed");
    expect(readReply(reply({ diagnostics: { cache_miss_reason: null } })).cacheMissReason).toBeUndefined();
    expect(readReply(reply({ diagnostics: null })).cacheMissReason).toBeUndefined();
  });

  it("does not mind what an SDK hangs on its objects", () => {
    const given = Object.assign(reply(), { _request_id: "req", toReadableStream: () => undefined });
    expect(readReply(given).finished).toBe(true);
  });

  it("refuses what is no reply", () => {
    const others: readonly (readonly [unknown, string])[] = [
      [null, "$"],
      ["text", "$"],
      [{}, "$.content"],
      [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "$.content"],
      [{ content: [], role: "user" }, "$.role"],
      [{ choices: [] }, "$.content"],
    ];
    for (const [given, path] of others)
      expect(() => readReply(given as object)).toThrow(expect.objectContaining({ code: "invalid-reply", path }));
  });
});

describe("reading usage (rule 32)", () => {
  it("sums the prompt of its three parts", () => {
    expect(usageOf(usage)).toEqual({ prompt: 240, uncached: 10, cacheRead: 200, cacheWrite: 30, output: 5, reasoning: undefined });
  });

  it("splits cache writes by lifetime and names thinking tokens", () => {
    const reported = {
      ...usage,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens_details: { thinking_tokens: 3 },
    };
    expect(usageOf(reported)).toMatchObject({ cacheWriteByLifetime: { "5m": 20, "1h": 10 }, reasoning: 3 });
  });

  it("never takes a figure that is missing for 0, and 0 for missing", () => {
    expect(usageOf({ input_tokens: 10, output_tokens: 5, cache_read_input_tokens: null })).toEqual({
      prompt: 10,
      uncached: 10,
      cacheRead: undefined,
      cacheWrite: undefined,
      output: 5,
      reasoning: undefined,
    });
    expect(usageOf({ ...usage, cache_read_input_tokens: 0 })).toMatchObject({ prompt: 40, cacheRead: 0 });
    expect(usageOf(undefined)).toMatchObject({ prompt: undefined, output: undefined });
  });

  it("counts a compaction by its iterations", () => {
    const zero = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const iterations = [{ type: "compaction", ...usage, cache_creation: { ephemeral_5m_input_tokens: 30 } }];
    expect(usageOf({ ...zero, iterations })).toEqual({
      prompt: 240,
      uncached: 10,
      cacheRead: 200,
      cacheWrite: 30,
      cacheWriteByLifetime: { "5m": 30 },
      output: 5,
      reasoning: undefined,
    });
    expect(usageOf({ ...usage, iterations: [{ type: "message", ...usage }] })).toMatchObject({ prompt: 240 });
  });
});
