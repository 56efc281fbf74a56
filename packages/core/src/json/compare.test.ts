import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, buildObject, shuffled, sorted } from "../../test/json-values.ts";
import { type Comparison, compareValues, sameValue } from "./compare.ts";
import { copyValue, type Value } from "./value.ts";

/** The plain twin: both as JSON text, as they are and with their keys sorted. */
function compareAsText(a: unknown, b: unknown): Comparison {
  const [plainA, plainB] = [a, b].map((value) => JSON.parse(JSON.stringify(value) ?? "null")) as [unknown, unknown];
  if (JSON.stringify(plainA) === JSON.stringify(plainB)) return "same";
  return JSON.stringify(sorted(plainA)) === JSON.stringify(sorted(plainB)) ? "reordered" : "different";
}

/** A value and another one that is often the same, or nearly. */
const pairs = fc.oneof(
  fc.tuple(anyJson, anyJson),
  anyJson.map((value) => [value, structuredClone(value)] as const),
  fc
    .tuple(anyJson, fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 12 }))
    .map(([value, choices]) => [value, shuffled(value, choices)] as const),
  fc.tuple(anyJson, anyJson, fc.nat()).map(([value, other, at]) => [value, replacedAt(value, other, at)] as const),
);

/** The value with one of its parts, counted in walking order, replaced by another. */
function replacedAt(value: unknown, other: unknown, at: number): unknown {
  const count = { parts: 0 };
  const countParts = (part: unknown): void => {
    count.parts += 1;
    if (typeof part === "object" && part !== null) for (const member of Object.values(part)) countParts(member);
  };
  countParts(value);
  let left = at % count.parts;
  const walk = (part: unknown): unknown => {
    if (left-- === 0) return other;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return buildObject(Object.entries(part).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

const compare = (kept: unknown, given: unknown): Comparison => compareValues(copyValue(kept), given);

describe("comparing a kept value with what a host hands over", () => {
  it("says what comparing their JSON texts would say", () => {
    fc.assert(
      fc.property(pairs, ([kept, given]) => {
        expect(compare(kept, given)).toBe(compareAsText(kept, given));
      }),
      { numRuns: 2_000 },
    );
  });

  it("tells the same for two kept values, in either direction", () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(compareValues(copyValue(a), copyValue(b))).toBe(compareValues(copyValue(b), copyValue(a)));
      }),
    );
  });

  it("takes an undefined member for an absent one, wherever it stands", () => {
    expect(compare({ a: 1, b: 2 }, { x: undefined, a: 1, y: undefined, b: 2 })).toBe("same");
    expect(compare({ a: 1 }, { a: undefined })).toBe("different");
    expect(compare({}, { a: undefined })).toBe("same");
    expect(compare({ a: null }, { a: undefined })).toBe("different");
    expect(compare([null], [undefined])).toBe("same");
  });

  it("goes on where it was behind a comparison that began inside it: of what toJSON gives, or by a host's getter", () => {
    const inner = { inner: 1, b: 2 };
    expect(compare({ a: { x: inner }, b: 3 }, { a: { toJSON: () => ({ x: inner }) }, b: 2 })).toBe("different");
    expect(compare({ a: { x: inner }, b: 3 }, { a: { toJSON: () => ({ x: { ...inner } }) }, b: 3 })).toBe("same");
    const asksAgain = {
      a: 1,
      get b() {
        return compare(inner, { ...inner }) === "same" ? 2 : 0;
      },
    };
    expect(compare({ a: 1, b: 3 }, asksAgain)).toBe("different");
    expect(compare({ a: 1, b: 2 }, asksAgain)).toBe("same");
  });

  it("asks toJSON, and sees that an object with one is not what its members say", () => {
    const url = new URL("https://a.example/x");
    expect(compare({ url }, { url: "https://a.example/x" })).toBe("same");
    expect(compare({ url: "https://a.example/x" }, { url })).toBe("same");
    expect(compare({ a: 1 }, { a: 2, toJSON: () => ({ a: 1 }) })).toBe("same");
    expect(compare({ a: 1, toJSON: "data" }, { a: 1, toJSON: "data" })).toBe("same");
    expect(compare({ a: 1 }, { a: 1, toJSON: () => ({ a: 2 }) })).toBe("different");
    expect(compare([1], { toJSON: () => [1] })).toBe("same");
    expect(compare([1], Object.assign([1], { toJSON: () => [2] }))).toBe("different");
  });

  it("compares bytes by content", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(compare({ bytes }, { bytes: new Uint8Array([1, 2, 3]) })).toBe("same");
    expect(compare({ bytes }, { bytes: new Uint8Array([1, 2, 4]) })).toBe("different");
    expect(compare({ bytes }, { bytes: [1, 2, 3] })).toBe("different");
    expect(compare([1, 2, 3], bytes)).toBe("different");
    expect(compare({}, new Uint8Array())).toBe("different");
    expect(compare({ bytes: { 0: 1 } }, { bytes: new Uint8Array([1]) })).toBe("different");
  });

  it("compares instances of classes and objects without prototype by their own members", () => {
    class Message {
      role = "user";
      content = "hi";
    }
    expect(compare({ role: "user", content: "hi" }, new Message())).toBe("same");
    expect(compare({ role: "user" }, Object.assign(Object.create(null), { role: "user" }))).toBe("same");
    expect(compare({ role: "user" }, Object.create({ role: "user" }))).toBe("different");
  });

  it("is not led astray by what cannot be kept", () => {
    for (const given of [Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol("s"), 1n]) {
      expect(compare(null, given)).toBe("different");
      expect(compare({ a: "x" }, { a: given })).toBe("different");
      expect(compare({}, { a: given })).toBe("different");
    }
    expect(compare({}, new Map())).toBe("different");
    expect(compare({}, new Set())).toBe("different");
  });

  it("comes to an end on a value that holds itself", () => {
    const self: Record<string, unknown> = { a: 1 };
    self["self"] = self;
    expect(compare({ a: 1, self: { a: 1, self: { a: 1 } } }, self)).toBe("different");
  });

  it("compares objects of thousands of members", () => {
    const members = Array.from({ length: 3_000 }, (_, index) => [`member ${index}`, index] as const);
    const wide = Object.fromEntries(members);
    expect(compare({ wide, last: 1 }, { wide: { ...wide }, last: 1 })).toBe("same");
    expect(compare({ wide, last: 1 }, { wide: Object.fromEntries(members.toReversed()), last: 1 })).toBe("reordered");
    expect(compare({ wide, last: 1 }, { wide: { ...wide, "member 2999": 0 }, last: 1 })).toBe("different");
  });

  it("is not confused by a getter that compares something else meanwhile", () => {
    const given = {
      get a() {
        return compare({ x: 1, y: { z: 2 } }, { x: 1, y: { z: 2 } }) === "same" ? 1 : 0;
      },
      b: { c: 2 },
      d: 3,
    };
    expect(compare({ a: 1, b: { c: 2 }, d: 3 }, given)).not.toBe("different");
    expect(compare({ a: 1, b: { c: 2 }, d: 4 }, given)).toBe("different");
    expect(compare({ a: 1, b: { c: 2 } }, given)).toBe("different");
  });

  it("is not changed by an enumerable member of Object.prototype", () => {
    Object.defineProperty(Object.prototype, "polluted", { value: 1, enumerable: true, configurable: true, writable: true });
    try {
      expect(compare({ a: 1 }, { a: 1 })).toBe("same");
      expect(compare({ a: 1 }, { a: 1, polluted: 1 })).toBe("different");
      expect(compare({ a: 1, polluted: 1 }, { a: 1 })).toBe("different");
    } finally {
      Reflect.deleteProperty(Object.prototype, "polluted");
    }
  });
});

describe("sameValue", () => {
  it("passes over key order, and takes nothing kept for nothing given", () => {
    expect(sameValue(copyValue({ a: 1, b: [2] }), { b: [2], a: 1 })).toBe(true);
    expect(sameValue(copyValue({ a: 1 }), { a: 2 })).toBe(false);
    expect(sameValue(undefined, undefined)).toBe(true);
    expect(sameValue(undefined, null)).toBe(false);
    expect(sameValue(null as Value, undefined)).toBe(false);
  });
});
