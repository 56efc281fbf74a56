import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectValue } from "../json/value.ts";
import { capWords } from "./cap-words.ts";

const count = (text: string): number => Math.ceil(text.length / 4);
const cut = (text: string, tokensMax: number): string => text.slice(0, tokensMax * 4);

describe("words of a result that is more than text (rule 13)", () => {
  test("share the cap: those that need less than their share leave the rest to the others", () => {
    const block = { content: [{ text: "a".repeat(4_000) }, { text: "b".repeat(400) }, { text: "c".repeat(4_000) }] };
    const capped = capWords(block, 500, count, cut) as typeof block;
    expect(capped.content.map(({ text }) => count(text))).toEqual([200, 100, 200]);
  });

  test("are not links, bytes or what only the provider reads", () => {
    const long = "x".repeat(4_000);
    const block = {
      data: long,
      image_url: long,
      fileUri: long,
      encrypted_content: long,
      picture: `data:image/png;base64,${long}`,
      grid: long,
      stdout: long,
    };
    const capped = capWords(block, 128, count, cut);
    expect(Object.keys(block).filter((name) => (capped[name] as string).length < 4_000)).toEqual(["grid", "stdout"]);
  });

  test("stay together within the cap, and a block within it is the same object (property)", () => {
    const words = fc.string({ minLength: 64, maxLength: 2_000, unit: fc.constantFrom("a", "b", " ", "\n") });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), fc.integer({ min: 512, max: 2_000 }), (texts, cap) => {
        const block: ObjectValue = { content: texts.map((text) => ({ text })) };
        const total = texts.reduce((sum, text) => sum + count(text), 0);
        const capped = capWords(block, cap, count, cut);
        const left = (capped["content"] as readonly { readonly text: string }[]).reduce((sum, { text }) => sum + count(text), 0);
        expect(left).toBeLessThanOrEqual(Math.max(cap, 64 * texts.length));
        expect(capped === block).toBe(total <= cap);
      }),
    );
  });
});

test("what is within the cap is not gone through again, and short strings are names (rule 13)", () => {
  const asked: string[] = [];
  const noting = (text: string, tokensMax: number): string => {
    asked.push(text);
    return cut(text, tokensMax);
  };
  const [long, name] = ["x".repeat(64), "y".repeat(63)];
  const block = { content: [{ text: long, name }] };
  expect(capWords(block, 16, count, noting)).toBe(block);
  expect(asked).toEqual([]);
  const tiny = { content: [{ text: "x".repeat(400), name }, { text: long }] };
  const capped = capWords(tiny, 2, count, noting) as typeof tiny;
  expect(asked).toEqual(["x".repeat(400), long]);
  expect(capped.content).toEqual([{ text: "x".repeat(256), name }, { text: long }]);
  expect(Object.isFrozen(capped)).toBe(true);
});
