import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import type { Unit } from "../../wire/unit.ts";
import { gemini } from "./wire.ts";

const wire = gemini();
const read = (content: object) => wire.read(copyValue(content) as ObjectValue);
const again = (content: object) => {
  const { nativeRole, units } = read(content);
  return wire.compose(nativeRole, units);
};
const model = (...parts: readonly object[]) => ({ role: "model", parts });
const user = (...parts: readonly object[]) => ({ role: "user", parts });
const kinds = (content: object) => read(content).units.map(({ kind }) => kind);

describe("a content", () => {
  it("is read and put together again, part for part", () => {
    const reply = model(
      { thought: true, text: "Which well?" },
      { text: "I look." },
      { executableCode: { language: "PYTHON", code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { toolCall: { id: "t", toolType: "GOOGLE_SEARCH_WEB" }, thoughtSignature: "dA==" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
      { functionCall: { id: "a", name: "look", args: { z: 1, a: 2 } }, thoughtSignature: "c2ln" },
      { functionCall: { id: "b", name: "look", args: {} } },
    );
    expect(again(reply)).toEqual(reply);
    expect(kinds(reply)).toEqual(["reasoning", "text", "other", "other", "reasoning", "other", "media", "reasoning", "call", "call"]);
  });

  it("has the role user or model; function and none are older ways to write user", () => {
    expect(read({ parts: [{ text: "Hi." }] })).toMatchObject({ role: "user", nativeRole: "user" });
    expect(again({ role: "function", parts: [{ functionResponse: { name: "look", response: {} } }] }).role).toBe("user");
    expect(() => read({ role: "assistant", parts: [] })).toThrow(expect.objectContaining({ code: "invalid-message", path: "$.role" }));
    expect(() => read(user("Hi." as never))).toThrow(expect.objectContaining({ code: "invalid-message", path: "$.parts[0]" }));
  });

  it("carries members that it does not know (rule 55)", () => {
    const odd = { ...user({ text: "So.", hologram: { b: 1, a: 2 } }), mood: "calm" };
    expect(again(odd)).toEqual(odd);
    expect(kinds(odd)).toEqual(["fields", "text"]);
  });

  it("is laid out in one order, whatever order and spelling it comes in (rule 48)", () => {
    const snake = model(
      { thought_signature: "c2ln", function_call: { args: { b: 1, a: 2 }, name: "look", id: "a" } },
      { text: null, inline_data: { data: "AA==", mime_type: "image/png" } },
    );
    const camel = model(
      { functionCall: { id: "a", name: "look", args: { b: 1, a: 2 } }, thoughtSignature: "c2ln" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
    );
    expect(JSON.stringify(again(snake))).toBe(JSON.stringify(camel));
  });

  it("drops blank text that bears nothing, and keeps what goes with something (rule 10)", () => {
    expect(read(user({ text: " \n" }, { text: "Hi." })).units).toHaveLength(1);
    expect(again(user({ text: "" }, { text: " " })).parts).toEqual([{ text: "" }]);
    expect(read(model({ text: "" })).units).toEqual([]);
    expect(again(user({ text: "", partMetadata: { a: 1 } })).parts).toEqual([{ text: "", partMetadata: { a: 1 } }]);
    expect(again(model({ text: "Far." }, { text: "", thoughtSignature: "c2ln" })).parts).toEqual([
      { text: "Far." },
      { text: "", thoughtSignature: "c2ln" },
    ]);
  });
});

describe("a signature (rule 15)", () => {
  it("is a unit of its own ahead of its part, and goes back into it", () => {
    const signed = model({ text: "Far.", thoughtSignature: "c2ln" });
    expect(read(signed).units).toEqual([
      { kind: "reasoning", block: { thoughtSignature: "c2ln" }, bound: true, readable: "" },
      { kind: "text", block: { text: "Far." }, text: "Far." },
    ]);
    expect(again(signed)).toEqual(signed);
  });

  it("stays alone on an empty text when its part is gone", () => {
    const [signature, , other] = read(model({ text: "Far.", thoughtSignature: "c2ln" }, { text: "Near." })).units as Unit[];
    const thought = read(model({ thought: true, text: "Hm." })).units[0] as Unit;
    expect(wire.compose("model", [signature as Unit]).parts).toEqual([{ text: "", thoughtSignature: "c2ln" }]);
    expect(wire.compose("model", [signature as Unit, thought, other as Unit]).parts).toEqual([
      { text: "", thoughtSignature: "c2ln" },
      { thought: true, text: "Hm." },
      { text: "Near." },
    ]);
  });

  it("belongs to its whole part where that is a thought or says nothing", () => {
    expect(read(model({ thought: true, text: "Hm.", thoughtSignature: "c2ln" })).units).toMatchObject([
      { kind: "reasoning", bound: true, readable: "Hm." },
    ]);
    expect(read(model({ thought: true, text: "Hm." })).units).toMatchObject([{ kind: "reasoning", bound: false, readable: "Hm." }]);
    expect(read(model({ text: "", thoughtSignature: "c2ln" })).units).toMatchObject([{ kind: "reasoning", bound: true, readable: "" }]);
  });

  it("that is a documented stand-in signs nothing", () => {
    for (const standIn of ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"]) {
      expect(kinds(model({ functionCall: { name: "look" }, thoughtSignature: standIn }))).toEqual(["call"]);
    }
  });
});

describe("calls and responses", () => {
  it("have their id, or go by their function's name (rule 12)", () => {
    expect(read(model({ functionCall: { id: "a", name: "look", args: { at: 1 } } })).units).toMatchObject([
      { kind: "call", id: "a", name: "look", value: { at: 1 } },
    ]);
    expect(read(model({ functionCall: { name: "look" } })).units).toMatchObject([{ kind: "call", id: "look", name: "look", value: {} }]);
    expect(read(user({ functionResponse: { name: "look", response: {} } })).units).toMatchObject([
      { kind: "result", id: "look", text: "" },
    ]);
  });

  it("are text where the response holds one string, whatever it is called", () => {
    const text = (response: object, more: object = {}) =>
      (read(user({ functionResponse: { name: "look", response, ...more } })).units[0] as { text?: string }).text;
    expect(text({ result: "Red." })).toBe("Red.");
    expect(text({ stdout: "Red.", stderr: "", code: 0 })).toBe("Red.");
    expect(text({ stdout: "Red.", stderr: "Hot." })).toBeUndefined();
    expect(text({ stdout: "", stderr: "", code: 0 })).toBeUndefined();
    expect(text({ output: "" })).toBe("");
    expect(text({ output: "Red.", more: { a: 1 } })).toBeUndefined();
    expect(text({ count: 3 })).toBeUndefined();
    expect(text({ output: "Red." }, { parts: [{ inlineData: { mimeType: "image/png", data: "AA==" } }] })).toBeUndefined();
  });

  it("keep the name of what is put in its place", () => {
    const [unit] = read(user({ functionResponse: { id: "a", name: "look", response: { result: "Red, and so on." } } })).units as (Unit & {
      kind: "result";
    })[];
    expect(wire.withText(unit as never, "Red …").block).toEqual({
      functionResponse: { id: "a", name: "look", response: { result: "Red …" } },
    });
    const [whole] = read(user({ functionResponse: { name: "look", response: { a: 1, b: 2 } } })).units as (Unit & { kind: "result" })[];
    expect(wire.withText(whole as never, "Cut.").block).toEqual({ functionResponse: { name: "look", response: { output: "Cut." } } });
    const [shell, empty] = [{ stdout: "Red, and so on.", code: 0 }, { result: "" }].map(
      (response) => read(user({ functionResponse: { name: "look", response } })).units[0],
    );
    expect(wire.withText(shell as never, "Red …").block).toEqual({
      functionResponse: { name: "look", response: { stdout: "Red …", code: 0 } },
    });
    expect(wire.withText(empty as never, "None.").block).toEqual({ functionResponse: { name: "look", response: { result: "None." } } });
    expect(wire.textOf(shell as Unit)).toBe('{"stdout":"Red, and so on.","code":0}');
    expect(wire.withId(whole as never, "x").block).toEqual({ functionResponse: { id: "x", name: "look", response: { a: 1, b: 2 } } });
  });

  it("are made up with the call's id, and without one where it has none", () => {
    const [named, bare] = read(model({ functionCall: { id: "a", name: "look" } }, { functionCall: { name: "ask" } })).units as (Unit & {
      kind: "call";
    })[];
    expect(wire.resultFor(named as never, "Gone.").block).toEqual({
      functionResponse: { id: "a", name: "look", response: { output: "Gone." } },
    });
    expect(wire.resultFor(bare as never, "Gone.").block).toEqual({ functionResponse: { name: "ask", response: { output: "Gone." } } });
  });
});

it("a unit in words names what only the provider reads", () => {
  const words = read(
    model(
      { text: "I look." },
      { functionCall: { name: "look", args: { at: 1 } } },
      { executableCode: { code: "print(1)" } },
      { fileData: { fileUri: "gs://a", mimeType: "image/png" } },
      { toolCall: { toolType: "URL_CONTEXT" } },
    ),
  ).units.map(wire.textOf);
  expect(words).toEqual(["I look.", 'look({"at":1})', "print(1)", "[fileData: image/png]", "[toolCall: URL_CONTEXT]"]);
  expect(wire.textOf(read(user({ functionResponse: { name: "look", response: { a: 1 } } })).units[0] as Unit)).toBe('{"a":1}');
});
