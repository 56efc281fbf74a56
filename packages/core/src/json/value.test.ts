import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../test/growth.ts";
import { anyJson, buildObject } from "../../test/json-values.ts";
import { copyValue, freezeValue, levelsMax, setMember, type Value, ValueError } from "./value.ts";

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

function errorOf(act: () => unknown): ValueError {
  try {
    act();
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("a private copy", () => {
  it("is what JSON would make of the original, to the order of its keys, and deeply frozen", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = copyValue(value);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value) ?? "null");
        expect(isDeepFrozen(copy)).toBe(true);
      }),
    );
  });

  it("does not see what the host does to its objects later", () => {
    const given = { role: "user", content: [{ type: "text", text: "a", tags: ["x"] }] };
    const copy = copyValue(given);
    given.content[0]?.tags.push("y");
    given.role = "assistant";
    expect(copy).toEqual({ role: "user", content: [{ type: "text", text: "a", tags: ["x"] }] });
  });

  it("leaves members out that are undefined or named by symbols, and reads holes as null", () => {
    const list: unknown[] = [undefined];
    list[2] = 3;
    const given = { a: undefined, b: 1, [Symbol("c")]: 2, list };
    const copy = copyValue(given) as object;
    expect(Object.getOwnPropertySymbols(copy)).toEqual([]);
    expect(JSON.stringify(copy)).toBe('{"b":1,"list":[null,null,3]}');
  });

  it("keeps own members called __proto__ or constructor as data", () => {
    const given = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2},"a":{"__proto__":null}}');
    const copy = copyValue(given) as Record<string, unknown>;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(["__proto__", "constructor", "a"]);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(given));
    expect((copy as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("asks toJSON once, also of what stands inside, and takes a URL as its string", () => {
    const twice = { toJSON: () => ({ a: 1, toJSON: "data" }) };
    expect(copyValue(new URL("https://a.example/x"))).toBe("https://a.example/x");
    expect(copyValue([new Date(0), twice])).toEqual(["1970-01-01T00:00:00.000Z", { a: 1, toJSON: "data" }]);
    expect(copyValue({ toJSON: () => undefined })).toBeNull();
  });

  it("copies bytes", () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const copy = copyValue({ bytes }) as { bytes: Uint8Array };
    bytes[0] = 9;
    expect([...copy.bytes]).toEqual([1, 2, 3]);
  });

  it("copies the bytes of a Buffer, whose own slices go on sharing them", () => {
    const bytes = Buffer.from([1, 2, 3]);
    const copy = copyValue({ bytes }) as { bytes: Uint8Array };
    bytes[0] = 9;
    expect([...copy.bytes]).toEqual([1, 2, 3]);
  });

  it("refuses what has no JSON form and names the place", () => {
    for (const [value, words] of [
      [1n, "bigint"],
      [() => 1, "function"],
      [Symbol("s"), "symbol"],
      [Number.NaN, "NaN"],
      [Number.POSITIVE_INFINITY, "Infinity"],
    ] as const) {
      const error = errorOf(() => copyValue({ content: [{ "odd name": value }] }, ["messages", 2]));
      expect(error.code).toBe("value-type");
      expect(error.path).toBe('$.messages[2].content[0]["odd name"]');
      expect(error.message).toContain(words);
    }
  });

  it("refuses a value that holds itself, at once also where it does so many times", () => {
    const self: Record<string, unknown> = {};
    Object.assign(self, { a: self, b: self, c: [self, self] });
    expect(errorOf(() => copyValue({ x: self })).code).toBe("value-cycle");
    const list: unknown[] = [];
    list.push(list);
    expect(errorOf(() => copyValue(list)).code).toBe("value-cycle");
  });

  it(`takes ${levelsMax} levels of nesting and refuses one more, or ten thousand`, () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(JSON.stringify(copyValue(nested(levelsMax)))).toBe("[".repeat(levelsMax) + "]".repeat(levelsMax));
    expect(errorOf(() => copyValue(nested(levelsMax + 1))).code).toBe("value-depth");
    expect(errorOf(() => copyValue(nested(10_000))).code).toBe("value-depth");
  });

  it("refuses a cycle behind many elements without walking round it", async () => {
    await expectProportion((size) => {
      const list: unknown[] = Array.from({ length: size }, (_, index) => ({ index }));
      list.push(list);
      return processorTime(() => expect(errorOf(() => copyValue(list)).code).toBe("value-cycle"));
    }, 5_000);
  });

  it("refuses an array whose length is far beyond what it holds, and fills a few holes with null", () => {
    const endless: unknown[] = [];
    endless.length = 2 ** 32 - 1;
    expect(errorOf(() => copyValue({ list: [1, endless] }))).toMatchObject({ code: "value-type", path: "$.list[1]" });
    const holed: unknown[] = [];
    holed[2] = "far";
    expect(copyValue(holed)).toEqual([null, null, "far"]);
  });

  it("names the place where a host's object throws, and keeps its error as the cause", () => {
    const own = new RangeError("the host's own");
    const getter = Object.defineProperty({}, "text", {
      enumerable: true,
      get: () => {
        throw own;
      },
    });
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(errorOf(() => copyValue([{ block: getter }], ["messages"]))).toMatchObject({
      code: "value-unreadable",
      path: "$.messages[0].block",
      cause: own,
    });
    expect(errorOf(() => copyValue({ list: proxy }))).toMatchObject({ code: "value-unreadable", path: "$.list" });
  });

  it("takes the same object twice where that is no cycle", () => {
    const shared = { a: 1 };
    expect(copyValue([shared, { shared }])).toEqual([{ a: 1 }, { shared: { a: 1 } }]);
  });
});

describe("setting and freezing", () => {
  it("sets a member called __proto__ as data", () => {
    const target: Record<string, Value> = {};
    setMember(target, "__proto__", 1);
    setMember(target, "a", 2);
    expect(JSON.stringify(target)).toBe('{"__proto__":1,"a":2}');
  });

  it("freezes a value that was put together from frozen parts", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const whole = freezeValue(buildObject([["part", copyValue(value)]]) as Value);
        expect(isDeepFrozen(whole)).toBe(true);
      }),
    );
  });
});
