import { expect, test } from "vitest";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { limitsFor } from "../budget/limits.ts";
import { ownProfiles } from "./own-profiles.ts";

test("an object is looked up by the exact id", () => {
  const look = ownProfiles({ "my-model": { context: 9_000 } });
  expect(look("my-model")?.context).toBe(9_000);
  for (const other of ["my-model-2", "My-Model", "toString"]) expect(look(other)).toBeUndefined();
});

test("a function's answer is kept for a minute, for each model", () => {
  let time = 0;
  let asked: string[] = [];
  const look = ownProfiles(
    (model) => {
      asked.push(model);
      return model === "none" ? undefined : { context: 10_000 + time };
    },
    () => time,
  );
  const first = look("a");
  look("none");
  time = 59_999;
  expect(look("a")).toBe(first);
  look("none");
  expect(asked).toEqual(["a", "none"]);
  asked = [];
  time = 60_000;
  expect(look("a")?.context).toBe(70_000);
  expect(asked).toEqual(["a"]);
});

test.each([
  ["anthropic", (context: () => number) => anthropic({ profiles: () => ({ context: context() }) }).profile("claude-opus-5")],
  ["openai-chat", (context: () => number) => openaiChat({ profiles: () => ({ context: context() }) }).profile("gpt-4.1")],
])("the host's word goes before the table's, and an explicit figure before a refresh (%s)", (_wire, profileWith) => {
  const profile = profileWith(() => 123_456);
  expect(profile.context).toBe(123_456);
  expect(limitsFor({}, profile, profile.id)?.context).toBe(123_456);
  expect(limitsFor({ context: 50_000 }, profile, profile.id)?.context).toBe(50_000);
  expect(limitsFor({ perModel: { [profile.id]: 40_000 } }, profile, profile.id)?.context).toBe(40_000);
});

test("a host that forgets a model gets the table's profile again", () => {
  const known = { claude: true };
  const wire = anthropic({ profiles: (model) => (known.claude && model === "my-claude" ? { context: 5_000, traits: [] } : undefined) });
  expect(wire.profile("my-claude").context).toBe(5_000);
  expect(wire.profile("claude-opus-5").context).toBe(1_000_000);
  known.claude = false;
  expect(wire.profile("my-claude").context).toBe(5_000);
});
