import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "../../test/json-values.ts";
import { checksumValue } from "./checksum.ts";
import { copyValue } from "./value.ts";

describe("a checksum of a value", () => {
  it("is equal for two values exactly when their JSON texts are", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const [one, other] = [copyValue(a), copyValue(b)];
        expect(checksumValue(one)).toBe(checksumValue(copyValue(JSON.parse(JSON.stringify(one)))));
        if (JSON.stringify(one) !== JSON.stringify(other)) expect(checksumValue(one)).not.toBe(checksumValue(other));
      }),
    );
  });

  it("tells apart what differs only in structure, in type or in the order of keys", () => {
    const values = [
      ["a", "b"],
      ["ab"],
      [["a"], "b"],
      ["a", ["b"]],
      { a: "b" },
      ["1"],
      [1],
      [null],
      ["null"],
      [[]],
      [{}],
      [""],
      { a: 12 },
      { a1: 2 },
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      [new Uint8Array([1])],
    ];
    expect(new Set(values.map((value) => checksumValue(copyValue(value)))).size).toBe(values.length);
  });
});
