import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { ollama } from "./wire.ts";

const wire = ollama();
const hello = { role: "user", content: "Hello." };
const request = (more: object = {}) => ({ model: "qwen3:8b", messages: [{ role: "system", content: "Be brief." }, hello], ...more });

describe("a request", () => {
  it("has its leading system messages in its head", () => {
    const { head, messages, lead } = wire.open(request());
    expect(head.system).toEqual([{ role: "system", content: "Be brief." }]);
    expect(wire.systemText(head)).toBe("Be brief.");
    expect({ messages, lead }).toEqual({ messages: [hello], lead: 1 });
  });

  it("has in its key what the model is loaded with, and not how it is sampled (facts 7.4)", () => {
    const params = (more: object) => wire.open(request(more)).head.params;
    expect(params({ options: { num_ctx: 8_192, temperature: 0, num_predict: 9 }, keep_alive: "1h", format: "json" })).toEqual({
      options: { num_ctx: 8_192 },
    });
    expect(params({ think: "low", options: { temperature: 1 } })).toEqual({ think: "low" });
    expect(params({ think: null, options: null })).toEqual({});
  });

  it("gets the parameters of the window, and keeps its own sampling", () => {
    const { head } = wire.open(request({ think: true, options: { num_ctx: 8_192 } }));
    const closed = wire.close(request({ options: { temperature: 0, num_ctx: 4_096 } }), head, []) as unknown as ObjectValue;
    expect(closed).toMatchObject({ think: true, options: { temperature: 0, num_ctx: 8_192 } });
    const bare = wire.close(
      request({ think: true, options: { num_ctx: 1, seed: 7 } }),
      { ...head, params: {} },
      [],
    ) as unknown as ObjectValue;
    expect(bare).toMatchObject({ options: { seed: 7 } });
    expect("think" in bare || "num_ctx" in (bare.options as object)).toBe(false);
    const same = { num_ctx: 8_192, seed: 7 };
    expect((wire.close(request({ think: true, options: same }), head, []) as unknown as ObjectValue).options).toBe(same);
  });

  it("hands out messages with pictures as copies, for the SDK to write base64 into", () => {
    const pictured = Object.freeze({
      role: "user",
      content: "Look.",
      images: Object.freeze([new Uint8Array([1])]),
    }) as unknown as ObjectValue;
    const [sent] = wire.close(request({}), { ...wire.open(request()).head, system: [] }, [pictured]).messages;
    expect(sent).toEqual(pictured);
    expect(Object.isFrozen(sent)).toBe(false);
  });

  it("says how large its window and its reply may be", () => {
    expect(wire.askedFor?.(request())).toEqual({ window: 4_096 });
    expect(wire.askedFor?.(request({ options: { num_ctx: 32_768, num_predict: 500 } }))).toEqual({ window: 32_768, output: 500 });
    expect(wire.askedFor?.(request({ options: { num_predict: -1 } }))).toEqual({ window: 4_096 });
  });

  it("is recognised by what only this wire has", () => {
    const recognised = (more: object) => wire.recognises(request(more) as unknown as ObjectValue);
    expect(recognised({ options: { num_ctx: 1 } })).toBe(true);
    expect(recognised({ think: false })).toBe(true);
    expect(recognised({ messages: [{ role: "tool", tool_name: "look", content: "x" }] })).toBe(true);
    expect(recognised({ messages: [{ role: "assistant", tool_calls: [{ function: { name: "look", arguments: {} } }] }] })).toBe(true);
    expect(recognised({ messages: [{ role: "assistant", tool_calls: [{ function: { name: "look", arguments: "{}" } }] }] })).toBe(false);
    expect(recognised({})).toBe(false);
  });

  it("that is none is refused with its place", () => {
    const open = (given: unknown) => () => wire.open(given as never);
    expect(open(null)).toThrow(expect.objectContaining({ code: "invalid-request", path: "$" }));
    expect(open({ messages: [] })).toThrow(expect.objectContaining({ path: "$.model" }));
    expect(open({ model: "m" })).toThrow(expect.objectContaining({ path: "$.messages" }));
    expect(open(request({ tools: {} }))).toThrow(expect.objectContaining({ path: "$.tools" }));
    expect(open(request({ tools: [1] }))).toThrow(expect.objectContaining({ path: "$.tools[0]" }));
    expect(open(request({ messages: [{ role: "system", content: 1 }] }))).toThrow(
      expect.objectContaining({ path: "$.messages[0].content" }),
    );
  });
});

describe("a reply", () => {
  it("that is not done, or only loaded the model, settles nothing", () => {
    const reply = { model: "m", message: { role: "assistant", content: "Hi." }, done: true, done_reason: "stop" };
    expect(wire.readReply(reply)).toMatchObject({ finished: true, messages: [{ role: "assistant", content: "Hi." }] });
    expect(wire.readReply({ ...reply, done: false }).finished).toBe(false);
    expect(wire.readReply({ ...reply, message: { role: "assistant", content: "" }, done_reason: "load" })).toMatchObject({
      finished: false,
      messages: [],
    });
    expect(() => wire.readReply({ error: "model runner has unexpectedly stopped" })).toThrow(
      expect.objectContaining({ code: "invalid-reply" }),
    );
    expect(() => wire.readReply({})).toThrow(expect.objectContaining({ code: "invalid-reply" }));
    expect(() => wire.readReply({ message: { role: "assistant", content: 7 } })).toThrow(
      expect.objectContaining({ path: "$.message.content" }),
    );
  });

  it("whose stream brought an error is not finished", () => {
    const accumulator = wire.accumulator();
    accumulator.add({ message: { role: "assistant", content: "Hi" }, done: false });
    accumulator.add({ error: "model runner has unexpectedly stopped" });
    accumulator.add({ message: { role: "assistant", content: "." }, done: true, done_reason: "stop" });
    expect(accumulator.reply()).toMatchObject({ finished: false, reply: { message: { content: "Hi." }, done: false } });
  });
});

describe("a profile", () => {
  it("is looked up by the exact id, with its tag", () => {
    expect(wire.profile("qwen3:8b")).toMatchObject({ id: "qwen3:8b", context: 40_960, bindsReasoning: "no" });
    expect(wire.profile("llama3.1").thinking).toEqual([]);
    expect(wire.profile("qwen3:8b-q4_K_M").context).toBe(wire.profile("mine").context);
    const own = ollama({ profiles: { mine: { context: 9_000, traits: ["no-tools"] } } });
    expect(own.profile("mine")).toMatchObject({ context: 9_000, traits: ["no-tools"], id: "mine" });
    expect(own.profile("constructor").id).toBe("constructor");
  });
});
