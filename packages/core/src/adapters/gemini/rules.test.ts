import { describe, expect, it } from "vitest";
import { geminiRuleSamples as samples, words } from "../../../test/rule-samples/gemini.ts";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { gemini } from "./wire.ts";

const wire = gemini();
const { call, contents, responses, user } = words;

function breaches(request: object, id: string) {
  const value = copyValue(request) as ObjectValue;
  const context = { profile: wire.profile(String(value.model)), betas: undefined, version: undefined };
  return wire.rules.filter((rule) => rule.id === id).flatMap((rule) => rule.check(value, context) ?? []);
}

describe("the shape rules (rule 53)", () => {
  it.each(samples)("$rule passes what is right and names what is wrong: $says", ({ rule, passes, fails, says, at }) => {
    expect(breaches(passes, rule)).toEqual([]);
    expect(breaches(fails, rule)).toEqual([{ path: at, message: expect.stringContaining(says) }]);
  });

  it("are all shown by a sample", () => {
    expect([...new Set(wire.rules.map(({ id }) => id))].sort()).toEqual([...new Set(samples.map(({ rule }) => rule))].sort());
  });

  it("refuse with status 400", () => {
    expect(new Set(wire.rules.map(({ status }) => status))).toEqual(new Set([400]));
  });
});

describe("signatures of the current turn (GE-08)", () => {
  const unsigned = contents(user, { role: "model", parts: [call("a")] }, responses("a"));

  it("are asked for by Gemini 3 and by models that are not known, not by 2.5", () => {
    for (const model of ["gemini-3-flash-preview", "gemini-9"]) expect(breaches({ ...unsigned, model }, "GE-08")).toHaveLength(1);
    for (const model of ["gemini-2.5-pro", "models/gemini-2.5-flash"]) expect(breaches({ ...unsigned, model }, "GE-08")).toEqual([]);
  });

  it("are asked for from the latest words of the user on, which may stand behind responses", () => {
    const told = { role: "user", parts: [...responses("a").parts, { text: "And?" }] };
    expect(breaches(contents(user, { role: "model", parts: [call("a")] }, told), "GE-08")).toEqual([]);
  });
});
