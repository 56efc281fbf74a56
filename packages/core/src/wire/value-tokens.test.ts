import { expect, test } from "vitest";
import { estimateText } from "./tokens.ts";
import type { Unit } from "./unit.ts";
import { defaultCounting, estimateMessage, estimateUnit, estimateValue } from "./value-tokens.ts";

const picture = "iVBORw0KGgoAAAANSUhEUgAAAHgAAABoCAAAAAAf2WuV"; // 120 x 104 pixels
const words = "The kettle stands beside the window. ".repeat(40);

test("a value is about what its JSON is", () => {
  const tool = {
    name: "sow_bed",
    description: words,
    input_schema: { type: "object", properties: { bed: { type: "string" }, when: { enum: ["now", "tonight"] } } },
  };
  const ratio = estimateValue(tool) / estimateText(JSON.stringify(tool));
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.1);
});

test("a signature counts a token for three bytes, its reasoning in full (rule 30)", () => {
  const block = { type: "thinking", thinking: words, signature: "x".repeat(900) };
  const unit: Unit = { kind: "reasoning", block, bound: true, readable: words };
  expect(estimateUnit(unit)).toBeGreaterThanOrEqual(estimateText(words) + 300);
  expect(estimateUnit(unit)).toBeLessThanOrEqual(estimateText(words) + 301);
  expect(estimateUnit({ ...unit, bound: false })).toBe(estimateText(words));
  expect(estimateValue({ encrypted_content: "x".repeat(900) })).toBeLessThan(310);
});

test("a picture counts by its pixels wherever it stands", () => {
  const anthropic = { type: "image", source: { type: "base64", media_type: "image/png", data: picture + "A".repeat(40_000) } };
  const chat = { type: "image_url", image_url: { url: `data:image/png;base64,${picture}${"A".repeat(40_000)}` } };
  expect(estimateUnit({ kind: "media", block: anthropic })).toBe(20);
  expect(estimateUnit({ kind: "media", block: chat })).toBe(20);
  const result: Unit = {
    kind: "result",
    block: { tool_use_id: "c1", content: [{ type: "text", text: "Seen." }, anthropic] },
    id: "c1",
    text: undefined,
  };
  expect(estimateUnit(result)).toBeLessThan(35);
  expect(estimateValue({ role: "user", content: [anthropic] })).toBeLessThan(40);
});

test("a picture that is not at hand is taken for one of a megapixel", () => {
  const link = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
  expect(estimateUnit({ kind: "media", block: link })).toBe(37 * 37);
  expect(estimateUnit({ kind: "media", block: link }, { ...defaultCounting, images: { kind: "fixed", tokens: 258 } })).toBe(258);
});

test("low detail is asked of the formula", () => {
  const images = { kind: "tiles", side: 512, edgeMax: 2_048, shortSide: 768, base: 85, tile: 170 } as const;
  const block = { type: "image_url", image_url: { url: `data:image/png;base64,${picture}`, detail: "low" } };
  expect(estimateUnit({ kind: "media", block }, { ...defaultCounting, images })).toBe(85);
});

test("a document of plain text counts its words, another file its size", () => {
  const plain = { type: "document", source: { type: "text", media_type: "text/plain", data: words } };
  expect(estimateUnit({ kind: "media", block: plain })).toBe(estimateText(words));
  const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0x".repeat(50_000) } };
  expect(estimateUnit({ kind: "media", block: pdf })).toBe(8_000);
});

test("a message is its units and a little", () => {
  const text: Unit = { kind: "text", block: { type: "text", text: words }, text: words };
  const call: Unit = { kind: "call", block: {}, id: "c1", name: "look", value: { place: "north" } };
  const alone = estimateMessage([text]);
  expect(alone - estimateText(words)).toBeLessThan(6);
  expect(estimateMessage([text, call]) - alone).toBeLessThan(20);
});
