import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameValue } from "../../json/compare.ts";
import { copyValue, type ObjectValue, type Value } from "../../json/value.ts";
import { sameUnit, type Unit } from "../../wire/unit.ts";
import { compose, read, resultFor, say, textOf, withId, withText } from "./view.ts";

const message = (role: string, content: unknown, fields: object = {}): ObjectValue =>
  copyValue({ role, content, ...fields }) as ObjectValue;
const units = (role: string, content: unknown, fields: object = {}): readonly Unit[] => read(message(role, content, fields)).units;
const only = (block: object): Unit => units("user", [block])[0] as Unit;
const alike = (a: object, b: object): boolean => sameUnit(only(a), only(b));

describe("reading a message", () => {
  it("reads a string and one text block of the same text alike", () => {
    expect(units("user", "hello")).toEqual(units("user", [{ type: "text", text: "hello" }]));
  });

  it("leaves out text without a word, and keeps white space around other text (rule 10)", () => {
    expect(units("user", " \n ")).toEqual([]);
    expect(units("assistant", [{ type: "text", text: "" }])).toEqual([]);
    expect(units("user", [{ type: "text", text: " a " }])).toMatchObject([{ kind: "text", text: " a " }]);
  });

  it("keeps empty text that bears something (rule 10)", () => {
    expect(units("assistant", [{ type: "text", text: "", citations: [{ type: "char_location" }] }])).toHaveLength(1);
    expect(units("assistant", [{ type: "text", text: "", phase: "final" }])).toHaveLength(1);
  });

  it("reads thinking as bound when it is signed, its text empty or not (rule 15)", () => {
    const [signed, redacted, unsigned, blank] = units("assistant", [
      { type: "thinking", thinking: "", signature: "sig" },
      { type: "redacted_thinking", data: "xyz" },
      { type: "thinking", thinking: "hm" },
      { type: "thinking", thinking: "hm", signature: "" },
    ]);
    expect(signed).toMatchObject({ kind: "reasoning", bound: true, readable: "" });
    expect(redacted).toMatchObject({ kind: "reasoning", bound: true, readable: "" });
    expect(unsigned).toMatchObject({ kind: "reasoning", bound: false, readable: "hm" });
    expect(blank).toMatchObject({ kind: "reasoning", bound: false });
  });

  it("reads calls and results by their ids", () => {
    const [call] = units("assistant", [{ type: "tool_use", id: "t1", name: "read", input: { path: "a" } }]);
    const [result] = units("user", [{ type: "tool_result", tool_use_id: "t1", content: "text" }]);
    expect(call).toMatchObject({ kind: "call", id: "t1", name: "read", value: { path: "a" } });
    expect(result).toMatchObject({ kind: "result", id: "t1", text: "text" });
  });

  it("reads a call without input as one with empty input", () => {
    expect(alike({ type: "tool_use", id: "t", name: "n" }, { type: "tool_use", id: "t", name: "n", input: {} })).toBe(true);
  });

  it("carries blocks that it does not know", () => {
    const block = { type: "holo_result", zeta: 1, alpha: { b: 1, a: 2 } };
    expect(units("assistant", [block])).toEqual([{ kind: "other", block }]);
  });

  it("carries what only the provider's server reads, nulls included", () => {
    const block = { type: "mcp_tool_result", tool_use_id: "m1", is_error: false, content: [{ type: "text", text: "" }] };
    expect(units("assistant", [block])).toEqual([{ kind: "other", block }]);
    const compaction = { type: "compaction", content: null, signature: "s" };
    expect(units("assistant", [compaction])).toEqual([{ kind: "other", block: compaction }]);
  });

  it("reads pictures and documents as media", () => {
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    expect(
      units("user", [
        { type: "image", source },
        { type: "document", source, title: null },
      ]),
    ).toEqual([
      { kind: "media", block: { type: "image", source } },
      { kind: "media", block: { type: "document", source } },
    ]);
  });

  it("reads what a message has beside role and content as its first unit", () => {
    const read = units("system", "be brief", { clear_at: "next_user_message", seen: true });
    expect(read[0]).toEqual({ kind: "fields", block: { clear_at: "next_user_message", seen: true } });
    expect(units("system", "be brief", { clear_at: "never", output_config: null })).toHaveLength(1);
  });

  it("reads a system message that only sets the effort", () => {
    const effort = { output_config: { effort: "low" } };
    expect(compose("system", units("system", [], effort))).toEqual({ role: "system", content: [], ...effort });
    expect(read(copyValue({ role: "system", ...effort }) as ObjectValue).units).toEqual(units("system", [], effort));
  });

  it("names the place of what it cannot read", () => {
    const broken: readonly (readonly [unknown, string])[] = [
      [{ role: "tool", content: "x" }, "$.role"],
      [{ content: "x" }, "$.role"],
      [{ role: "user" }, "$.content"],
      [{ role: "user", content: null }, "$.content"],
      [{ role: "user", content: ["x"] }, "$.content[0]"],
      [{ role: "user", content: [{ text: "x" }] }, "$.content[0].type"],
      [{ role: "user", content: [{ type: "text", text: 1 }] }, "$.content[0].text"],
      [{ role: "user", content: [{ type: "tool_result" }] }, "$.content[0].tool_use_id"],
      [
        {
          role: "assistant",
          content: [
            { type: "text", text: "" },
            { type: "tool_use", id: "a" },
          ],
        },
        "$.content[1].name",
      ],
      [null, "$"],
    ];
    for (const [given, path] of broken) {
      expect(() => read(copyValue(given) as ObjectValue)).toThrow(expect.objectContaining({ code: "invalid-message", path }));
    }
  });
});

