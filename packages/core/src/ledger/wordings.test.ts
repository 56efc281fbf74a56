import { expect, test } from "vitest";
import { fill } from "./wordings.ts";

test("a wording is filled once: what the values hold is not looked at again, and a name without a value stays", () => {
  expect(fill("{a} of {b}, {a}", { a: "{b}", b: 2 })).toBe("{b} of 2, {b}");
  expect(fill("{c} {} {a b} {toString}", { a: 1 })).toBe("{c} {} {a b} {toString}");
  expect(fill("{long_name1}", { long_name1: "$&" })).toBe("$&");
});
