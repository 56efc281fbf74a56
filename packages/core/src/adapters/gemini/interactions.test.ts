import { describe, expect, it } from "vitest";
import { interactionRuleSamples as samples } from "../../../test/rule-samples/gemini-interactions.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";
import { geminiInteractions } from "./interactions.ts";

const wire = geminiInteractions();
const read = (step: object) => wire.read(copyValue(step) as ObjectValue);
const again = (...steps: readonly object[]) => {
  const units = steps.flatMap((step) => read(step).units);
  return wire.spread?.(wire.compose(read(steps[0] as object).nativeRole, units));
};
const said = (text: string) => ({ type: "model_output", content: [{ type: "text", text }] });
const asked = (text: string) => ({ type: "user_input", content: [{ type: "text", text }] });
const question = asked("How far?");
const model = "gemini-3.8-flash";

describe("a reply of several steps", () => {
  const steps = [
    { type: "thought", signature: "a" },
    said("I look."),
    {
      type: "model_output",
      content: [
        { type: "text", text: "And" },
        { type: "image", data: "AA==", mime_type: "image/png" },
      ],
    },
    { type: "google_search_call", id: "s", arguments: { queries: ["a"] }, search_type: "web_search", signature: "b" },
    { type: "google_search_result", call_id: "s", result: [{ search_suggestions: "x" }], is_error: false },
    { type: "thought", signature: "c", summary: [{ type: "text", text: "Hm." }] },
    { type: "function_call", id: "f", name: "look", arguments: { z: 1, a: 2 } },
  ];

  it("is one message, which is spread again, step for step", () => {
    expect(again(...steps)).toEqual(steps);
    const composed = wire.compose(
      "assistant",
      steps.flatMap((step) => read(step).units),
    );
    expect(wire.read(composed)).toMatchObject({ role: "assistant", units: steps.flatMap((step) => read(step).units) });
  });

  it("keeps each of its signatures with its step", () => {
    expect(read(steps[3] as object).units).toMatchObject([
      { kind: "reasoning", bound: true, block: { signature: "b" } },
      { kind: "other", block: { type: "google_search_call", id: "s" } },
    ]);
    expect(read({ type: "function_call", id: "f", name: "look", arguments: {}, signature: "" }).units).toMatchObject([
      { kind: "call", id: "f" },
    ]);
    expect(read({ type: "thought" }).units).toMatchObject([{ kind: "reasoning", bound: false, readable: "" }]);
  });

  it("drops blank words, and carries what it does not know (rules 10 and 55)", () => {
    expect(read(said(" ")).units).toEqual([]);
    const odd = { type: "model_output", content: [{ type: "hologram", data: { b: 1 } }], mood: "calm" };
    expect(again(odd)).toEqual([odd]);
    expect(again({ type: "of_tomorrow", id: "t", said: [1] })).toEqual([{ type: "of_tomorrow", id: "t", said: [1] }]);
    expect(() => read({ content: [] })).toThrow(expect.objectContaining({ code: "invalid-message", path: "$.type" }));
  });
});

describe("results", () => {
  const result = (given: object) => read({ type: "function_result", ...given }).units[0] as Unit & { kind: "result" };

  it("answer their call's id, or go by the function's name", () => {
    expect(result({ call_id: "f", result: "Red." })).toMatchObject({ id: "f", text: "Red." });
    expect(result({ name: "look", result: [{ type: "text", text: "Red." }] })).toMatchObject({ id: "look", text: "Red." });
    expect(result({ call_id: "f", result: { a: 1 } })).toMatchObject({ text: undefined });
    expect(result({ call_id: "f", result: {} })).toMatchObject({ text: "" });
  });

  it("keep their form when their text is another", () => {
    expect(wire.withText(result({ call_id: "f", result: [{ type: "text", text: "Red." }] }), "Cut.").block.result).toEqual([
      { type: "text", text: "Cut." },
    ]);
    expect(wire.withText(result({ call_id: "f", result: "Red." }), "Cut.").block.result).toBe("Cut.");
    expect(wire.withId(result({ name: "look", result: "Red." }), "f").block).toEqual({
      type: "function_result",
      call_id: "f",
      name: "look",
      result: "Red.",
    });
    const [call] = read({ type: "function_call", id: "f", name: "look", arguments: {} }).units as (Unit & { kind: "call" })[];
    expect(wire.resultFor(call as never, "Gone.").block).toEqual({ type: "function_result", call_id: "f", name: "look", result: "Gone." });
    expect(
      wire.textOf(
        result({
          call_id: "f",
          result: [
            { type: "text", text: "Red." },
            { type: "image", data: "AA==" },
          ],
        }),
      ),
    ).toBe("Red.\n[image]");
  });
});

