import { describe, expect, test, vi } from "vitest";
import { anthropic } from "../adapters/anthropic/index.ts";
import { bedrock } from "../adapters/bedrock/index.ts";
import { gemini, geminiInteractions } from "../adapters/gemini/index.ts";
import { ollama } from "../adapters/ollama/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { limitsFor } from "../budget/limits.ts";
import { type OwnProfiles, ownProfiles } from "./own-profiles.ts";
import type { Profile } from "./profile.ts";
import type { Wire } from "./wire.ts";

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

type Make = (options: { readonly profiles?: OwnProfiles }) => Pick<Wire, "profile">;

/** By wire: how it is made, an id that its table has, and what its documented profile of an unknown model says. */
const wires: readonly (readonly [name: string, make: Make, known: string, unknown: Partial<Profile>])[] = [
  ["anthropic", anthropic, "claude-opus-5", { context: 200_000, bindsReasoning: "may", positionalSystem: false, traits: ["unknown"] }],
  ["openai-chat", openaiChat, "gpt-4.1", { context: 128_000, bindsReasoning: "no" }],
  ["openai-responses", openaiResponses, "gpt-6.2-sol", { context: 128_000, bindsReasoning: "may", traits: [] }],
  ["gemini", gemini, "gemini-2.5-flash", { context: 1_048_576, cacheTokensMin: 4_096, traits: ["signed-calls"] }],
  ["gemini-interactions", geminiInteractions, "gemini-2.5-flash", { context: 1_048_576, traits: ["signed-calls"] }],
  ["bedrock", bedrock, "us.anthropic.claude-opus-5", { context: 200_000, cacheTokensMin: undefined, traits: [] }],
  ["ollama", ollama, "llama3.1:8b", { context: 1_048_576, outputMax: undefined, traits: [] }],
];

describe.each(wires)("profiles on %s", (_name, make, known, unknown) => {
  test("are the table's by the exact id, and the documented conservative one for any other: no prefix is guessed from", () => {
    const { profile } = make({});
    expect(profile(known)).not.toMatchObject(unknown);
    for (const other of [`${known}-preview-x`, known.slice(0, -1), known.toUpperCase(), "toString", "__proto__"]) {
      expect(profile(other)).toMatchObject({ ...unknown, prices: undefined, readsReasoningOf: [] });
    }
  });

  test("may be a function, whose answer is kept a minute and goes before the table's; an explicit figure goes before any refresh", () => {
    vi.useFakeTimers();
    let context = 123_456;
    const { profile } = make({ profiles: (model) => (model === known ? { context } : undefined) });
    expect(profile(known).context).toBe(123_456);
    context = 654_321;
    vi.advanceTimersByTime(59_999);
    expect(profile(known).context).toBe(123_456);
    vi.advanceTimersByTime(1);
    const refreshed = profile(known);
    expect(refreshed.context).toBe(654_321);
    expect(limitsFor({}, refreshed, known)?.context).toBe(654_321);
    expect(limitsFor({ context: 50_000 }, refreshed, known)?.context).toBe(50_000);
    expect(limitsFor({ perModel: { [known]: 40_000 } }, refreshed, known)?.context).toBe(40_000);
    vi.useRealTimers();
  });
});

test("a host that forgets a model gets the table's profile again", () => {
  const known = { claude: true };
  const wire = anthropic({ profiles: (model) => (known.claude && model === "my-claude" ? { context: 5_000, traits: [] } : undefined) });
  expect(wire.profile("my-claude").context).toBe(5_000);
  expect(wire.profile("claude-opus-5").context).toBe(1_000_000);
  known.claude = false;
  expect(wire.profile("my-claude").context).toBe(5_000);
});
