/** One thing that no host should hand over, made anew each time. `changes`: it reads as something else each time. */
export type BadValue = { readonly name: string; readonly make: () => unknown; readonly changes?: boolean };

const nestedLevels = 10_000;

/** What goes wrong in agents' data, and what an attacker or a confused program would try. */
export const badValues: readonly BadValue[] = [
  { name: "undefined", make: () => undefined },
  { name: "null", make: () => null },
  { name: "a boolean", make: () => true },
  { name: "a number", make: () => 7 },
  { name: "NaN", make: () => Number.NaN },
  { name: "a bigint", make: () => 10n },
  { name: "a symbol", make: () => Symbol("bad") },
  { name: "a function", make: () => () => "bad" },
  { name: "an empty string", make: () => "" },
  { name: "blanks", make: () => " \n\t" },
  { name: "a lone high surrogate", make: () => "cut \ud83d" },
  { name: "surrogates in the wrong order", make: () => "\ude00\ud83d".repeat(50) },
  { name: "control characters", make: () => "\u0000\u001b[31m\u2028\ufeff" },
  { name: "an empty array", make: () => [] },
  { name: "an empty object", make: () => ({}) },
  { name: "an array of nothing", make: () => [null, undefined] },
  { name: "nested arrays", make: () => [[[["deep"]]]] },
  { name: "a sparse array", make: () => sparse(20) },
  { name: "an array with a far element", make: () => sparse(5_000) },
  { name: "an array of the greatest length", make: () => sparse(2 ** 32 - 2) },
  { name: "an array with members", make: () => Object.assign(["a"], { type: "text", text: "member" }) },
  { name: "an object that holds itself", make: () => cycle() },
  { name: "an array that holds itself", make: () => cyclicArray() },
  { name: "objects that hold each other", make: () => ring() },
  { name: `objects ${nestedLevels} deep`, make: () => nested((inner) => ({ type: "text", content: inner })) },
  { name: `arrays ${nestedLevels} deep`, make: () => nested((inner) => [inner]) },
  { name: "513 levels", make: () => nested((inner) => ({ inner }), 513) },
  { name: "an own __proto__", make: () => JSON.parse('{"__proto__":{"polluted":true},"type":"text","text":"own"}') },
  { name: "an own constructor", make: () => JSON.parse('{"constructor":{"prototype":{"polluted":true}},"type":"text","text":"own"}') },
  {
    name: "members called like methods",
    make: () => ({ type: "text", text: "own", hasOwnProperty: 1, toString: 2, valueOf: 3, length: 4 }),
  },
  { name: "a toJSON member that is no function", make: () => ({ type: "text", text: "own", toJSON: "no" }) },
  { name: "a toJSON that throws", make: () => ({ toJSON: () => fail("toJSON") }) },
  { name: "a toJSON that gives itself", make: () => selfToJson() },
  { name: "a toJSON that gives a bigint", make: () => ({ toJSON: () => 1n }) },
  { name: "an object without a prototype", make: () => Object.assign(Object.create(null), { type: "text", text: "bare" }) },
  { name: "an instance", make: () => new Block("instance") },
  { name: "inherited members", make: () => Object.create({ type: "text", text: "inherited" }) },
  { name: "a getter", make: () => withGetter("text", () => "got") },
  { name: "a getter that throws", make: () => withGetter("text", () => fail("getter")) },
  { name: "a type that throws", make: () => withGetter("type", () => fail("type")) },
  { name: "a getter that gives something else each time", make: () => fickle(), changes: true },
  { name: "an index that throws", make: () => Object.defineProperty(["a"], 0, { get: () => fail("index"), enumerable: true }) },
  { name: "a proxy", make: () => new Proxy({ type: "text", text: "proxied" }, {}) },
  { name: "a proxy of an array", make: () => new Proxy([{ type: "text", text: "proxied" }], {}) },
  { name: "a proxy that throws", make: () => new Proxy({}, hostileHandler()) },
  {
    name: "a proxy that lists keys which are not there",
    make: () => new Proxy({}, { ownKeys: () => ["type", "text"], getOwnPropertyDescriptor: () => undefined }),
  },
  { name: "a proxy without an end", make: () => endless() },
  { name: "a revoked proxy", make: () => revoked({}) },
  { name: "a revoked proxy of an array", make: () => revoked([]) },
  { name: "a Map", make: () => new Map([["type", "text"]]) },
  { name: "a Date", make: () => new Date(0) },
  { name: "an invalid Date", make: () => new Date(Number.NaN) },
  { name: "a URL", make: () => new URL("https://example.test/a?b=c") },
  // biome-ignore lint/suspicious/noThenProperty: it is the bad thing here
  { name: "a thenable", make: () => ({ then: () => fail("then") }) },
  { name: "bytes", make: () => new Uint8Array([1, 2, 3]) },
  { name: "a boxed string", make: () => new String("boxed") },
  { name: "5,000 elements", make: () => Array.from({ length: 5_000 }, (_, index) => index) },
  { name: "1,000 members", make: () => Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index])) },
  { name: "a long name", make: () => ({ [`k${"x".repeat(10_000)}`]: 1 }) },
];

class Block {
  readonly type = "text";
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function fail(where: string): never {
  throw new RangeError(`the host's own error, from ${where}`);
}

function sparse(length: number): unknown[] {
  const array: unknown[] = [];
  array[length] = "far";
  return array;
}

function cycle(): object {
  const value: Record<string, unknown> = { type: "text", text: "a" };
  value.self = value;
  return value;
}

function cyclicArray(): unknown[] {
  const value: unknown[] = ["a"];
  value.push(value);
  return value;
}

function ring(): object {
  const one: Record<string, unknown> = { type: "text" };
  one.next = { type: "text", back: [one] };
  return one;
}

function nested(wrap: (inner: unknown) => unknown, levels: number = nestedLevels): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function selfToJson(): object {
  const value = { type: "text", text: "self", toJSON: () => value };
  return value;
}

function withGetter(name: "type" | "text", get: () => unknown): object {
  return Object.defineProperty({ type: "text", text: "a" }, name, { get, enumerable: true, configurable: true });
}

function fickle(): object {
  let reads = 0;
  return withGetter("text", () => {
    reads += 1;
    return `read ${reads}`;
  });
}

function hostileHandler(): ProxyHandler<object> {
  return { get: () => fail("get"), has: () => fail("has"), ownKeys: () => fail("ownKeys"), getPrototypeOf: () => fail("getPrototypeOf") };
}

function endless(): object {
  const handler: ProxyHandler<object> = {
    get: (_, name) => (name === "toJSON" || typeof name === "symbol" ? undefined : endless()),
    ownKeys: () => ["a"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
  };
  return new Proxy({}, handler);
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
