import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tinyWire } from "../../test/tiny-wire.ts";
import { pathText } from "../json/path.ts";
import { copyValue, type ObjectValue } from "../json/value.ts";
import { findMessagesDifference, messagesDifference } from "./messages-difference.ts";

const merging = tinyWire({ merging: true });
const separate = tinyWire({ merging: false });

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const think = (words: string) => ({ type: "think", text: words, seal: "s" });
const call = (id: string, input: unknown = { a: 1, b: 2 }) => ({ type: "call", id, name: "look", input });
const result = (id: string, content: unknown) => ({ type: "result", id, content });
const image = (data: string) => ({ type: "image", source: { media_type: "image/png", data } });

function compared(previous: readonly unknown[], next: readonly unknown[], strength: "bytes" | "provider", wire = merging) {
  const [a, b] = [previous, next].map((list) => copyValue(list) as readonly ObjectValue[]) as [ObjectValue[], ObjectValue[]];
  const difference = messagesDifference(wire, a, b, { strength });
  return difference === undefined ? "same" : `${difference.class} ${pathText(difference.path)} ${difference.at}`;
}
const bytes = (previous: readonly unknown[], next: readonly unknown[]) => compared(previous, next, "bytes");
const provider = (previous: readonly unknown[], next: readonly unknown[], wire = merging) => compared(previous, next, "provider", wire);

const opening = [user("one"), assistant([think("hm"), call("c1")]), user([result("c1", "found")])];

describe("what is no difference", () => {
  test("a history that goes on repeats all of it", () => {
    const next = [...opening, assistant("two"), user("three")];
    expect([bytes(opening, next), provider(opening, next)]).toEqual(["same", "same"]);
  });

  test("the provider does not read cache marks, a local cache does", () => {
    const previous = [user([text("one", { mark: { type: "short" } })])];
    const next = [user([text("one")]), assistant("two"), user([text("three", { mark: { type: "short" } })])];
    expect(bytes(previous, next)).toBe("mark $.messages[0].content[0].mark 0");
    expect(provider(previous, next)).toBe("same");
  });

  test("a mark that lives longer is still a mark", () => {
    const previous = [user([text("one", { mark: { type: "short" } })])];
    const next = [user([text("one", { mark: { type: "short", for: "1h" } })])];
    expect(bytes(previous, next)).toBe("mark $.messages[0].content[0].mark.for 0");
    expect(provider(previous, next)).toBe("same");
  });

  test("a string is one text block, either way, marked or not", () => {
    expect(bytes([user("one")], [user([text("one")])])).toBe("shape $.messages[0].content 0");
    expect(bytes([user([text("one", { mark: { type: "short" } })])], [user("one")])).toBe("shape $.messages[0].content 0");
    expect(provider([user([text("one", { mark: { type: "short" } })])], [user("one")])).toBe("same");
  });

  test("key order, and arguments as a string by what they hold", () => {
    const sorted = [user("one"), assistant([call("c1", { b: 2, a: 1 })])];
    const given = [user("one"), assistant([call("c1", { a: 1, b: 2 })])];
    expect(bytes(given, sorted)).toBe("order $.messages[1].content[0].input 1");
    expect(provider(given, sorted)).toBe("same");
    const texts = [user("one"), assistant([call("c1", '{"a":1,"b":2}')])];
    expect(bytes(texts, [user("one"), assistant([call("c1", '{"b":2,"a":1}')])])).toBe("order $.messages[1].content[0].input 1");
    expect(bytes(texts, [user("one"), assistant([call("c1", '{ "a": 1, "b": 2 }')])])).toBe("shape $.messages[1].content[0].input 1");
    expect(provider(texts, [user("one"), assistant([call("c1", '{"b":2,"a":1}')])])).toBe("same");
  });

  test("results of one batch in another order, in one message or in several", () => {
    const one = [user([result("c1", "x"), result("c2", "y"), text("and?")])];
    const other = [user([result("c2", "y"), result("c1", "x"), text("and?")])];
    expect(bytes(one, other)).toBe("order $.messages[0].content[0] 0");
    expect(provider(one, other)).toBe("same");
    const apart = [user([result("c1", "x")]), user([result("c2", "y")]), assistant("ok")];
    const turned = [user([result("c2", "y")]), user([result("c1", "x")]), assistant("ok")];
    expect(compared(apart, turned, "bytes", separate)).toBe("order $.messages[0] 0");
    expect(provider(apart, turned, separate)).toBe("same");
  });

  test("messages cut otherwise, only where the provider merges turns", () => {
    const apart = [user("one"), user("two"), assistant("three")];
    const joined = [user([text("one"), text("two")]), assistant("three")];
    expect(provider(apart, joined)).toBe("same");
    expect(provider(joined, apart)).toBe("same");
    expect(provider(apart, joined, separate)).toBe("insertion $.messages[0].content[1] 0");
  });

  test("a last turn that grows by blocks, only where the provider merges turns", () => {
    const grown = [user([text("one"), text("two")]), assistant("three")];
    expect(provider([user("one")], grown)).toBe("same");
    expect(provider([user("one")], grown, separate)).toBe("insertion $.messages[0].content[1] 0");
    expect(provider([user("one"), assistant("x")], [user([text("one"), text("two")]), assistant("x")])).toBe(
      "insertion $.messages[0].content[1] 0",
    );
  });

  test("only what is asked for is compared", () => {
    const previous = copyValue([user("one"), assistant("two"), user("three")]) as readonly ObjectValue[];
    const next = previous.slice(0, 1);
    expect(messagesDifference(merging, previous, next, { strength: "bytes", to: 1 })).toBeUndefined();
    expect(messagesDifference(merging, previous, next, { strength: "bytes", offset: 2 })).toEqual({
      path: ["messages", 3],
      class: "removal",
      at: 3,
    });
  });
});

