import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../../test/growth.ts";
import { openaiChat } from "./wire.ts";

const chunk = (delta: unknown, more: object = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});
const end = (reason: unknown = "stop") => ({
  id: "c",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta: {}, finish_reason: reason }],
});

type Reply = {
  readonly choices: readonly { readonly message: Record<string, unknown>; readonly finish_reason: unknown }[];
  readonly [name: string]: unknown;
};

function gathered(...events: readonly unknown[]) {
  const accumulator = openaiChat().accumulator();
  for (const event of events) accumulator.add(event as object);
  const { reply, finished } = accumulator.reply();
  return { reply: reply as Reply, message: (reply as Reply).choices[0]?.message as Record<string, unknown>, finished };
}

describe("a streamed reply", () => {
  it("is what the server would have answered without streaming", () => {
    const { reply, finished } = gathered(
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Ye" }),
      chunk({ content: "s." }),
      end(),
      { id: "c", object: "chat.completion.chunk", model: "m", choices: [], usage: { prompt_tokens: 9 }, obfuscation: "xyz" },
    );
    expect(finished).toBe(true);
    expect(reply).toEqual({
      id: "c",
      object: "chat.completion",
      model: "m",
      usage: { prompt_tokens: 9 },
      choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
    });
  });

  it("is finished when a finish reason arrived, and not before", () => {
    expect(gathered(chunk({ content: "Ye" })).finished).toBe(false);
    expect(gathered().finished).toBe(false);
    expect(gathered(chunk({ content: "x" }), end("error")).finished).toBe(false);
    const failed = gathered(chunk({ content: "x" }), end("length"), { error: { code: 400, message: "Token limit reached" }, choices: [] });
    expect(failed.finished).toBe(false);
    expect(openaiChat().readReply(failed.reply).finished).toBe(false);
  });

  it("gathers calls by index, with their arguments in pieces", () => {
    const { message } = gathered(
      chunk({ content: null, tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "look", arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 1, id: "b", type: "function", function: { name: "listen", arguments: '{"to"' } }] }),
      chunk({
        tool_calls: [
          { index: 0, function: { arguments: '{"at":' } },
          { index: 1, id: "", function: { arguments: ":1}" } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"sky"}' } }] }),
      end("tool_calls"),
    );
    expect(message).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "look", arguments: '{"at":"sky"}' } },
        { id: "b", type: "function", function: { name: "listen", arguments: '{"to":1}' } },
      ],
    });
  });

  it("tells calls apart where the index is missing or always 0", () => {
    const whole = (id: string, index?: number) => ({
      ...(index === undefined ? {} : { index }),
      id,
      function: { name: "f", arguments: "{}" },
    });
    for (const index of [undefined, 0]) {
      const { message } = gathered(
        chunk({ tool_calls: [whole("a", index), whole("b", index)] }),
        chunk({ tool_calls: [whole("c", index)] }),
        end(),
      );
      expect((message.tool_calls as { id: string }[]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    }
    const { message } = gathered(
      chunk({ tool_calls: [{ id: "a", function: { name: "f", arguments: '{"x"' } }] }),
      chunk({ tool_calls: [{ id: "a", function: { arguments: ":1}" } }] }),
    );
    expect(message.tool_calls).toEqual([{ id: "a", function: { name: "f", arguments: '{"x":1}' } }]);
  });

  it("gathers the older function call and custom input", () => {
    expect(
      gathered(chunk({ function_call: { name: "f", arguments: "" } }), chunk({ function_call: { arguments: "{}" } })).message,
    ).toMatchObject({
      function_call: { name: "f", arguments: "{}" },
    });
    const custom = gathered(
      chunk({ tool_calls: [{ index: 0, id: "a", type: "custom", custom: { name: "run", input: "l" } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: "s" } }] }),
    );
    expect(custom.message.tool_calls).toEqual([{ id: "a", type: "custom", custom: { name: "run", input: "ls" } }]);
  });

  it("gathers reasoning under whichever name, refusals, and fields that it does not know", () => {
    const { message } = gathered(
      chunk({ reasoning_content: "H", reasoning: "a", refusal: "N", annotations: [1], extra: { a: 1 } }),
      chunk({ reasoning_content: "m.", reasoning: "b", refusal: "o.", annotations: [2], extra: { b: 2 } }),
      chunk({ reasoning_content: null, reasoning: null, refusal: null }),
    );
    expect(message).toEqual({
      role: "assistant",
      content: null,
      reasoning_content: "Hm.",
      reasoning: "ab",
      refusal: "No.",
      annotations: [1, 2],
      extra: { b: 2 },
    });
  });

  it("merges reasoning details by index and type, and keeps others apart", () => {
    const { message } = gathered(
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "a", format: "f", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "b", format: "f", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", signature: "s", format: "f", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "x", id: "1", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "y", id: "2", index: 0 }] }),
      chunk({
        reasoning_details: [
          { type: "reasoning.summary", summary: "c", index: 1 },
          { type: "reasoning.summary", summary: "d", index: 1 },
        ],
      }),
    );
    expect(message.reasoning_details).toEqual([
      { type: "reasoning.text", text: "ab", format: "f", index: 0, signature: "s" },
      { type: "reasoning.encrypted", data: "x", id: "1", index: 0 },
      { type: "reasoning.encrypted", data: "y", id: "2", index: 0 },
      { type: "reasoning.summary", summary: "cd", index: 1 },
    ]);
  });

  it("gathers a content of parts, as Mistral streams it", () => {
    const thinking = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] });
    const { message } = gathered(
      chunk({ content: "" }),
      chunk({ content: [thinking("2 +")] }),
      chunk({ content: [thinking(" 2.")] }),
      chunk({ content: [{ type: "text", text: "Fo" }] }),
      chunk({ content: "ur." }),
    );
    expect(message.content).toEqual([thinking("2 + 2."), { type: "text", text: "Four." }]);
    expect(gathered(chunk({ content: "So: " }), chunk({ content: [{ type: "reference", reference_ids: [1] }] })).message.content).toEqual([
      { type: "text", text: "So: " },
      { type: "reference", reference_ids: [1] },
    ]);
  });

  it("reads usage wherever it comes", () => {
    const wire = openaiChat();
    const usages = [{ usage: { prompt_tokens: 7 } }, { x_groq: { usage: { prompt_tokens: 7 } } }, { timings: { cache_n: 3, prompt_n: 4 } }];
    for (const usage of usages) expect(wire.readReply(gathered(chunk({ content: "x" }, usage), end()).reply).usage.prompt).toBe(7);
    const inChoice = { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: { prompt_tokens: 7 } }] };
    expect(wire.readReply(gathered(chunk({ content: "x" }), inChoice).reply).usage.prompt).toBe(7);
  });

  it("takes the first choice and passes over what it does not know", () => {
    const other = { choices: [{ index: 1, delta: { content: "No." }, finish_reason: "stop" }] };
    const { message, finished } = gathered(
      null,
      7,
      {},
      { choices: 7 },
      { choices: [null] },
      chunk(null),
      chunk({ content: 7, tool_calls: [7] }),
      other,
    );
    expect({ message, finished }).toEqual({ message: { role: "assistant", content: null }, finished: false });
  });

  it("gives a reply that later chunks do not change", () => {
    const accumulator = openaiChat().accumulator();
    accumulator.add(
      chunk({ content: "a", annotations: [1], tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{" } }] }),
    );
    const early = JSON.stringify(accumulator.reply());
    const { reply } = accumulator.reply();
    accumulator.add(chunk({ content: "b", annotations: [2], tool_calls: [{ index: 0, function: { arguments: "}" } }] }));
    expect(JSON.stringify({ reply, finished: false })).toBe(early);
  });

  it("takes time in proportion to the number of chunks", async () => {
    await expectProportion((size) => {
      const accumulator = openaiChat().accumulator();
      return processorTime(() => {
        for (let index = 0; index < size; index++)
          accumulator.add(chunk({ content: "word ", reasoning_details: [{ type: "reasoning.text", text: "word ", index: 0 }] }));
        expect(JSON.stringify(accumulator.reply().reply).length).toBeGreaterThan(size * 10);
      });
    }, 5_000);
  });
});