describe("what is read alike (rule 4)", () => {
  const result = (content?: unknown, more: object = {}): object => ({ type: "tool_result", tool_use_id: "t", content, ...more });

  it("reads an empty result alike however it is empty", () => {
    for (const empty of [undefined, null, "", [], [{ type: "text", text: "" }]]) {
      expect(only(result(empty))).toEqual({ kind: "result", block: { type: "tool_result", tool_use_id: "t" }, id: "t", text: "" });
    }
  });

  it("reads a result's string and its one plain text alike, and several texts as they are", () => {
    expect(alike(result("a"), result([{ type: "text", text: "a", citations: null }]))).toBe(true);
    expect(
      alike(
        result("a"),
        result([
          { type: "text", text: "a" },
          { type: "text", text: " " },
        ]),
      ),
    ).toBe(true);
    expect(
      alike(
        result("ab"),
        result([
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ]),
      ),
    ).toBe(false);
    expect(
      only(
        result([
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ]),
      ),
    ).toMatchObject({ text: "a\nb" });
    expect(
      only(
        result([
          { type: "image", source: {} },
          { type: "text", text: "b" },
        ]),
      ),
    ).toMatchObject({ text: undefined });
  });

  it("reads members that say nothing like absent ones", () => {
    expect(alike(result("a"), result("a", { is_error: false, toolset_name: null }))).toBe(true);
    expect(alike(result("a"), result("a", { is_error: true }))).toBe(false);
    expect(alike({ type: "text", text: "a" }, { type: "text", text: "a", citations: [] })).toBe(true);
    const call = { type: "tool_use", id: "t", name: "n", input: {} };
    expect(alike(call, { ...call, caller: null })).toBe(true);
    expect(alike(call, { ...call, caller: { type: "direct" } })).toBe(false);
  });

  it("lays members out in the wire's order and keeps keys inside values as received", () => {
    const [call] = units("assistant", [{ zz: 1, input: { b: 1, a: 2 }, name: "n", aa: 2, id: "t", type: "tool_use" }]);
    expect(JSON.stringify(call?.block)).toBe('{"type":"tool_use","id":"t","name":"n","input":{"b":1,"a":2},"aa":2,"zz":1}');
    expect(JSON.stringify(compose("assistant", call === undefined ? [] : [call]))).toMatch(/^\{"role":"assistant","content":/);
  });

  it("keeps a member that is called __proto__ as data", () => {
    const odd = JSON.parse('{"role":"user","content":[{"type":"text","text":"a","__proto__":{"x":1}}],"__proto__":{"y":1}}');
    const composed = compose("user", read(copyValue(odd) as ObjectValue).units);
    expect(Object.keys(composed)).toContain("__proto__");
    expect(JSON.stringify(composed)).toBe(JSON.stringify(odd));
  });
});

describe("cache marks", () => {
  const mark = { type: "ephemeral" };
  const marks = (content: unknown): unknown => read(message("user", content)).marks;

  it("takes marks out of blocks and reports them by unit", () => {
    const reading = read(
      message(
        "user",
        [
          { type: "text", text: "a" },
          { type: "text", text: "b", cache_control: mark },
        ],
        { id: 1 },
      ),
    );
    expect(reading.marks).toEqual([{ unit: 2, mark }]);
    expect(JSON.stringify(reading.units)).not.toContain("cache_control");
  });

  it("reports a mark inside a result on the result", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image", source: {}, cache_control: mark },
    ];
    const reading = read(message("user", [{ type: "tool_result", tool_use_id: "t", content }]));
    expect(reading.marks).toEqual([{ unit: 0, mark }]);
    expect(JSON.stringify(reading.units)).not.toContain("cache_control");
  });

  it("moves a mark on empty text to the block before it, else to the last block", () => {
    expect(
      marks([
        { type: "text", text: "a" },
        { type: "text", text: "", cache_control: mark },
        { type: "text", text: "b" },
      ]),
    ).toEqual([{ unit: 0, mark }]);
    expect(
      marks([
        { type: "text", text: "", cache_control: mark },
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    ).toEqual([{ unit: 1, mark }]);
    expect(marks([{ type: "text", text: "", cache_control: mark }])).toEqual([]);
  });

  it("knows no mark that is null", () => {
    expect(marks([{ type: "text", text: "a", cache_control: null }])).toEqual([]);
  });
});

describe("making messages and units", () => {
  it("composes content in block form, frozen", () => {
    const composed = compose("user", units("user", "hi"));
    expect(composed).toEqual({ role: "user", content: [{ type: "text", text: "hi" }] });
    expect(Object.isFrozen((composed.content as Value[])[0])).toBe(true);
    expect(say("system", "note")).toEqual({ role: "system", content: [{ type: "text", text: "note" }] });
  });

  it("makes results for calls, with the toolset of the call", () => {
    const [call] = units("assistant", [{ type: "tool_use", id: "t", name: "n", input: {}, toolset_name: "files" }]);
    const made = resultFor(call as Unit & { kind: "call" }, "cancelled");
    expect(made.block).toEqual({ type: "tool_result", tool_use_id: "t", content: "cancelled", toolset_name: "files" });
    expect(sameUnit(made, only(made.block))).toBe(true);
  });

  it("gives units other ids and other text", () => {
    const result = only({ type: "tool_result", tool_use_id: "t", content: "long", is_error: true }) as Unit & { kind: "result" };
    expect(withId(result, "u").block).toEqual({ type: "tool_result", tool_use_id: "u", content: "long", is_error: true });
    expect(JSON.stringify(withText(result, "short").block)).toBe(
      '{"type":"tool_result","tool_use_id":"t","content":"short","is_error":true}',
    );
    const bare = only({ type: "tool_result", tool_use_id: "t", is_error: true }) as Unit & { kind: "result" };
    expect(JSON.stringify(withText(bare, "(empty)").block)).toBe(
      '{"type":"tool_result","tool_use_id":"t","content":"(empty)","is_error":true}',
    );
    expect(withText(only({ type: "text", text: "a" }) as Unit & { kind: "text" }, "b")).toEqual(only({ type: "text", text: "b" }));
  });

  it("says units in words and never spells out media", () => {
    const data = "A".repeat(1000);
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    expect(textOf(only({ type: "tool_use", id: "t", name: "read", input: { path: "a" } }))).toBe('read({"path":"a"})');
    expect(textOf(only({ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "see" }, picture] }))).toBe("see\n[image]");
    expect(textOf(only({ type: "document", source: { type: "file", file_id: "f" }, title: "Plan" }))).toBe("[document: Plan]");
    expect(textOf(only({ type: "thinking", thinking: "hm", signature: "s" }))).toBe("hm");
    expect(textOf(only({ type: "server_tool_use", id: "s", name: "web_search", input: {} }))).toBe("[server_tool_use: web_search]");
  });
});

