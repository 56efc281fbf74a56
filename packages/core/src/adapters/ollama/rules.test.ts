import { describe, expect, it } from "vitest";
import { ollamaRuleSamples } from "../../../test/rule-samples/ollama.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { firstBreach } from "../../wire/rule.ts";
import { rules } from "./rules.ts";
import { ollama } from "./wire.ts";

const found = (request: object) => {
  const value = copyValue(request) as ObjectValue;
  const context = { profile: ollama().profile(String(value.model)), betas: undefined, version: undefined };
  return firstBreach(rules, value, context, ["sure", "likely", "weak"]);
};

describe("shape rules (rule 53)", () => {
  it.each(ollamaRuleSamples)("$rule refuses: $says", ({ rule, says, at, fails, passes }) => {
    const breach = found(fails);
    expect(breach?.rule.id).toBe(rule);
    expect(breach?.breach).toEqual({ message: says, path: expect.anything() });
    expect(breach?.breach.path.join(".")).toBe(at);
    expect(found(passes)).toBeUndefined();
  });

  it("know nothing against orders and pairs, which the server does not check", () => {
    const messages = [
      { role: "assistant", content: "Hi." },
      { role: "tool", tool_name: "look", content: "blue" },
      { role: "assistant", content: "", tool_calls: [{ function: { name: "look", arguments: {} } }] },
    ];
    expect(found({ model: "m", messages })).toBeUndefined();
  });

  it("never throw, whatever they are given", () => {
    for (const request of [{}, { messages: 3, think: {} }, { messages: [null, 1, {}], tools: [null] }]) {
      for (const rule of rules) {
        expect(() =>
          rule.check(copyValue(request) as ObjectValue, { profile: ollama().profile("m"), betas: [], version: "" }),
        ).not.toThrow();
      }
    }
  });
});
