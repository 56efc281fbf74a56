import { describe, expect, it } from "vitest";
import type { ObjectValue } from "../../json/value.ts";
import type { MarkPlan } from "../../wire/wire.ts";
import { bedrock } from "./wire.ts";

const wire = bedrock();
const point = (ttl?: string) => ({ cachePoint: { type: "default", ...(ttl !== undefined && { ttl }) } });
const text = (words: string) => ({ text: words });
const thinking = { reasoningContent: { reasoningText: { text: "Hm.", signature: "c2ln" } } };
const request = (more: object = {}) => ({
  modelId: "us.anthropic.claude-opus-5-5",
  system: [text("Be brief.")],
  toolConfig: { tools: [{ toolSpec: { name: "look" } }] },
  messages: [
    { role: "user", content: [text("One."), text("Two.")] },
    { role: "assistant", content: [text("Yes."), thinking] },
    { role: "user", content: [text("Three.")] },
  ],
  ...more,
});
const plan = (more: Partial<MarkPlan> = {}): MarkPlan => ({
  mode: "planned",
  ttl: undefined,
  hostMarks: [],
  repeatsTo: 2,
  lagging: undefined,
  ...more,
});
const shown = (marked: object) => {
  const { system, messages } = marked as { system: unknown; messages: readonly { content: readonly object[] }[] };
  return { system, messages: messages.map(({ content }) => content.map((block) => Object.keys(block)[0])) };
};

describe("cache points", () => {
  it("stand behind the end of what is repeated and behind the head, automatic or planned", () => {
    for (const mode of ["automatic", "planned"] as const) {
      expect(shown(wire.mark(request(), plan({ mode })))).toEqual({
        system: [text("Be brief."), point()],
        messages: [
          ["text", "text"],
          ["text", "reasoningContent"],
          ["text", "cachePoint"],
        ],
      });
    }
  });

  it("never stand behind reasoning, and bear the session's lifetime", () => {
    const marked = wire.mark(request(), plan({ repeatsTo: 1, ttl: "1h" }));
    expect(shown(marked).messages[1]).toEqual(["text", "cachePoint", "reasoningContent"]);
    expect(shown(marked).system).toEqual([text("Be brief."), point("1h")]);
  });

  it("lag behind where the look-back of 20 blocks does not reach", () => {
    const results = Array.from({ length: 25 }, (_, index) => text(`Line ${index}.`));
    const long = request({
      messages: [...request().messages, { role: "assistant", content: [text("So.")] }, { role: "user", content: results }],
    });
    const { messages } = shown(wire.mark(long, plan({ repeatsTo: 4, lagging: 2 })));
    expect(messages[2]).toEqual(["text", "cachePoint"]);
    expect(shown(wire.mark(long, plan({ repeatsTo: 4, lagging: 3 }))).messages[2]).toEqual(["text"]);
  });

  it("of the host stay where they are, four at most, and beside another lifetime there are none of ours", () => {
    const hostMarks: MarkPlan["hostMarks"] = [
      { part: "messages", message: 0, block: 0, mark: point("1h") },
      { part: "messages", message: 1, block: 1, mark: point("1h") },
      { part: "tools", index: 0, mark: point("1h") },
    ];
    const marked = wire.mark(request(), plan({ hostMarks }));
    expect(shown(marked)).toEqual({
      system: [text("Be brief.")],
      messages: [["text", "cachePoint", "text"], ["text", "cachePoint", "reasoningContent"], ["text"]],
    });
    expect((marked as unknown as ObjectValue).toolConfig).toEqual({ tools: [{ toolSpec: { name: "look" } }, point("1h")] });
    const many = Array.from({ length: 6 }, (_, index) => ({ part: "messages" as const, message: index % 3, block: 0, mark: point() }));
    expect(JSON.stringify(wire.mark(request(), plan({ hostMarks: many }))).split("cachePoint")).toHaveLength(5);
  });

  it("go to no model of which it is not known that it takes them, and nowhere when they are off", () => {
    const given = request();
    expect(wire.mark(given, plan({ mode: "off" }))).toBe(given);
    for (const modelId of ["us.deepseek.r1-v1:0", "arn:aws:bedrock:x"]) {
      const other = request({ modelId });
      expect(wire.mark(other, plan())).toBe(other);
    }
    expect([wire.asksForCache(given), wire.asksForCache(wire.mark(given, plan()))]).toEqual([false, true]);
  });
});
