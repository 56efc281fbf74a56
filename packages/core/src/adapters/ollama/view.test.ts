import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { composeMessage, readMessage, resultFor, textOf, withId, withText } from "./view.ts";

const kinds = (message: ObjectValue) => readMessage(message).units.map(({ kind }) => kind);
const call = (name: string, more: ObjectValue = {}): ObjectValue => ({ function: { name, arguments: { at: "sky" } }, ...more });

describe("a message", () => {
  it("is its other members, thinking, text, pictures and calls, each a unit", () => {
    const message = { role: "assistant", content: "So.", thinking: "Hm.", images: ["aaaa", "bbbb"], tool_calls: [call("look")], mood: 1 };
    expect(kinds(message)).toEqual(["fields", "reasoning", "text", "media", "media", "call"]);
    expect(composeMessage("assistant", readMessage(message).units)).toEqual(message);
  });

  it("goes out in one order of members, unknown ones last", () => {
    const { nativeRole, units } = readMessage({
      b: 1,
      tool_calls: [call("look")],
      a: 2,
      content: "So.",
      thinking: "Hm.",
      role: "assistant",
    });
    const composed = composeMessage(nativeRole, units);
    expect(Object.keys(composed)).toEqual(["role", "content", "thinking", "tool_calls", "a", "b"]);
    expect(Object.isFrozen(composed.tool_calls)).toBe(true);
  });

  it("has members that are read like absent ones when empty", () => {
    expect(kinds({ role: "user", content: "Hi.", thinking: "", images: [], tool_calls: null })).toEqual(["text"]);
    expect(kinds({ role: "assistant", content: " \n" })).toEqual([]);
    expect(kinds({ role: "assistant", content: null })).toEqual([]);
  });

  it("of several texts is one, a line each", () => {
    const units = ["One.", "Two."].flatMap((content) => readMessage({ role: "user", content }).units);
    expect(composeMessage("user", units)).toEqual({ role: "user", content: "One.\nTwo." });
  });

  it("keeps pictures that are bytes", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const { units } = readMessage({ role: "user", content: "Look.", images: [bytes] });
    expect(composeMessage("user", units).images).toEqual([bytes]);
  });

  it("that the wire cannot read is refused with its place", () => {
    expect(() => readMessage({ role: "developer", content: "x" })).toThrow(expect.objectContaining({ path: "$.role" }));
    expect(() => readMessage({ role: "user", content: [{ type: "text", text: "x" }] })).toThrow(
      expect.objectContaining({ path: "$.content" }),
    );
    const [shown] = readMessage({ role: "tool", content: "A screen.", images: ["aaaa"], tool_name: "look" }).units;
    expect([shown, shown && textOf(shown)]).toMatchObject([{ kind: "result", text: undefined }, "A screen.\n[image]"]);
    expect(() => readMessage({ role: "user", content: "x", images: "aaaa" })).toThrow(expect.objectContaining({ path: "$.images" }));
    expect(() => readMessage({ role: "assistant", tool_calls: [1] })).toThrow(expect.objectContaining({ path: "$.tool_calls[0]" }));
  });
});

describe("calls and results", () => {
  it("are told by their ids where the server gives ids, else by the tool's name", () => {
    const ids = (...calls: ObjectValue[]) =>
      readMessage({ role: "assistant", content: "", tool_calls: calls }).units.map((unit) => "id" in unit && unit.id);
    expect(ids(call("look", { id: "call_1" }), call("ask"), call("ask", { id: "" }))).toEqual(["call_1", "ask", "ask"]);
    const idOf = (more: ObjectValue) => readMessage({ role: "tool", content: "blue", ...more }).units[0];
    expect(idOf({ tool_name: "look", tool_call_id: "call_1" })).toMatchObject({ kind: "result", id: "call_1", text: "blue" });
    expect(idOf({ tool_name: "look" })).toMatchObject({ id: "look" });
    expect(idOf({})).toMatchObject({ id: "" });
  });

  it("never get an id that the server did not give", () => {
    const [bare, named] = readMessage({ role: "assistant", content: "", tool_calls: [call("look"), call("ask", { id: "call_1" })] }).units;
    if (bare?.kind !== "call" || named?.kind !== "call") throw new Error("two calls were read");
    expect(withId(bare, "other").block).toEqual(call("look"));
    expect(withId(named, "other").block).toEqual(call("ask", { id: "other" }));
    expect(resultFor(bare, "None.").block).toEqual({ role: "tool", content: "None.", tool_name: "look" });
    expect(resultFor(named, "None.").block).toEqual({ role: "tool", content: "None.", tool_name: "ask", tool_call_id: "call_1" });
  });

  it("take other text, and are said in words", () => {
    const [result] = readMessage({ role: "tool", tool_name: "look", content: "blue and more" }).units;
    if (result?.kind !== "result") throw new Error("a result was read");
    expect(withText(result, "blue").block).toEqual({ role: "tool", content: "blue", tool_name: "look" });
    const units = readMessage({ role: "assistant", content: "So.", thinking: "Hm.", images: ["aaaa"], tool_calls: [call("look")] }).units;
    expect([...units, result].map(textOf)).toEqual(["Hm.", "So.", "[image]", 'look({"at":"sky"})', "blue and more"]);
  });
});
