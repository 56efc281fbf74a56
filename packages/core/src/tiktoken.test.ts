import { readFileSync } from "node:fs";
import { get_encoding } from "tiktoken";
import { expect, test } from "vitest";
import { tiktokenCounter } from "./tiktoken.ts";

const encoding = get_encoding("o200k_base");
const count = tiktokenCounter(encoding);

test("a short text is counted exactly, also one that spells a special token", () => {
  for (const text of ["Hello, world", "", "<|endoftext|>", "日本語😀"]) expect(count(text)).toBe(encoding.encode_ordinary(text).length);
});

test.each(["english", "code", "base64", "japanese", "emoji"])(
  "a text of several slices is counted a little high, never low: %s",
  (name) => {
    const text = readFileSync(new URL(`../test/texts/${name}.txt`, import.meta.url), "utf8").repeat(5);
    const ratio = count(text) / encoding.encode_ordinary(text).length;
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(1.005);
  },
);

test("what crashes or stalls the encoding by itself is counted", () => {
  expect(count("a".repeat(200_000))).toBeGreaterThan(20_000);
  expect(count(" ".repeat(200_000))).toBeGreaterThan(1_000);
});
