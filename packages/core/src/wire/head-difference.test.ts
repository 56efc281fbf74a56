import { expect, test } from "vitest";
import { tinyWire } from "../../test/tiny-wire.ts";
import { pathText } from "../json/path.ts";
import { copyValue } from "../json/value.ts";
import type { Head } from "./head.ts";
import { headDifference } from "./head-difference.ts";

const wire = tinyWire({ merging: true });

const base: Head = { model: "m", system: [{ type: "text", text: "Be brief." }], tools: [], params: { effort: "high" } };
const tool = (name: string, description = `Does ${name}.`, properties: object = { a: {}, b: {} }) => ({
  name,
  description,
  schema: { properties },
});
const withTools = (...tools: object[]): Head => ({ ...base, tools: tools.map((each) => copyValue(each)) as Head["tools"] });

function compared(previous: Head, next: Head, strength: "bytes" | "provider" = "provider"): string[] {
  return headDifference(wire, previous, next, { strength }).map(
    ({ field, difference: { path, class: kind, at } }) => `${field}: ${kind} ${pathText(path)}${at === undefined ? "" : ` ${at}`}`,
  );
}

test("a head that is repeated has no difference", () => {
  expect(compared(base, { ...base })).toEqual([]);
  expect(compared(base, { ...base }, "bytes")).toEqual([]);
});

test("every field that differs is named, model first", () => {
  const next = { model: "n", system: [{ type: "text", text: "Be brief!" }], tools: [{ name: "x" }], params: { effort: "low" } };
  expect(compared(base, next)).toEqual([
    "model: parameter $.model",
    "system: edit $.system[0].text",
    "tools: insertion $.tools[0]",
    "params: parameter $.effort",
  ]);
});

test("the order of the same tools and of their keys is no difference to the provider", () => {
  const previous = withTools(tool("x"), tool("y"));
  const next = withTools(tool("y"), tool("x", "Does x.", { b: {}, a: {} }));
  expect(compared(previous, next)).toEqual([]);
  expect(compared(previous, next, "bytes")).toEqual(["tools: order $.tools[0]"]);
  expect(compared(previous, withTools(tool("x"), tool("y", "Does y.", { b: {}, a: {} })), "bytes")).toEqual([
    "tools: order $.tools[1].schema.properties",
  ]);
});

test("a tool that came, went or changed is found among tools in another order", () => {
  const previous = withTools(tool("x"), tool("y"));
  expect(compared(previous, withTools(tool("y"), tool("x"), tool("z")))).toEqual(["tools: insertion $.tools[2]"]);
  expect(compared(previous, withTools(tool("y")))).toEqual(["tools: removal $.tools[0]"]);
  expect(compared(previous, withTools(tool("y", "Does more."), tool("x")))).toEqual(["tools: edit $.tools[1].description"]);
  expect(compared(previous, withTools(tool("new"), tool("x"), tool("y", "Does more.")))).toEqual(["tools: insertion $.tools[0]"]);
});

test("tools of one name are told by their places", () => {
  expect(compared(withTools(tool("x"), tool("x", "Other.")), withTools(tool("x", "Other."), tool("x")))).toEqual([
    "tools: order $.tools[0]",
  ]);
});

test("a head made of leading messages is named by their places", () => {
  const rules = { role: "system", content: "Be brief." };
  const previous: Head = { ...base, system: [rules] };
  expect(compared(previous, { ...base, system: [{ role: "system", content: "Be long." }] })).toEqual([
    "system: edit $.messages[0].content 0",
  ]);
  expect(compared(previous, { ...base, system: [rules, rules] })).toEqual(["system: insertion $.messages[1] 1"]);
  expect(compared(previous, { ...base, system: [] })).toEqual(["system: removal $.messages[0] 0"]);
  expect(compared(previous, { ...base, system: [{ role: "system", content: [{ type: "text", text: "Be brief." }] }] })).toEqual([]);
});

test("a parameter that came or went is named by itself", () => {
  expect(compared(base, { ...base, params: {} })).toEqual(["params: parameter $.effort"]);
  expect(compared(base, { ...base, params: { budget: { tokens: 1 }, effort: "high" } })).toEqual(["params: parameter $.budget"]);
  expect(compared({ ...base, params: { budget: { tokens: 1 } } }, { ...base, params: { budget: { tokens: 2 } } })).toEqual([
    "params: parameter $.budget.tokens",
  ]);
});