describe("what is a difference", () => {
  test("an edit is named by its leaf", () => {
    expect(provider([user("one")], [user("two")])).toBe("edit $.messages[0].content 0");
    expect(provider(opening, opening.with(1, assistant([think("hmm"), call("c1")])))).toBe("edit $.messages[1].content[0].text 1");
    expect(provider(opening, opening.with(1, assistant([think("hm"), call("c1", { b: 2, a: 3 })])))).toBe(
      "edit $.messages[1].content[1].input.a 1",
    );
  });

  test("an edit behind what is no difference is found all the same", () => {
    const previous = [user([text("one", { mark: { type: "short" } })]), assistant([think("hm"), text("two", { mark: { type: "short" } })])];
    const next = [user("one"), assistant([text("two")])];
    expect(bytes(previous, next)).toBe("shape $.messages[0].content 0");
    expect(provider(previous, next)).toBe("removal $.messages[1].content[0] 1");
  });

  test("an edit of a result that also moved is named where it stood", () => {
    const next = [user([result("c2", "z"), result("c1", "x")])];
    expect(provider([user([result("c1", "x"), result("c2", "y")])], next)).toBe("edit $.messages[0].content[1].content 0");
    const apart = [user([result("c1", "x")]), user([result("c2", "y")])];
    expect(provider(apart, [user([result("c2", "z")]), user([result("c1", "x")])], separate)).toBe(
      "edit $.messages[1].content[0].content 1",
    );
  });

  test("of two results with one id the second is the second one's, and a message without results is no result's partner", () => {
    const twice = [user([result("c1", "x")]), user([result("c1", "y")])];
    expect(provider(twice, twice.with(1, user([result("c1", "z")])), separate)).toBe("edit $.messages[1].content[0].content 1");
    const next = [{ role: "user" }, user([result("c1", "x"), result("c1", "x")])];
    expect(provider([user([{}])], next, separate)).toBe("removal $.messages[0].content 0");
  });

  test("a block that was taken out or put in", () => {
    const reminded = [user([text("remember"), text("one")])];
    expect(provider(reminded, [user([text("one")]), assistant("two")])).toBe("removal $.messages[0].content[0] 0");
    expect(provider([user([text("one")]), assistant("two")], [...reminded, assistant("two")])).toBe("insertion $.messages[0].content[0] 0");
    expect(provider([user([text("remember"), text("one")])], [user("one")])).toBe("removal $.messages[0].content[0] 0");
  });

  test("merged blocks are an edit of the first", () => {
    const previous = [assistant([think("a"), call("c1"), think("b"), call("c2")])];
    const next = [assistant([think("a b"), call("c1"), call("c2")])];
    expect(provider(previous, next)).toBe("edit $.messages[0].content[0].text 0");
  });

  test("a message that was taken out, put in or moved", () => {
    const days = ["a", "b", "c", "d", "e"].map((day) => user(day));
    expect(provider(days, [...days.slice(2), user("f")], separate)).toBe("removal $.messages[0] 0");
    expect(provider(days, [user("new"), ...days], separate)).toBe("insertion $.messages[0] 0");
    expect(provider(days, days.slice(0, 3), separate)).toBe("removal $.messages[3] 3");
    expect(provider(days, days.toSpliced(2, 0, user("x")), separate)).toBe("insertion $.messages[2] 2");
    expect(provider(days, [days[0], days[2], days[1], days[3], days[4]], separate)).toBe("order $.messages[1] 1");
    expect(provider(days, days.with(1, user("e")), separate)).toBe("edit $.messages[1].content 1");
  });

  test("a picture that became a line, another picture, or part of a result", () => {
    expect(provider([user([text("see"), image("AA")])], [user([text("see"), text("[picture]")])])).toBe("media $.messages[0].content[1] 0");
    expect(provider([user([text("see"), image("AA")])], [user([text("see"), image("BB")])])).toBe(
      "media $.messages[0].content[1].source.data 0",
    );
    expect(provider([user([result("c1", [image("AA")])])], [user([result("c1", "[gone]")])])).toBe(
      "media $.messages[0].content[0].content 0",
    );
    expect(provider([user([text("see"), image("AA")])], [user([text("saw"), image("AA")])])).toBe("edit $.messages[0].content[0].text 0");
  });

  test("a field of a message", () => {
    const named = { ...user("one"), name: "Ada" };
    expect(provider([named], [user("one")])).toBe("removal $.messages[0].name 0");
    expect(provider([user("one")], [named])).toBe("insertion $.messages[0].name 0");
    expect(provider([user("one")], [assistant("one")])).toBe("edit $.messages[0].role 0");
  });

  test("a message that the wire cannot read is compared by its value", () => {
    expect(provider([user([1])], [user([1]), assistant("x")])).toBe("same");
    expect(provider([user([1])], [user([2])])).toBe("edit $.messages[0].content[0] 0");
  });
});

