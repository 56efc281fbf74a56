import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import { composeMessage, readMessage, resultFor, textOf, withId, withText } from "./view.ts";

const user = (...content: ObjectValue[]): ObjectValue => ({ role: "user", content });
const reply = (...content: ObjectValue[]): ObjectValue => ({ role: "assistant", content });
const kinds = (message: ObjectValue) => readMessage(message).units.map(({ kind }) => kind);
const call = { toolUse: { toolUseId: "a", name: "look", input: { z: 1, a: 2 } } };
const point = { cachePoint: { type: "default" } };

describe("a message", () => {
  it("is its blocks, each a unit of its kind", () => {
    const image = { image: { format: "png", source: { bytes: new Uint8Array([1, 2]) } } };
    const hidden = { reasoningContent: { redactedContent: new Uint8Array([3]) } };
    expect(kinds(reply(hidden, { text: "So." }, call, { guardContent: { text: { text: "x" } } }))).toEqual([
      "reasoning",
      "text",
      "call",
      "other",
    ]);
    expect(kinds(user({ text: " \n" }, { toolResult: { toolUseId: "a", content: [] } }, image))).toEqual(["result", "media"]);
    const message = { ...user({ text: "So." }, image), mood: "calm" };
    expect(composeMessage("user", readMessage(message).units)).toEqual(message);
  });

  it("has its cache points as marks on what they stand behind", () => {
    const { units, marks } = readMessage(user(point, { text: "One." }, point, { text: " " }, { text: "Two." }));
    expect(units).toHaveLength(2);
    expect(marks).toEqual([
      { unit: 0, mark: point },
      { unit: 1, mark: point },
    ]);
  });

  it("has the members of calls, results and reasoning in one order, and what lies inside as received", () => {
    const given = reply(
      { reasoningContent: { reasoningText: { signature: "c2ln", text: "Hm." } } },
      { toolUse: { input: { z: 1, a: 2 }, name: "look", toolUseId: "a" } },
    );
    expect(JSON.stringify(composeMessage("assistant", readMessage(given).units))).toBe(
      '{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Hm.","signature":"c2ln"}}},{"toolUse":{"toolUseId":"a","name":"look","input":{"z":1,"a":2}}}]}',
    );
  });

  it("holds what the provider's own tools did as it is, and waits for no result of theirs", () => {
    const own = { toolUse: { toolUseId: "a", name: "nova_code_interpreter", input: {}, type: "server_tool_use" } };
    const result = { toolResult: { toolUseId: "a", content: [], type: "nova_code_interpreter_result" } };
    expect(kinds(reply(own, result, { toolUse: { ...call.toolUse, type: "tool_use" } }))).toEqual(["other", "other", "call"]);
  });

  it("that the wire cannot read is refused with its place", () => {
    const read = (message: unknown) => () => readMessage(message as ObjectValue);
    expect(read({ role: "tool", content: [] })).toThrow(expect.objectContaining({ path: "$.role" }));
    expect(read({ role: "user", content: "Hi." })).toThrow(expect.objectContaining({ path: "$.content" }));
    expect(read(user({ text: "x" }, 7 as never))).toThrow(expect.objectContaining({ path: "$.content[1]" }));
    expect(read(user({ text: 7 }))).toThrow(expect.objectContaining({ path: "$.content[0].text" }));
    expect(read(reply({ toolUse: { name: "look" } }))).toThrow(expect.objectContaining({ path: "$.content[0].toolUse.toolUseId" }));
  });
});

describe("reasoning", () => {
  it("is bound where it is signed or hidden", () => {
    const bound = (reasoningContent: ObjectValue) =>
      readMessage(reply({ reasoningContent })).units.map((unit) => unit.kind === "reasoning" && unit.bound);
    expect(bound({ reasoningText: { text: "", signature: "c2ln" } })).toEqual([true]);
    expect(bound({ redactedContent: new Uint8Array([1]) })).toEqual([true]);
    expect(bound({ redactedContent: "AQ==" })).toEqual([true]);
    expect(bound({ reasoningText: { text: "Hm." } })).toEqual([false]);
  });
});

describe("results and calls", () => {
  it("take other ids and other text", () => {
    const [unit] = readMessage(reply(call)).units;
    if (unit?.kind !== "call") throw new Error("a call was read");
    expect(withId(unit, "b").block).toEqual({ toolUse: { toolUseId: "b", name: "look", input: { z: 1, a: 2 } } });
    const result = resultFor(unit, "None.");
    expect(result.block).toEqual({ toolResult: { toolUseId: "a", content: [{ text: "None." }] } });
    if (result.kind !== "result") throw new Error("a result was made");
    expect(withText(result, "Short.").block).toEqual({ toolResult: { toolUseId: "a", content: [{ text: "Short." }] } });
    const [failed] = readMessage(user({ toolResult: { toolUseId: "a", status: "error", content: [{ text: "No." }] } })).units;
    if (failed?.kind !== "result") throw new Error("a result was read");
    expect(withText(failed, "Short.").block).toEqual({ toolResult: { toolUseId: "a", content: [{ text: "Short." }], status: "error" } });
  });

  it("are said in words", () => {
    const contents = [{ text: "blue" }, { json: { b: 1 } }, { document: { name: "notes", format: "txt", source: { bytes: "aGk=" } } }];
    const units = readMessage(user({ toolResult: { toolUseId: "a", content: contents } }, { hologram: { x: 1 } })).units;
    expect(units.map(textOf)).toEqual(['blue\n{"b":1}\n[document: notes]', "[hologram]"]);
    expect(readMessage(reply(call)).units.map(textOf)).toEqual(['look({"a":2,"z":1})']);
  });
});
