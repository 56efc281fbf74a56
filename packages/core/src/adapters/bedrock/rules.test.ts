import { describe, expect, it } from "vitest";
import { bedrockRuleSamples } from "../../../test/rule-samples/bedrock.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { firstBreach } from "../../wire/rule.ts";
import { rules } from "./rules.ts";
import { bedrock } from "./wire.ts";

const found = (request: object) => {
  const value = copyValue(request) as ObjectValue;
  const context = { profile: bedrock().profile(String(value.modelId)), betas: undefined, version: undefined };
  return firstBreach(rules, value, context, ["sure", "likely", "weak"]);
};

describe("shape rules (rule 53)", () => {
  it.each(bedrockRuleSamples)("$rule refuses: $says", ({ rule, says, at, fails, passes }) => {
    const breach = found(fails);
    expect(breach?.rule.id).toBe(rule);
    expect(breach?.breach.message).toBe(says);
    expect(breach?.breach.path.join(".")).toBe(at);
    expect(found(passes)).toBeUndefined();
  });

  it("leave tools that the provider runs itself alone", () => {
    const content = [
      { toolUse: { toolUseId: "a", name: "nova_code_interpreter", input: {}, type: "server_tool_use" } },
      { toolResult: { toolUseId: "a", content: [], type: "nova_code_interpreter_result" } },
      { text: "Two." },
    ];
    const messages = [
      { role: "user", content: [{ text: "1 + 1?" }] },
      { role: "assistant", content },
      { role: "user", content: [{ text: "And 2?" }] },
    ];
    expect(found({ modelId: "us.amazon.nova-2-lite-v1:0", messages })).toBeUndefined();
  });

  it("never throw, whatever they are given", () => {
    for (const request of [
      {},
      { messages: 3, system: {} },
      { messages: [null, 1, {}, { role: "user", content: [null] }], toolConfig: [] },
    ]) {
      for (const rule of rules) {
        expect(() =>
          rule.check(copyValue(request) as ObjectValue, { profile: bedrock().profile("m"), betas: [], version: "" }),
        ).not.toThrow();
      }
    }
  });
});
