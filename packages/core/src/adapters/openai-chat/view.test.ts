import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../../test/growth.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { InvalidMessageError } from "../../wire/errors.ts";
import { sameUnit, type Unit } from "../../wire/unit.ts";
import { type DialectName, dialects } from "./dialects.ts";
import { composeMessage, readMessage, textOf, withText } from "./view.ts";

const { openai, openrouter, mistral, deepseek } = dialects;
const message = (given: unknown): ObjectValue => copyValue(given) as ObjectValue;
const read = (given: unknown, dialect = openai) => readMessage(message(given), dialect);
const again = (given: unknown, dialect = openai): ObjectValue => {
  const { nativeRole, units } = read(given, dialect);
  return composeMessage(nativeRole, units, dialect);
};
const call = { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":"sky"}' } };

describe("reading a message", () => {
  it("takes null, absent, empty and blank content alike on an assistant message with calls (rule 4)", () => {
    for (const content of [null, undefined, "", "  \n", []]) {
      expect(read({ role: "assistant", content, tool_calls: [call] }).units.map(({ kind }) => kind)).toEqual(["call"]);
    }
  });

  it("takes a string and one text part alike (rule 4)", () => {
    expect(read({ role: "user", content: "Hello." }).units).toEqual(
      read({ role: "user", content: [{ type: "text", text: "Hello." }] }).units,
    );
  });

  it("orders fields, reasoning, content and calls", () => {
    const { units } = read({
      tool_calls: [call],
      reasoning_content: "Hm.",
      content: [
        { type: "text", text: "Yes." },
        { type: "refusal", refusal: "No." },
      ],
      name: "Ida",
      role: "assistant",
    });
    expect(units.map(({ kind }) => kind)).toEqual(["fields", "reasoning", "text", "other", "call"]);
  });

  it("calls parts media where they are, and leaves out blank text that bears nothing (rule 10)", () => {
    const { units } = read({
      role: "user",
      content: [
        { type: "text", text: " " },
        { type: "image_url", image_url: { url: "https://files.example/a.png" } },
        { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
        { type: "file", file: { file_id: "file_1" } },
        { type: "text", text: "", citations: [1] },
        { type: "hologram", beams: 3 },
      ],
    });
    expect(units.map(({ kind }) => kind)).toEqual(["media", "media", "media", "text", "other"]);
  });

  it("reads a refusal of null and empty annotations like absent ones, and carries what it does not know (rules 4, 55)", () => {
    const { units } = read({
      role: "assistant",
      content: "Yes.",
      refusal: null,
      annotations: [],
      audio: null,
      mood: null,
      extra: { a: 1 },
    });
    expect(units[0]).toEqual({ kind: "fields", block: { extra: { a: 1 }, mood: null } });
  });

  it("keeps a tool message's own name inside the result, and its text apart", () => {
    const { role, nativeRole, units } = read({
      name: "look",
      role: "tool",
      content: [{ type: "text", text: "blue" }],
      tool_call_id: "call_1",
    });
    expect({ role, nativeRole, units }).toEqual({
      role: "user",
      nativeRole: "tool",
      units: [
        { kind: "result", id: "call_1", text: "blue", block: { role: "tool", content: "blue", tool_call_id: "call_1", name: "look" } },
      ],
    });
  });

  it("knows no text of a result that holds anything else", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image_url", image_url: { url: "https://files.example/a.png" } },
    ];
    expect(read({ role: "tool", tool_call_id: "call_1", content }).units[0]).toMatchObject({ text: undefined, block: { content } });
  });

  it("reads an empty result as one, whatever its emptiness", () => {
    for (const content of ["", null, undefined, []]) {
      expect(read({ role: "tool", tool_call_id: "call_1", content }).units[0]).toMatchObject({
        kind: "result",
        text: "",
        block: { content: "" },
      });
    }
  });

  it("takes marks out of parts, calls, results and the message, and says where they sat (rule 54)", () => {
    const mark = { type: "ephemeral" };
    const breakpoint = { mode: "explicit" };
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: mark },
      { type: "text", text: "c", prompt_cache_breakpoint: breakpoint },
    ];
    expect(read({ role: "user", content: parts })).toMatchObject({
      units: [{ block: { type: "text", text: "a" } }, { block: { type: "text", text: "b" } }, { block: { type: "text", text: "c" } }],
      marks: [
        { unit: 1, mark },
        { unit: 2, mark: breakpoint },
      ],
    });
    expect(read({ role: "assistant", content: "x", tool_calls: [{ ...call, cache_control: mark }] }).marks).toEqual([{ unit: 1, mark }]);
    expect(read({ role: "tool", tool_call_id: "c", content: [{ type: "text", text: "r", cache_control: mark }] }).marks).toEqual([
      { unit: 0, mark },
    ]);
    expect(read({ role: "system", content: "s", cache_control: mark }).marks).toEqual([{ unit: 0, mark }]);
    expect(JSON.stringify(read({ role: "system", content: "s", cache_control: mark }).units)).not.toContain("cache_control");
  });

  it("maps the roles", () => {
    const roles = ["user", "assistant", "system", "developer", "tool", "function"];
    expect(roles.map((role) => read({ role, content: "x" }).role)).toEqual(["user", "assistant", "system", "system", "user", "user"]);
  });

  it.each([
    ["$.role", { content: "x" }],
    ["$.role", { role: "critic", content: "x" }],
    ["$.role", { role: "__proto__", content: "x" }],
    ["$.content", { role: "user", content: 7 }],
    ["$.content", { role: "user", content: { type: "text", text: "x" } }],
    ["$.content[1]", { role: "user", content: [{ type: "text", text: "x" }, "y"] }],
    ["$.tool_calls", { role: "assistant", tool_calls: { id: "x" } }],
    ["$.tool_calls[0]", { role: "assistant", tool_calls: ["x"] }],
    ["$.function_call", { role: "assistant", function_call: "x" }],
    ["$.tool_call_id", { role: "tool", content: "x", tool_call_id: 7 }],
  ])("refuses what is none, by its place: %s", (path, given) => {
    expect(() => read(given)).toThrow(InvalidMessageError);
    expect(() => read(given)).toThrow(expect.objectContaining({ code: "invalid-message", path }));
  });

  it("takes own members called __proto__ as data", () => {
    const given = JSON.parse('{"role":"user","content":"x","__proto__":{"y":1}}');
    expect(JSON.stringify(again(given))).toBe('{"role":"user","content":"x","__proto__":{"y":1}}');
  });
});