describe("whatever the messages hold", () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant("text"), text: fc.constantFrom("", "a", "b") }),
    fc.record({ type: fc.constant("result"), id: fc.constantFrom("c1", "c2"), content: fc.constantFrom("x", "y") }),
    fc.record({ type: fc.constant("image"), source: fc.record({ media_type: fc.constant("image/png"), data: fc.constantFrom("A", "B") }) }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const content = fc.oneof(fc.constantFrom("", "a", "b"), fc.array(block, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }));
  const message = fc.record({ role: fc.constantFrom("user", "assistant"), content }, { requiredKeys: ["role"] });
  const list = fc.array(message, { maxLength: 5 }).map((messages) => copyValue(messages) as readonly ObjectValue[]);

  test("bytes differ exactly where the JSON texts do", () => {
    fc.assert(
      fc.property(list, list, (previous, next) => {
        const texts = (messages: readonly ObjectValue[]) => messages.map((each) => JSON.stringify(each));
        const other = texts(previous).findIndex((text, index) => text !== texts(next)[index]);
        const found = findMessagesDifference(merging, previous, next, { strength: "bytes" });
        expect(found?.at).toBe(other < 0 ? undefined : other);
      }),
    );
  });

  test("what the provider reads is found only where the bytes differ or behind it, and its values stand at its path", () => {
    fc.assert(
      fc.property(list, list, fc.constantFrom(merging, separate), (previous, next, wire) => {
        const found = findMessagesDifference(wire, previous, next, { strength: "provider" });
        const read = findMessagesDifference(wire, previous, next, { strength: "bytes" });
        if (found === undefined) return;
        expect(found.at).toBeGreaterThanOrEqual(read?.at ?? Number.POSITIVE_INFINITY);
        const valueIn = (list: unknown) =>
          found.path.slice(1).reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)?.[step], list);
        // What was added has its place in the next list or, in a block that moved, is missing at the block's place in the previous one.
        if (found.previous !== undefined) expect(valueIn(previous)).toBe(found.previous);
        else if (valueIn(next) !== found.next) expect(valueIn(previous)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test("nothing differs from itself", () => {
    fc.assert(
      fc.property(list, fc.constantFrom(merging, separate), (messages, wire) => {
        const copy = copyValue(structuredClone(messages)) as readonly ObjectValue[];
        expect(messagesDifference(wire, messages, copy, { strength: "bytes" })).toBeUndefined();
        expect(messagesDifference(wire, messages, copy, { strength: "provider" })).toBeUndefined();
      }),
    );
  });
});
