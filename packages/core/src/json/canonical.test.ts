import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, shuffled, sorted } from "../../test/json-values.ts";
import { canonicalText, digestBytes, digestText, digestValue } from "./canonical.ts";
import { compareValues } from "./compare.ts";
import { copyValue } from "./value.ts";

const digestOf = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

describe("canonical text", () => {
  it("is the JSON text of the value with its keys sorted", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = copyValue(value);
        expect(JSON.parse(canonicalText(copy))).toEqual(JSON.parse(JSON.stringify(copy)));
        expect(canonicalText(copy)).toBe(canonicalText(copyValue(sorted(copy))));
      }),
    );
  });

  it("is equal for two values exactly when they are the same whatever the order of their keys", () => {
    const choices = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyJson, anyJson, choices, (value, other, order) => {
        const copy = copyValue(value);
        expect(canonicalText(copyValue(shuffled(copy, order)))).toBe(canonicalText(copy));
        const same = compareValues(copy, copyValue(other)) !== "different";
        expect(canonicalText(copy) === canonicalText(copyValue(other))).toBe(same);
      }),
    );
  });

  it("names bytes by their digest and size, wherever they stand", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(canonicalText(copyValue({ b: [bytes], a: 1 }))).toBe(`{"a":1,"b":[{"bytes":"${digestOf(bytes)}","size":3}]}`);
    expect(canonicalText(copyValue(bytes))).toBe(canonicalText(copyValue(bytes.slice())));
    expect(canonicalText(copyValue([bytes]))).not.toBe(canonicalText(copyValue([bytes.slice(1)])));
  });
});

describe("digests", () => {
  it("are SHA-256 of the UTF-8 text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(digestText(text)).toBe(digestOf(text));
      }),
    );
    expect(digestBytes(new Uint8Array([0, 255]))).toBe(digestOf(new Uint8Array([0, 255])));
    expect(digestValue(copyValue({ b: 2, a: 1 }))).toBe(digestOf('{"a":1,"b":2}'));
  });

  it("tell lone surrogates apart", () => {
    expect(digestValue("\ud800")).not.toBe(digestValue("\udbff"));
  });
});
