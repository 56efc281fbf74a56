import { describe, expect, it } from "vitest";
import { gemini } from "./wire.ts";

const wire = gemini();
const answered = (content: unknown, more: object = { finishReason: "STOP" }, head: object = {}) => ({
  candidates: [{ content, index: 0, ...more }],
  ...head,
});
const unreported = {
  prompt: undefined,
  uncached: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  output: undefined,
  reasoning: undefined,
};

describe("a reply", () => {
  it("is the content of its first candidate", () => {
    const content = { role: "model", parts: [{ text: "Far." }] };
    expect(wire.readReply(answered(content))).toMatchObject({ messages: [content], finished: true, dropped: [] });
    expect(wire.readReply(answered({ parts: [{ text: "Far." }] })).messages).toEqual([{ role: "model", parts: [{ text: "Far." }] }]);
  });

  it("has no message where nothing was said", () => {
    for (const content of [undefined, null, { role: "model" }, { role: "model", parts: [{ text: "" }] }]) {
      expect(wire.readReply(answered(content, { finishReason: "MALFORMED_FUNCTION_CALL" }))).toMatchObject({
        messages: [],
        finished: true,
      });
    }
  });

  it("is unfinished without a finish reason, and finished when the prompt was blocked", () => {
    expect(wire.readReply(answered({ role: "model", parts: [{ text: "Fa" }] }, {})).finished).toBe(false);
    expect(wire.readReply({ usageMetadata: { promptTokenCount: 3 } })).toMatchObject({ messages: [], finished: false });
    expect(wire.readReply({ promptFeedback: { blockReason: "SAFETY" } })).toMatchObject({ messages: [], finished: true });
  });

  it("is refused where it is none", () => {
    const code = "invalid-reply";
    for (const odd of [{}, { candidates: 7 }, { candidates: [7] }, answered(7), answered({ role: "model", parts: [7] })]) {
      expect(() => wire.readReply(odd)).toThrow(expect.objectContaining({ code }));
    }
  });
});

describe("usage (rule 32)", () => {
  const usage = (usageMetadata: object) => wire.readReply(answered(null, { finishReason: "STOP" }, { usageMetadata })).usage;

  it("counts what was cached into the prompt, and thoughts into the output", () => {
    expect(
      usage({ promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 7, thoughtsTokenCount: 20, totalTokenCount: 127 }),
    ).toEqual({ ...unreported, prompt: 100, uncached: 40, cacheRead: 60, output: 27, reasoning: 20 });
  });

  it("counts what server tools put in, beside the prompt", () => {
    expect(usage({ promptTokenCount: 100, toolUsePromptTokenCount: 30, cachedContentTokenCount: 0 })).toEqual({
      ...unreported,
      prompt: 130,
      uncached: 130,
      cacheRead: 0,
    });
  });

  it("is unknown where it was not reported", () => {
    expect(usage({ promptTokenCount: 100 })).toEqual({ ...unreported, prompt: 100 });
    expect(usage({ prompt_token_count: 100, candidates_token_count: 1 })).toEqual({ ...unreported, prompt: 100, output: 1 });
    expect(wire.readReply(answered(null)).usage).toEqual(unreported);
  });
});
