import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { type DialectName, dialects } from "./dialects.ts";
import { openaiChat } from "./wire.ts";

const object = { id: "c", type: "function", function: { name: "f", arguments: { a: 1 } } };
const string = { id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } };

/** What goes out for one reply with calls and no reasoning, and for one text of the user. */
const rows: readonly (readonly [
  DialectName,
  { readonly call: object; readonly parts: boolean; readonly emptyReasoning: boolean; readonly rules: string },
])[] = [
  ["openai", { call: string, parts: false, emptyReasoning: false, rules: "OC" }],
  ["deepseek", { call: string, parts: false, emptyReasoning: true, rules: "OC DS" }],
  ["openrouter", { call: string, parts: true, emptyReasoning: false, rules: "OC OX" }],
  ["mistral", { call: object, parts: false, emptyReasoning: false, rules: "MI" }],
  ["cerebras", { call: string, parts: false, emptyReasoning: false, rules: "OC CB" }],
  ["groq", { call: string, parts: false, emptyReasoning: false, rules: "OC GQ" }],
  ["kimi", { call: string, parts: false, emptyReasoning: false, rules: "OC" }],
  ["qwen", { call: string, parts: true, emptyReasoning: false, rules: "OC" }],
  ["xai", { call: string, parts: false, emptyReasoning: false, rules: "OC" }],
  ["vllm", { call: string, parts: false, emptyReasoning: false, rules: "OC VL" }],
  ["sglang", { call: string, parts: false, emptyReasoning: false, rules: "OC VL" }],
  ["llama-cpp", { call: string, parts: false, emptyReasoning: false, rules: "OC" }],
];

describe("a dialect", () => {
  it.each(rows)("is a row of data: %s", (dialect, { call, parts, emptyReasoning, rules }) => {
    const wire = openaiChat({ dialect });
    const composed = (given: object): ObjectValue => {
      const { nativeRole, units } = wire.read(copyValue(given) as ObjectValue);
      return wire.compose(nativeRole, units);
    };
    expect(composed({ role: "user", content: "Hi." }).content).toEqual(parts ? [{ type: "text", text: "Hi." }] : "Hi.");
    const reply = { role: "assistant", content: null, ...(emptyReasoning ? { reasoning_content: "" } : {}), tool_calls: [call] };
    expect(composed({ role: "assistant", content: "", tool_calls: [object] })).toEqual(reply);
    expect([...new Set(wire.rules.map(({ id }) => id.slice(0, 2)))].join(" ")).toBe(rules);
  });

  it("has a row for each name", () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(dialects));
  });

  it("never writes what its own rules refuse (rules 15, 53)", () => {
    const reply = {
      role: "assistant",
      content: "x",
      reasoning: "a",
      reasoning_content: "b",
      reasoning_details: [{ type: "reasoning.text", text: "c" }],
    };
    for (const [name] of rows) {
      const wire = openaiChat({ dialect: name });
      const { nativeRole, units } = wire.read(copyValue(reply) as ObjectValue);
      const request = {
        model: "m",
        messages: [{ role: "user", content: "Hi." }, wire.compose(nativeRole, units), { role: "user", content: "Go on." }],
      };
      const context = { profile: wire.profile("m"), betas: undefined, version: undefined };
      for (const rule of wire.rules) expect(rule.check(copyValue(request) as ObjectValue, context), `${name} ${rule.id}`).toBeUndefined();
    }
  });
});