const json = fc.jsonValue({ maxDepth: 2 });
const mark = fc.option(fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }, null), { nil: undefined });
const textBlock = fc.record(
  { type: fc.constant("text"), text: fc.string(), citations: fc.constantFrom(null, [], [{ type: "x" }]), cache_control: mark, extra: json },
  { requiredKeys: ["type", "text"] },
);
const image = fc.record(
  { type: fc.constant("image"), source: fc.constant({ type: "url", url: "u" }), cache_control: mark },
  { requiredKeys: ["type", "source"] },
);
const block = fc.oneof(
  textBlock,
  image,
  fc.record({ type: fc.constant("thinking"), thinking: fc.string(), signature: fc.string() }, { requiredKeys: ["type", "thinking"] }),
  fc.record(
    {
      input: fc.dictionary(fc.string(), json),
      name: fc.string(),
      type: fc.constant("tool_use"),
      id: fc.string(),
      caller: fc.constantFrom(null, { type: "direct" }),
    },
    { requiredKeys: ["type", "id", "name"] },
  ),
  fc.record(
    {
      type: fc.constant("tool_result"),
      tool_use_id: fc.string(),
      content: fc.oneof(fc.string(), fc.array(fc.oneof(textBlock, image), { maxLength: 3 }), fc.constant(null)),
      is_error: fc.boolean(),
      cache_control: mark,
    },
    { requiredKeys: ["type", "tool_use_id"] },
  ),
  fc.record(
    { type: fc.constantFrom("web_search_tool_result", "fallback", "new_thing"), content: json, b: json, a: json },
    { requiredKeys: ["type"] },
  ),
);
const anyMessage = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "system"),
    content: fc.oneof(fc.string(), fc.array(block, { maxLength: 5 })),
    clear_at: fc.constantFrom(null, "never", "next_user_message"),
    other: json,
  },
  { requiredKeys: ["role", "content"] },
);

