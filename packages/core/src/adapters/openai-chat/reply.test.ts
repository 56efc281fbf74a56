import { describe, expect, it } from "vitest";
import { InvalidReplyError } from "../../wire/errors.ts";
import { openaiChat } from "./wire.ts";

const wire = openaiChat();
const reply = (message: unknown, finish: unknown = "stop") => ({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: finish }],
});

describe("a reply", () => {
  it("is its first choice's message, as received, in a private copy", () => {
    const message = { content: "Yes.", role: "assistant", refusal: null, annotations: [] };
    const read = wire.readReply(reply(message));
    expect(JSON.stringify(read.messages)).toBe(JSON.stringify([message]));
    expect(read.messages[0]).not.toBe(message);
    expect(Object.isFrozen(read.messages[0])).toBe(true);
    expect(read).toMatchObject({ finished: true, dropped: [], cacheMissReason: undefined });
  });

  it("has no message when that bears nothing", () => {
    expect(wire.readReply(reply({ role: "assistant", content: "" })).messages).toEqual([]);
    expect(wire.readReply(reply({ role: "assistant", content: null, refusal: "No." })).messages).toHaveLength(1);
    expect(wire.readReply({ choices: [] })).toMatchObject({ messages: [], finished: false });
  });

  it("gets the role that goes without saying", () => {
    expect(wire.readReply(reply({ content: "Yes." })).messages).toEqual([{ role: "assistant", content: "Yes." }]);
  });

  it("settles nothing when it was cut or failed", () => {
    expect(wire.readReply(reply({ role: "assistant", content: "Ye" }, null)).finished).toBe(false);
    expect(wire.readReply(reply({ role: "assistant", content: "Ye" }, "error")).finished).toBe(false);
    expect(wire.readReply({ choices: [{ index: 0, finish_reason: null }] }).finished).toBe(false);
    for (const reason of ["stop", "length", "tool_calls", "content_filter", "function_call"]) {
      expect(wire.readReply(reply({ role: "assistant", content: "Yes." }, reason)).finished).toBe(true);
    }
  });

  it.each([
    ["$", null],
    ["$", "text"],
    ["$.choices", {}],
    ["$.choices", { error: { message: "x" } }],
    ["$.choices[0]", { choices: ["x"] }],
    ["$.choices[0].message", { choices: [{ finish_reason: "stop", delta: {} }] }],
    ["$.choices[0].message", reply("x")],
    ["$.choices[0].message.content", reply({ role: "assistant", content: 7 })],
  ])("is refused when it is none, by its place: %s", (path, given) => {
    expect(() => wire.readReply(given as object)).toThrow(InvalidReplyError);
    expect(() => wire.readReply(given as object)).toThrow(expect.objectContaining({ code: "invalid-reply", path }));
  });
});