describe("composing a message", () => {
  it("lays members out in one order: the wire's own, then unknown ones sorted (rule 48)", () => {
    const given = {
      zeal: 1,
      audio: { id: "a" },
      tool_calls: [call],
      refusal: "r",
      alpha: 2,
      reasoning: "Hm.",
      name: "Ida",
      content: "Yes.",
      role: "assistant",
    };
    const order = ["role", "content", "reasoning_content", "tool_calls", "name", "refusal", "audio", "alpha", "zeal"];
    expect(Object.keys(again(given, deepseek))).toEqual(order);
    expect(Object.keys(again({ extra: 1, name: "n", tool_call_id: "c", content: "x", role: "tool" }))).toEqual([
      "role",
      "content",
      "tool_call_id",
      "name",
      "extra",
    ]);
  });

  it("writes single plain text as a string, and as a part where a mark may come to sit on it (rule 1)", () => {
    for (const role of ["user", "assistant", "system", "developer"]) {
      expect(again({ role, content: [{ type: "text", text: "Hi." }] }).content).toBe("Hi.");
      expect(again({ role, content: "Hi." }, openrouter).content).toEqual([{ type: "text", text: "Hi." }]);
    }
    expect(again({ role: "tool", tool_call_id: "c", content: "Hi." }, openrouter).content).toEqual([{ type: "text", text: "Hi." }]);
    expect(again({ role: "user", content: [{ type: "text", text: "Hi.", citations: [] }] }).content).toEqual([
      { type: "text", text: "Hi.", citations: [] },
    ]);
  });

  it("keeps a list of parts as it stands", () => {
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: "https://files.example/a.png", detail: "low" } },
    ];
    expect(again({ role: "user", content })).toEqual({ role: "user", content });
  });

  it("writes null beside calls, and an empty text where there is nothing", () => {
    expect(again({ role: "assistant", content: "", tool_calls: [call] })).toEqual({ role: "assistant", content: null, tool_calls: [call] });
    expect(again({ role: "assistant", content: "", refusal: "No." })).toEqual({ role: "assistant", content: null, refusal: "No." });
    expect(composeMessage("assistant", [], openai)).toEqual({ role: "assistant", content: "" });
  });

  it("gives the older function calls and their results back in their shape", () => {
    const reply = { role: "assistant", content: null, function_call: { name: "look", arguments: '{"at": "sky"}' } };
    const result = { role: "function", content: "blue", name: "look" };
    for (const dialect of Object.values(dialects).filter(({ emptyReasoning }) => !emptyReasoning)) {
      expect(again(reply, dialect)).toEqual(reply);
      expect(again(result, dialect)).toEqual(result);
    }
    expect(read(reply).units[0]).toMatchObject({ kind: "call", id: "", name: "look", value: { at: "sky" } });
    expect(read(result).units[0]).toMatchObject({ kind: "result", id: "", text: "blue" });
  });

  it("freezes what it hands out", () => {
    const composed = again({ role: "assistant", content: [{ type: "refusal", refusal: "No." }], tool_calls: [call] });
    expect(
      Object.isFrozen(composed) && Object.isFrozen(composed.content) && Object.isFrozen((composed.tool_calls as ObjectValue[])[0]),
    ).toBe(true);
  });
});

