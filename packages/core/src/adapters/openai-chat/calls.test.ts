import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { sameUnit } from "../../wire/unit.ts";
import { type Call, readCalls, resultFor, withId } from "./calls.ts";
import { dialects } from "./dialects.ts";

const { openai, openrouter, mistral } = dialects;
const callOf = (call: unknown, dialect = openai): Call =>
  readCalls(copyValue({ tool_calls: [call] }) as ObjectValue, dialect)[0]?.unit as Call;

describe("a call", () => {
  it("keeps its argument string as received, and knows the value (rule 4)", () => {
    const raw = '{ "b": 1,\n "a": [2] }';
    const call = callOf({ function: { arguments: raw, name: "look" }, id: "c", type: "function" });
    expect(call).toMatchObject({ id: "c", name: "look", value: { a: [2], b: 1 } });
    expect(JSON.stringify(call.block)).toBe(JSON.stringify({ id: "c", type: "function", function: { name: "look", arguments: raw } }));
    expect(sameUnit(call, callOf({ id: "c", function: { name: "look", arguments: '{"a":[2],"b":1}' } }))).toBe(true);
    expect(sameUnit(call, callOf({ id: "c", function: { name: "look", arguments: '{"a":[2],"b":2}' } }))).toBe(false);
  });

  it("is known by its string when that is no JSON, or JSON that cannot be kept", () => {
    expect(callOf({ id: "c", function: { name: "f", arguments: '{"cut":' } }).value).toBe('{"cut":');
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    expect(callOf({ id: "c", function: { name: "f", arguments: deep } }).value).toBe(deep);
  });

  it("has its arguments as a string where the dialect takes no object", () => {
    const given = { id: "c", type: "function", function: { name: "f", arguments: { b: 1, a: 2 } } };
    expect(callOf(given).block).toEqual({ id: "c", type: "function", function: { name: "f", arguments: '{"b":1,"a":2}' } });
    expect(callOf(given, mistral).block).toEqual(given);
    expect(callOf(given, mistral).value).toEqual({ b: 1, a: 2 });
    expect(callOf({ id: "c", function: { name: "f" } }).block).toMatchObject({ function: { arguments: "{}" } });
  });

  it("loses the place in its list, which the list says, and gains the type that goes without saying", () => {
    expect(callOf({ index: 0, id: "c", function: { name: "f", arguments: "{}" } }).block).toEqual({
      id: "c",
      type: "function",
      function: { name: "f", arguments: "{}" },
    });
  });

  it("may have no id: admission gives one", () => {
    for (const id of [undefined, null, ""]) {
      const call = callOf({ id, function: { name: "f", arguments: "{}" } });
      expect(call.id).toBe("");
      expect(call.block).toEqual({ type: "function", function: { name: "f", arguments: "{}" } });
      expect(JSON.stringify(withId(call, "call_2").block)).toBe(
        '{"id":"call_2","type":"function","function":{"name":"f","arguments":"{}"}}',
      );
    }
  });

  it("may be a custom one, whose input is no JSON", () => {
    expect(callOf({ id: "c", custom: { input: "ls", name: "run" } })).toEqual({
      kind: "call",
      id: "c",
      name: "run",
      value: "ls",
      block: { id: "c", type: "custom", custom: { input: "ls", name: "run" } },
    });
  });

  it("carries what it does not know, sorted behind (rule 55)", () => {
    const call = callOf({
      zeta: 1,
      extra_content: { google: {} },
      id: "c",
      function: { extra: true, arguments: "{}", name: "f" },
      type: "function",
    });
    expect(Object.keys(call.block)).toEqual(["id", "type", "function", "extra_content", "zeta"]);
    expect(Object.keys(call.block.function as ObjectValue)).toEqual(["name", "arguments", "extra"]);
  });
});

describe("a result that is made up", () => {
  it("answers a call in the dialect's form", () => {
    const call = callOf({ id: "c", function: { name: "f", arguments: "{}" } });
    expect(resultFor(call, "cancelled", openai)).toEqual({
      kind: "result",
      id: "c",
      text: "cancelled",
      block: { role: "tool", content: "cancelled", tool_call_id: "c" },
    });
    expect(resultFor(call, "cancelled", openrouter).block.content).toEqual([{ type: "text", text: "cancelled" }]);
  });

  it("answers one of the older function calls under its name", () => {
    const call = readCalls(copyValue({ function_call: { name: "f", arguments: "{}" } }) as ObjectValue, openai)[0]?.unit as Call;
    expect(resultFor(call, "cancelled", openrouter).block).toEqual({ role: "function", content: "cancelled", name: "f" });
  });

  it("answers a call of which nothing is at hand but its id", () => {
    const call: Call = { kind: "call", id: "c", name: "f", value: null, block: {} };
    expect(resultFor(call, "unknown", openai).block).toEqual({ role: "tool", content: "unknown", tool_call_id: "c" });
  });
});

describe("another id", () => {
  it("is written where the call and the result bear theirs", () => {
    const call = callOf({ id: "c", function: { name: "f", arguments: "{}" } });
    const moved = withId(call, "d");
    expect(moved).toMatchObject({ id: "d", block: { id: "d" } });
    expect(withId(resultFor(call, "x", openai), "d")).toMatchObject({ id: "d", block: { tool_call_id: "d" } });
    expect(call.block.id).toBe("c");
  });

  it("leaves the older function calls in their shape", () => {
    const call = readCalls(copyValue({ function_call: { name: "f", arguments: "{}" } }) as ObjectValue, openai)[0]?.unit as Call;
    expect(withId(call, "call_2")).toMatchObject({ id: "call_2", block: { name: "f", arguments: "{}" } });
    expect(withId(resultFor(call, "x", openai), "call_2")).toMatchObject({
      id: "call_2",
      block: { role: "function", content: "x", name: "f" },
    });
  });
});
