import { describe, expect, it } from "vitest";
import { responsesRuleSamples } from "../../../test/rule-samples/openai-responses.ts";
import type { ObjectValue } from "../../json/value.ts";
import { firstBreach, type RuleContext } from "../../wire/rule.ts";
import { openaiResponses } from "./index.ts";

describe.each(responsesRuleSamples)("$rule: $says", ({ rule, route = "openai", passes, fails, says, at, code }) => {
  const { rules, profile } = openaiResponses({ route });
  const breach = (request: object) => {
    const context: RuleContext = { profile: profile((request as { model: string }).model), betas: undefined, version: undefined };
    return firstBreach(rules, request as ObjectValue, context, ["sure", "likely", "weak"]);
  };

  it("refuses the request, by this rule and in the provider's words", () => {
    const found = breach(fails);
    expect(found?.rule.id).toBe(rule);
    expect(found?.breach.message).toContain(says);
    expect(found?.breach.path).toEqual(at);
    if (code !== undefined) expect(found?.breach.providerCode).toBe(code);
  });

  it("takes the nearest neighbour", () => {
    expect(breach(passes)).toBeUndefined();
  });
});

describe("rules of other routes", () => {
  it("are never sure", () => {
    expect(openaiResponses({ route: "xai" }).rules.some(({ grade }) => grade === "sure")).toBe(false);
  });
});