describe("a unit", () => {
  it("has a readable text", () => {
    const { units } = read({
      role: "assistant",
      name: "Ida",
      reasoning: "Hm.",
      content: [
        { type: "text", text: "Yes." },
        { type: "refusal", refusal: "No." },
        { type: "image_url", image_url: { url: "x" } },
      ],
      tool_calls: [call, { id: "b", type: "custom", custom: { name: "run", input: "ls" } }],
    });
    expect(units.map(textOf)).toEqual(["", "Hm.", "Yes.", "No.", "[image_url]", 'look({"at":"sky"})', "run(ls)"]);
    const content = [
      { type: "text", text: "a" },
      { type: "file", file: {} },
    ];
    expect(read({ role: "tool", tool_call_id: "c", content }).units.map(textOf)).toEqual(["a\n[file]"]);
  });

  it("takes another text in the dialect's form", () => {
    const result = read({ role: "tool", tool_call_id: "c", name: "n", content: "long" }).units[0] as Unit & { kind: "result" };
    expect(withText(result, "cut", openai)).toMatchObject({
      text: "cut",
      id: "c",
      block: { role: "tool", content: "cut", tool_call_id: "c", name: "n" },
    });
    expect(withText(result, "cut", openrouter).block.content).toEqual([{ type: "text", text: "cut" }]);
    const text = read({ role: "user", content: "long" }).units[0] as Unit & { kind: "text" };
    expect(withText(text, "cut", openai)).toEqual({ kind: "text", text: "cut", block: { type: "text", text: "cut" } });
  });
});

