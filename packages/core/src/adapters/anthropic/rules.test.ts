import process from "node:process";
import { describe, expect, it } from "vitest";
import { anthropicRuleSamples as samples, words } from "../../../test/rule-samples/anthropic.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import type { Profile } from "../../wire/profile.ts";
import { firstBreach, type Grade, type RuleContext } from "../../wire/rule.ts";
import { profiles } from "./models.ts";
import { rules } from "./rules.ts";

const profileOf: (model: string) => Profile = profiles();

const { call, hi, reply, request, result, system, talk, text, thinking, user } = words;
type Sample = (typeof samples)[number];
const grades: readonly Grade[] = ["sure", "likely", "weak"];

function contextOf(given: object, { betas, version }: Pick<Sample, "betas" | "version">): RuleContext {
  return { profile: profileOf(String((given as { model?: unknown }).model)), betas, version };
}

/** Shape rules in the order in which a session asks: the sure ones, then the others. */
function found(given: object, sample: Pick<Sample, "betas" | "version" | "grade">): ReturnType<typeof firstBreach> {
  const value = copyValue(given) as ObjectValue;
  const asked = sample.grade === undefined ? (["sure"] as const) : grades.slice(0, grades.indexOf(sample.grade) + 1);
  for (const grade of asked) {
    const breach = firstBreach(rules, value, contextOf(given, sample), [grade]);
    if (breach !== undefined) return breach;
  }
  return undefined;
}

describe("shape rules (rule 53)", () => {
  it.each(samples)("$rule refuses: $message", (sample) => {
    const first = found(sample.fails, sample);
    expect(first?.rule.id).toBe(sample.rule);
    expect(first?.rule.grade).toBe(sample.grade ?? "sure");
    expect(first?.breach.message).toBe(sample.message);
    expect(first?.breach.path.join(".")).toBe(sample.path);
    expect(first?.breach.providerCode).toBe(sample.code);
    expect(found(sample.passes, sample)?.breach).toBeUndefined();
  });

  it("have a sample each", () => {
    const numbers = (ids: readonly string[]): readonly string[] => [...new Set(ids)].sort();
    expect(numbers(samples.map(({ rule }) => rule))).toEqual(numbers(rules.map(({ id }) => id)));
    // AN-12, 13 and 14 need the server's key or memory, AN-25 its tokenizer, AN-28 its replies.
    const all = Array.from({ length: 30 }, (_, index) => `AN-${String(index + 1).padStart(2, "0")}`);
    expect(all.filter((id) => !rules.some((rule) => rule.id === id))).toEqual(["AN-12", "AN-13", "AN-14", "AN-25", "AN-28"]);
  });

  it("answer with the provider's status: 404 for a model, else 400", () => {
    for (const { id, status } of rules) expect(status).toBe(id === "AN-29" ? 404 : 400);
    expect(found(request({ model: "claude-next" }), { grade: "weak" })?.breach.type).toBe("not_found_error");
  });

  it("are silent about what is not known: betas, version", () => {
    const given = request({ context_management: { edits: [] }, model: "claude-haiku-4-5", temperature: 0.5 });
    expect(found(given, {})).toBeUndefined();
  });

  it("hold nothing against a model that the table does not know, but as a guess", () => {
    const given = request({ model: "claude-next", thinking: { type: "disabled" }, temperature: 0.3, max_tokens: 1_000_000 }, [
      hi,
      system("x"),
      reply("so"),
    ]);
    expect(found(given, {})).toBeUndefined();
  });

  it("look at a changed request anew", () => {
    const given = { model: "claude-opus-4-8", max_tokens: 1, messages: [{ role: "user", content: "hi" }] };
    const asked = (): string | undefined => firstBreach(rules, given as unknown as ObjectValue, contextOf(given, {}), ["sure"])?.rule.id;
    expect(asked()).toBeUndefined();
    given.messages[0] = { role: "user", content: "" };
    expect(asked()).toBe("AN-03");
    const frozen = { ...given, messages: [Object.freeze(user("hi"))] };
    expect(firstBreach(rules, frozen as unknown as ObjectValue, contextOf(given, {}), ["sure"])).toBeUndefined();
    frozen.messages.push(Object.freeze(reply("x")));
    expect(firstBreach(rules, frozen as unknown as ObjectValue, contextOf(given, {}), ["sure"])?.rule.id).toBe("AN-08");
  });

  it("never throw, whatever they are given", () => {
    const odd: readonly unknown[] = [
      {},
      { messages: 3 },
      { messages: [null, 1, "x", [], {}], tools: [null, 3], system: [null], tool_choice: 3, thinking: 3 },
    ];
    for (const given of odd) {
      for (const rule of rules)
        expect(() => rule.check(given as ObjectValue, contextOf({}, { betas: [], version: "2026-10-21" }))).not.toThrow();
    }
  });

  it("cost time that grows with the request, not with its square", { retry: 4 }, () => {
    const loop = (count: number): readonly object[] =>
      Array.from({ length: count }, (_, index) =>
        index % 2 === 0 ? user(index === 0 ? "go" : [result(`t${index - 1}`), text("x")]) : reply([thinking, call(`t${index}`)]),
      );
    const oneTurn = (count: number): readonly object[] => [
      hi,
      reply([call("a")]),
      ...Array.from({ length: count }, () => user([result("a")])),
    ];
    const silent = (count: number): readonly object[] => [
      hi,
      ...Array.from({ length: count }, () => system([], { output_config: { effort: "low" } })),
    ];
    const time = (messages: readonly object[]): number => {
      const given = copyValue(talk(...messages)) as ObjectValue;
      const before = process.cpuUsage();
      for (const rule of rules) rule.check(given, contextOf(given, { betas: [] }));
      return process.cpuUsage(before).user;
    };
    const best = (messages: readonly object[]): number => Math.min(time(messages), time(messages), time(messages));
    for (const make of [loop, oneTurn, silent]) expect(best(make(8_000)) / best(make(1_000))).toBeLessThan(30);
  });
});
