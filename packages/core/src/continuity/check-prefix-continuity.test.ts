import { describe, expect, test } from "vitest";
import { tinyWire } from "../../test/tiny-wire.ts";
import { checkPrefixContinuity } from "./check-prefix-continuity.ts";

const wire = tinyWire({ merging: true });
const user = (content: unknown) => ({ role: "user", content });
const reply = (words: string, seal = "s") => ({
  role: "assistant",
  content: [
    { type: "think", text: "hm", seal },
    { type: "text", text: words },
  ],
});
const request = (messages: readonly object[], more: object = {}) => ({ model: "m", system: "Be brief.", messages, ...more });
const check = (previous: object, next: object) => checkPrefixContinuity(previous, next, { wire });

const first = request([user("one")]);
const second = request([user("one"), reply("two"), user("three")]);

describe("the verdict", () => {
  test("a request that repeats the one before and appends continues it", () => {
    expect(check(first, second)).toEqual({
      verdict: "continues",
      path: undefined,
      class: undefined,
      at: undefined,
      tokensBehind: 0,
      bytes: undefined,
      provider: undefined,
      reasoningVoided: [],
      wire: "tiny-merging",
    });
  });

  test("what only a local cache sees makes it equivalent", () => {
    const marked = request([user([{ type: "text", text: "one", mark: { type: "short" } }])]);
    expect(check(marked, second)).toMatchObject({
      verdict: "equivalent",
      path: "$.messages[0].content",
      class: "shape",
      at: 0,
      provider: undefined,
      reasoningVoided: [],
    });
  });

  test("what the provider reads breaks it, and both strengths are told apart", () => {
    const marked = request([user([{ type: "text", text: "one", mark: { type: "short" } }]), reply("two"), user("three")]);
    const edited = request([user("one"), reply("2"), user("three")]);
    const report = check(marked, edited);
    expect(report).toMatchObject({ verdict: "breaks", path: "$.messages[1].content[1].text", class: "edit", at: 1 });
    expect(report.bytes).toMatchObject({ path: "$.messages[0].content", class: "shape", field: "messages" });
    expect(report.provider).toMatchObject({ previous: "two", next: "2", field: "messages" });
  });

  test("head fields come in the order in which the provider serialises them", () => {
    const changed = { ...second, system: "Be long.", tools: [{ name: "x" }] };
    expect(check(second, changed)).toMatchObject({ path: "$.tools[0]", class: "insertion", at: undefined, provider: { field: "tools" } });
    expect(check(second, { ...changed, model: "n" })).toMatchObject({ path: "$.model", class: "parameter" });
    expect(check(second, { ...second, effort: "low" })).toMatchObject({
      path: "$.effort",
      class: "parameter",
      provider: { field: "params" },
    });
  });

  test("other parameters are not looked at", () => {
    expect(check({ ...first, max_tokens: 5 }, { ...second, max_tokens: 900, metadata: { user: "u" } }).verdict).toBe("continues");
  });
});

describe("what the difference costs", () => {
  test("tokens behind it are those of the previous request from that message on", () => {
    const long = request([user("one"), reply("two"), user("word ".repeat(500))]);
    const late = check(long, request([user("one"), reply("two"), user("x")]));
    const early = check(long, request([user("1"), reply("two"), user("word ".repeat(500))]));
    expect(late.tokensBehind).toBeGreaterThan(450);
    expect(early.tokensBehind).toBeGreaterThan(late.tokensBehind);
    expect(check(long, { ...long, model: "n" }).tokensBehind).toBeGreaterThan(early.tokensBehind);
  });

  test("messages are counted by the caller's own counter where there is one", () => {
    const report = checkPrefixContinuity(second, request([user("1"), reply("two"), user("three")]), { wire, count: () => 100 });
    expect(report.tokensBehind).toBe(300);
  });

  test("bound reasoning behind the place is voided, before it none (rule 27)", () => {
    const history = [user("one"), reply("two", "a"), user("three"), reply("four", "b")];
    const edited = request([...history.slice(0, 2), user("3"), reply("four", "b"), user("five")]);
    expect(check(request(history), edited).reasoningVoided).toEqual(["$.messages[3].content[0]"]);
    const reworded = { role: "assistant", content: [reply("two", "a").content[0], { type: "text", text: "2" }] };
    expect(check(request(history), request([user("one"), reworded, ...history.slice(2)])).reasoningVoided).toEqual([
      "$.messages[3].content[0]",
    ]);
    const everything = check(request(history), { ...request(history), system: "Be long." });
    expect(everything.reasoningVoided).toEqual(["$.messages[1].content[0]", "$.messages[3].content[0]"]);
    expect(check(request(history), { ...request(history), effort: "low" }).reasoningVoided).toEqual([]);
  });
});

describe("what it cannot read", () => {
  test("without a wire, or with none that recognises both, it names the remedy", () => {
    const none = () => checkPrefixContinuity(first, second, { wire: [] });
    expect(none).toThrow(expect.objectContaining({ code: "wire-unknown" }));
    expect(() => checkPrefixContinuity({ input: [] }, second, { wire: [wire] })).toThrow("None of the wires given (tiny-merging)");
    // @ts-expect-error options are needed
    expect(() => checkPrefixContinuity(first, second)).toThrow("No wire was given");
  });

  test("what has no JSON form is refused with its place", () => {
    const cyclic: { messages: unknown[] } = { messages: [] };
    cyclic.messages.push(cyclic);
    expect(() => check(cyclic, second)).toThrow(expect.objectContaining({ code: "value-cycle" }));
    expect(() => check({ ...first, messages: [user(1n)] }, second)).toThrow("$.messages[0].content");
  });

  test("of several wires the first that recognises both is taken", () => {
    const other = tinyWire({ merging: false });
    expect(checkPrefixContinuity(first, second, { wire: [other, wire] }).wire).toBe("tiny");
  });

  test("the requests are left as they were", () => {
    const [a, b] = [structuredClone(first), structuredClone(second)];
    check(a, b);
    expect([a, b]).toEqual([first, second]);
  });
});
