import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, shuffled, sorted } from "../../test/json-values.ts";
import { keyOrders, withKeyOrders } from "./key-order.ts";
import { copyValue } from "./value.ts";

describe("key orders", () => {
  it("bring a value back to the letter that went through a store which sorts keys", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = copyValue(value);
        const stored = copyValue(sorted(copy));
        const orders = JSON.parse(JSON.stringify(keyOrders(copy) ?? null)) ?? undefined;
        expect(JSON.stringify(withKeyOrders(stored, orders))).toBe(JSON.stringify(copy));
      }),
    );
  });

  it("bring it back from any other order of keys too", () => {
    const choices = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyJson, choices, (value, order) => {
        const copy = copyValue(value);
        expect(JSON.stringify(withKeyOrders(copyValue(shuffled(copy, order)), keyOrders(copy)))).toBe(JSON.stringify(copy));
      }),
    );
  });

  it("are nothing for a value whose keys are sorted, and leave one sorted that they do not fit", () => {
    expect(keyOrders(copyValue({ a: 1, b: { c: [1, { d: 2 }] } }))).toBeUndefined();
    expect(JSON.stringify(withKeyOrders(copyValue({ b: 1, a: 2 }), undefined))).toBe('{"a":2,"b":1}');
    expect(JSON.stringify(withKeyOrders(copyValue({ c: 1, a: 2 }), [["b", "a"]]))).toBe('{"a":2,"c":1}');
    expect(JSON.stringify(withKeyOrders(copyValue({ b: 1, a: 2 }), []))).toBe('{"a":2,"b":1}');
  });
});