describe("reading and composing in turn", () => {
  const word = fc.string({ maxLength: 6, unit: "grapheme" });
  const json = fc.jsonValue({ maxDepth: 2 }).map((value) => copyValue(value));
  const mark = fc.option(fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }), { nil: undefined });
  const part = fc.oneof(
    fc.record({ type: fc.constant("text"), text: word, cache_control: mark }),
    fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: word }), cache_control: mark }),
    fc.record({ type: fc.constant("refusal"), refusal: word }),
    fc.record({ type: fc.constant("hologram"), beams: json, text: fc.constant(1) }),
  );
  const content = fc.oneof(word, fc.constant(null), fc.constant(undefined), fc.array(part, { maxLength: 3 }));
  const args = fc.oneof(
    word,
    json.map((value) => JSON.stringify(value)),
    fc.dictionary(word, json, { maxKeys: 2 }),
  );
  const toolCall = fc.oneof(
    fc.record(
      { id: word, index: fc.nat(3), type: fc.constant("function"), function: fc.record({ arguments: args, name: word }), extra: json },
      { requiredKeys: ["function"] },
    ),
    fc.record({ type: fc.constant("custom"), id: word, custom: fc.record({ input: word, name: word }) }),
  );
  const detail = fc.record({ type: fc.constant("reasoning.text"), text: word, signature: fc.option(word), index: fc.nat(2) });
  const reasoning = fc.oneof(
    fc.constant({}),
    fc.record({ reasoning: word }),
    fc.record({ reasoning_content: word }),
    fc.record({ reasoning_details: fc.array(detail, { maxLength: 2 }) }),
  );
  const fields = fc.record(
    { name: word, refusal: fc.option(word), annotations: fc.array(json, { maxLength: 1 }), zeta: json, beta: json },
    { requiredKeys: [] },
  );
  const assistant = fc
    .tuple(fc.record({ content, tool_calls: fc.array(toolCall, { maxLength: 2 }) }, { requiredKeys: [] }), reasoning, fields)
    .map((parts) => Object.assign({ role: "assistant" }, ...parts) as object);
  const legacy = fc.record({ role: fc.constant("assistant"), content, function_call: fc.record({ name: word, arguments: args }) });
  const said = fc
    .tuple(fc.constantFrom("user", "system", "developer"), content, fields)
    .map(([role, inner, more]) => ({ ...more, content: inner, role }));
  const result = fc.record(
    { role: fc.constantFrom("tool", "function"), content, tool_call_id: word, name: word, extra: json },
    { requiredKeys: ["role"] },
  );
  const anyMessage = fc.oneof(assistant, legacy, said, result).map(message);
  const anyDialect = fc.constantFrom(...(Object.keys(dialects) as DialectName[]));

  const kept = (units: readonly Unit[], name: DialectName) =>
    units.filter(
      (unit) =>
        unit.kind !== "reasoning" ||
        (dialects[name].reasoning !== "none" && unit.readable + JSON.stringify(unit.block.reasoning_details ?? "") !== '""'),
    );
  const alike = (a: Unit | undefined, b: Unit | undefined, name: DialectName): boolean => {
    if (a === undefined || b === undefined || a.kind !== b.kind) return false;
    if (a.kind !== "reasoning" || b.kind !== "reasoning") return sameUnit(a, b);
    return a.readable === b.readable && (name !== "openrouter" || a.bound === b.bound);
  };

  it("is the identity on units, up to the name of the reasoning field (rules 4, 15)", () => {
    fc.assert(
      fc.property(anyMessage, anyDialect, (given, name) => {
        const dialect = dialects[name];
        const { nativeRole, units } = readMessage(given, dialect);
        const expected = kept(units, name).filter((unit) => unit.kind !== "reasoning" || name === "openrouter" || unit.readable !== "");
        const back = readMessage(composeMessage(nativeRole, units, dialect), dialect);
        expect(back.nativeRole).toBe(nativeRole);
        expect(back.units.length).toBe(expected.length);
        expect(expected.every((unit, index) => alike(unit, back.units[index], name))).toBe(true);
        expect(back.marks).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("settles at once: what was composed is composed again to the same bytes (rule 2)", () => {
    fc.assert(
      fc.property(anyMessage, anyDialect, (given, name) => {
        const dialect = dialects[name];
        const { nativeRole, units } = readMessage(given, dialect);
        const composed = composeMessage(nativeRole, units, dialect);
        const next = composeMessage(nativeRole, readMessage(composed, dialect).units, dialect);
        expect(JSON.stringify(next)).toBe(JSON.stringify(composed));
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(anyMessage, anyDialect, (given, name) => {
        const turned = Object.fromEntries(Object.entries(given).toReversed());
        expect(JSON.stringify(again(turned, dialects[name]))).toBe(JSON.stringify(again(given, dialects[name])));
      }),
    );
  });

  it("costs time in proportion to a long text", async () => {
    await expectProportion((size) => {
      const content = "a ".repeat(size);
      return processorTime(() =>
        expect(again({ role: "user", content: [{ type: "text", text: content }] }, mistral).content).toBe(content),
      );
    }, 200_000);
  });
});
