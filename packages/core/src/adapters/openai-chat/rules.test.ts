import { describe, expect, it } from "vitest";
import { expectProportion, processorTime } from "../../../test/growth.ts";
import { chatRuleSamples as samples, words } from "../../../test/rule-samples/openai-chat.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import type { Breach, ShapeRule } from "../../wire/rule.ts";
import { type DialectName, dialects } from "./dialects.ts";
import { openaiChat } from "./wire.ts";

const { calls, messages, result, user } = words;

function judge(request: object, id: string, dialect: DialectName): Breach | undefined {
  const wire = openaiChat({ dialect, profiles: { alternating: { traits: ["roles-alternate"] } } });
  const rule = wire.rules.find((item) => item.id === id) as ShapeRule;
  const value = copyValue(request) as ObjectValue;
  return rule.check(value, { profile: wire.profile(String(value.model)), betas: undefined, version: undefined });
}

describe("the shape rules (rule 53)", () => {
  it.each(samples)(
    "$rule passes what is right and names what is wrong: $says",
    ({ rule, dialect = "openai", passes, fails, says, at, code, type }) => {
      expect(judge(passes, rule, dialect)).toBeUndefined();
      const found = judge(fails, rule, dialect);
      expect(found).toEqual({
        message: says,
        path: at,
        ...(code === undefined ? {} : { providerCode: code }),
        ...(type === undefined ? {} : { type }),
      });
    },
  );

  it("each have a sample", () => {
    const ids = new Set(Object.values(dialects).flatMap(({ rules }) => rules.map(({ id }) => id)));
    expect([...ids].toSorted()).toEqual([...new Set(samples.map(({ rule }) => rule))].toSorted());
  });

  it("refuse with 400 only where the source is sure", () => {
    const grades = Object.fromEntries(openaiChat().rules.map(({ id, grade }) => [id, grade]));
    const sure = ["OC-01", "OC-02", "OC-03", "OC-04", "OC-05", "OC-06", "OC-10", "OC-11"];
    expect(Object.keys(grades).filter((id) => grades[id] === "sure")).toEqual(sure);
    expect(grades["OC-07"]).toBe("weak");
    expect(openaiChat({ dialect: "kimi" }).rules.map(({ grade }) => grade)).toEqual(["likely", "likely", "likely", "likely"]);
    for (const { rules } of Object.values(dialects)) for (const rule of rules) expect(rule.status).toBe(400);
  });

  it("pass over what is no Chat request at all", () => {
    for (const { rules } of Object.values(dialects)) {
      for (const rule of rules) {
        for (const request of [
          {},
          { messages: "x", tools: 7 },
          { messages: [null, 7, "x", []] },
          { messages: [{ role: "assistant", tool_calls: [null, 7] }] },
        ]) {
          const value = copyValue(request) as ObjectValue;
          expect(() => rule.check(value, { profile: openaiChat().profile("m"), betas: undefined, version: undefined })).not.toThrow();
        }
      }
    }
  });

  it("take time in proportion to the number of messages and calls", async () => {
    await expectProportion((size) => {
      const ids = Array.from({ length: size }, (_, index) => `call_${index}`);
      const request = messages(user, calls(...ids), ...ids.map(result));
      return processorTime(() => {
        expect(judge(request, "OC-03", "openai")).toBeUndefined();
        expect(judge(request, "OC-04", "openai")).toBeUndefined();
      });
    }, 3_000);
  });
});
