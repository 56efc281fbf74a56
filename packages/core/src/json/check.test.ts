import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anything,
  callable,
  count,
  expecting,
  flag,
  kindsOf,
  listOf,
  misfitIn,
  objectOf,
  oneOf,
  optional,
  text,
  wholeFrom,
} from "./check.ts";

const point = objectOf({ x: count, y: count, name: optional(text) });

describe("a shape", () => {
  test.each([
    ["a string", text, "a", 1],
    ["true or false", flag, false, 0],
    ["a function", callable, () => 1, {}],
    ["a whole number of at least 0", count, 0, -1],
    ["a whole number of at least -1", wholeFrom(-1), -1, 0.5],
    ['one of "a", 1', oneOf("a", 1), 1, "1"],
    ["an even number", expecting("an even number", (value) => Number(value) % 2 === 0), 2, 3],
    ["an object", objectOf({}), {}, []],
    ["an array", listOf(text), ["a"], { 0: "a", length: 1 }],
  ])("says what it expected: %s", (what, shape, right, wrong) => {
    expect(shape(right)).toBeUndefined();
    expect(shape(wrong)).toEqual({ path: [], problem: `expected ${what}` });
    expect(shape(undefined)).toEqual({ path: [], problem: `expected ${what}` });
    expect(optional(shape)(undefined)).toBeUndefined();
  });

  test("names the place inside, outermost first, and only the first one", () => {
    const shape = objectOf({ lines: listOf(point), open: flag });
    expect(shape({ lines: [{ x: 0, y: 0 }], open: true })).toBeUndefined();
    expect(
      shape({
        lines: [
          { x: 0, y: 0 },
          { x: 0, y: "0", name: 1 },
        ],
        open: 1,
      }),
    ).toEqual({
      path: ["lines", 1, "y"],
      problem: "expected a whole number of at least 0",
    });
  });

  test("passes over members that it does not name, unless it says what is wrong with them", () => {
    expect(point({ x: 0, y: 0, z: 0 })).toBeUndefined();
    expect(objectOf({ x: count }, "there is no such axis")({ z: 0, x: "" })).toEqual({ path: ["z"], problem: "there is no such axis" });
  });

  test("tells kinds by their tag", () => {
    const shape = kindsOf("kind", { none: anything, some: objectOf({ count }) });
    expect(shape({ kind: "none" })).toBeUndefined();
    expect(shape({ kind: "some", count: 1 })).toBeUndefined();
    expect(shape({ kind: "some" })?.path).toEqual(["count"]);
    for (const kind of [undefined, "other", "toString", "__proto__"]) expect(shape({ kind })?.path).toEqual(["kind"]);
  });

  test("makes a misfit of what a value throws that does not want to be looked at", () => {
    const hostile = {
      x: 0,
      get y(): number {
        throw new RangeError("mine");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(misfitIn([hostile], listOf(point))).toEqual({ path: [0, "y"], problem: "cannot be read" });
    expect(misfitIn(proxy, point)).toEqual({ path: [], problem: "cannot be read" });
    expect(misfitIn({ x: proxy }, objectOf({ x: text }))).toEqual({ path: ["x"], problem: "expected a string" });
  });

  test("takes any value without throwing, and reads nothing that a plain object inherits", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        (value) => void [point, listOf(point), kindsOf("kind", { a: point })].map((shape) => misfitIn(value, shape)),
      ),
    );
    expect(objectOf({}, "stray")(JSON.parse('{"__proto__":1}'))).toEqual({ path: ["__proto__"], problem: "stray" });
  });
});