describe("read and compose", () => {
  it("are inverse on units, and a composed message is read as it was composed", () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const reading = read(copyValue(given) as ObjectValue);
        const composed = compose(reading.nativeRole, reading.units);
        const again = read(composed);
        expect(again.units).toEqual(reading.units);
        expect(JSON.stringify(compose(again.nativeRole, again.units))).toBe(JSON.stringify(composed));
      }),
      { numRuns: 500 },
    );
  });

  it("give the same bytes for any key order of a block's own members (rule 48)", () => {
    const shuffled = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
    fc.assert(
      fc.property(anyMessage, (given) => {
        const other = Array.isArray(given.content) ? { ...given, content: given.content.map(shuffled) } : given;
        const a = read(copyValue(given) as ObjectValue).units;
        const b = read(copyValue(shuffled(other)) as ObjectValue).units;
        expect(JSON.stringify(compose("user", b))).toBe(JSON.stringify(compose("user", a)));
      }),
    );
  });

  it("never lose a value: what is left out is blank text, a mark, or a member that says nothing", () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const copy = copyValue(given) as ObjectValue;
        const kept = read(copy)
          .units.filter((unit) => unit.kind === "other")
          .map((unit) => unit.block);
        const others = (Array.isArray(copy.content) ? copy.content : []).filter(
          (part) => !["text", "image", "thinking", "tool_use", "tool_result"].includes((part as ObjectValue).type as string),
        );
        expect(kept.every((part, index) => sameValue(part, others[index]))).toBe(true);
        expect(kept).toHaveLength(others.length);
      }),
    );
  });
});
