import { expect, test } from "vitest";
import { inWords } from "./in-words.ts";

test("a value is said in words without asking it", () => {
  expect(inWords("read")).toBe("read");
  expect(inWords(7)).toBe("7");
  expect(inWords(undefined)).toBe("undefined");
  expect(inWords({ toString: 2, valueOf: 3 })).toBe('{"toString":2,"valueOf":3}');
  expect(inWords([Object.create(null)])).toBe("[{}]");
});