describe("a request", () => {
  const request = {
    model,
    input: [question],
    system_instruction: "Be brief.",
    tools: [{ type: "function", name: "look" }],
    generation_config: { temperature: 0, thinking_level: "low" },
    store: false,
  };

  it("is taken apart, and put together to what it was", () => {
    const { head, messages } = wire.open(request);
    expect(head).toEqual({
      model,
      system: [{ text: "Be brief." }],
      tools: request.tools,
      params: { generation_config: { thinking_level: "low" } },
    });
    expect(messages).toBe(request.input);
    expect(wire.close(request, head, messages as readonly ObjectValue[])).toEqual(request);
    expect(wire.close(request, { ...head, system: [], tools: [], params: {} }, [])).toEqual({
      model,
      input: [],
      generation_config: { temperature: 0 },
      store: false,
    });
    expect(wire.systemText(head)).toBe("Be brief.");
  });

  it("may have a text or contents in the place of steps", () => {
    const text = { type: "text", text: "How far?" };
    for (const input of ["How far?", text, [text], question, [question]]) expect(wire.open({ model, input }).messages).toEqual([question]);
    expect(wire.open({ model }).messages).toEqual([]);
    expect(() => wire.open({ model, input: [text, question] })).toThrow(expect.objectContaining({ path: "$.input[1]" }));
    expect(() => wire.open({ agent: "deep", input: "Go." } as never)).toThrow(expect.objectContaining({ path: "$.model" }));
    expect(() => wire.open({ model, input: [], system_instruction: {} } as never)).toThrow(
      expect.objectContaining({ path: "$.system_instruction" }),
    );
  });

  it("is known by its own fields and steps, not by a text alone", () => {
    expect(wire.recognises({ model, input: [question] })).toBe(true);
    expect(wire.recognises({ model, input: "Hi.", system_instruction: "Be." })).toBe(true);
    for (const other of [
      { input: "Hi." },
      { input: [{ role: "user", content: "Hi." }] },
      { input: [{ type: "message", role: "user" }] },
      { contents: [] },
      { messages: [] },
    ]) {
      expect(wire.recognises({ model, ...other })).toBe(false);
    }
  });
});

describe("a reply", () => {
  const usage = {
    total_tokens: 56,
    total_input_tokens: 40,
    total_cached_tokens: 16,
    total_output_tokens: 9,
    total_thought_tokens: 3,
    total_tool_use_tokens: 4,
  };

  it("is the steps of the model, with its usage (rule 32)", () => {
    const steps = [{ type: "thought", signature: "a" }, said("Far.")];
    expect(wire.readReply({ id: "v1", status: "completed", steps: [question, ...steps], usage })).toEqual({
      messages: steps,
      finished: true,
      usage: { prompt: 44, uncached: 28, cacheRead: 16, cacheWrite: undefined, output: 12, reasoning: 3 },
      dropped: [],
      cacheMissReason: undefined,
    });
    expect(wire.readReply({ status: "requires_action", outputs: [{ type: "text", text: "Far." }] }).messages).toEqual([said("Far.")]);
  });

  it("is unfinished while it runs, or when it failed", () => {
    for (const status of ["in_progress", "failed", "cancelled"]) expect(wire.readReply({ status, steps: [] }).finished).toBe(false);
    expect(() => wire.readReply({})).toThrow(expect.objectContaining({ code: "invalid-reply" }));
    expect(() => wire.readReply({ steps: [7] })).toThrow(expect.objectContaining({ code: "invalid-reply" }));
  });
});

describe("a streamed reply", () => {
  const put = (...events: readonly object[]) => {
    const accumulator = wire.accumulator();
    for (const event of events) accumulator.add(event);
    return accumulator.reply();
  };
  const step = (index: number, begun: object, ...deltas: readonly object[]) => [
    { index, step: begun, event_type: "step.start" },
    ...deltas.map((delta) => ({ index, delta, event_type: "step.delta" })),
    { index, event_type: "step.stop" },
  ];
  const head = { interaction: { id: "v1", status: "in_progress", model }, event_type: "interaction.created" };
  const end = { interaction: { id: "v1", status: "requires_action", usage: { total_tokens: 1 } }, event_type: "interaction.completed" };

  it("is put together step by step", () => {
    const made = put(
      head,
      ...step(
        1,
        { type: "model_output" },
        { type: "text", text: "Fa" },
        { type: "text", text: "r." },
        { type: "text_annotation_delta", annotations: [{ url: "u" }] },
        { type: "image", data: "AA==", mime_type: "image/png" },
      ),
      ...step(
        0,
        { type: "thought" },
        { type: "thought_summary", content: { type: "text", text: "Hm." } },
        { type: "thought_signature", signature: "a" },
      ),
      ...step(
        2,
        { type: "function_call", id: "f", name: "look", arguments: {}, signature: "" },
        { type: "arguments_delta", arguments: '{"z":1,' },
        { type: "arguments_delta", arguments: '"a":2}' },
      ),
      ...step(3, { type: "google_search_call", id: "s" }, { type: "google_search_call", arguments: { queries: ["a"] }, signature: "b" }),
      end,
    );
    expect(made).toEqual({
      finished: true,
      reply: {
        ...end.interaction,
        model,
        steps: [
          { type: "thought", summary: [{ type: "text", text: "Hm." }], signature: "a" },
          {
            type: "model_output",
            content: [
              { type: "text", text: "Far.", annotations: [{ url: "u" }] },
              { type: "image", data: "AA==", mime_type: "image/png" },
            ],
          },
          { type: "function_call", id: "f", name: "look", arguments: { z: 1, a: 2 }, signature: "" },
          { type: "google_search_call", id: "s", arguments: { queries: ["a"] }, signature: "b" },
        ],
      },
    });
  });

  it("is finished by its last event only, and not when an error came", () => {
    expect(put(head, ...step(0, said("Fa"))).finished).toBe(false);
    expect(put(head, { event_type: "error", error: {} }, end).finished).toBe(false);
    expect(put(head, { event_type: "step.delta", index: 9, delta: { type: "text", text: "No." } }, end)).toMatchObject({
      finished: true,
      reply: { steps: [] },
    });
  });
});

describe("the shape rules (rule 53)", () => {
  it.each(samples)("$rule passes what is right and names what is wrong: $says", ({ rule, passes, fails, says, at }) => {
    const breach = (request: object) =>
      wire.rules
        .find(({ id }) => id === rule)
        ?.check(copyValue(request) as ObjectValue, { profile: wire.profile(model), betas: undefined, version: undefined });
    expect(breach(passes)).toBeUndefined();
    expect(breach(fails)).toEqual({ path: at, message: expect.stringContaining(says), providerCode: "invalid_request" });
  });
});
