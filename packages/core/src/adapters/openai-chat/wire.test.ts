import { describe, expect, it } from "vitest";
import * as entry from "./index.ts";
import { type DialectName, openaiChat } from "./index.ts";

const names: readonly DialectName[] = [
  "openai",
  "deepseek",
  "openrouter",
  "mistral",
  "cerebras",
  "groq",
  "kimi",
  "qwen",
  "xai",
  "vllm",
  "sglang",
  "llama-cpp",
];

describe("the openai-chat wire", () => {
  it("is one list of exports", () => {
    expect(Object.keys(entry)).toEqual(["openaiChatSummarizer", "openaiChat"]);
  });

  it.each(names)("speaks the dialect %s under one name", (dialect) => {
    const wire = openaiChat({ dialect });
    expect(wire.name).toBe("openai-chat");
    expect(wire.rules.length).toBeGreaterThan(0);
    // Mistral's order of roles has no user behind a result; OpenAI's results take no media.
    const own = { places: undefined, textBehindResults: dialect !== "mistral", plainResults: dialect === "openai" ? true : undefined };
    expect({ ...wire.abilities, places: undefined }).toEqual({ ...openaiChat().abilities, ...own });
  });

  it("refuses a dialect that it does not know when it is made", () => {
    for (const dialect of ["claude", "__proto__", "toString", "", null, 7]) {
      expect(() => openaiChat({ dialect: dialect as DialectName })).toThrow(
        expect.objectContaining({ code: "invalid-option", path: "$.dialect" }),
      );
    }
  });

  it("says its own words in the dialect's form", () => {
    expect(openaiChat().say("user", "Hi.")).toEqual({ role: "user", content: "Hi." });
    expect(openaiChat().say("system", "Hi.")).toEqual({ role: "system", content: "Hi." });
    expect(openaiChat({ dialect: "qwen" }).say("assistant", "Hi.")).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hi." }],
    });
  });

  it("leaves the host's objects as they were", () => {
    const request = {
      model: "m",
      messages: [
        { role: "system", content: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }] },
        { role: "user", content: "u" },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    };
    const before = JSON.stringify(request);
    const wire = openaiChat({ dialect: "openrouter" });
    const opened = wire.open(request);
    wire.mark(wire.close(request, opened.head, []), {
      mode: "automatic",
      ttl: "1h",
      hostMarks: opened.headMarks,
      repeatsTo: 0,
      lagging: undefined,
    });
    expect(JSON.stringify(request)).toBe(before);
    expect(Object.isFrozen(request.tools[0]) || Object.isFrozen(request.messages[0])).toBe(false);
  });

  it("gives its cases' answers (reasoning-cerebras-field, reasoning-deepseek-absent, bytes-mark-becomes-string)", () => {
    const composed = (dialect: DialectName, message: object) => {
      const wire = openaiChat({ dialect });
      const { nativeRole, units } = wire.read(message as never);
      return wire.compose(nativeRole, units);
    };
    const reply = { role: "assistant", content: "No, it is 7 times 13.", reasoning_content: "7 x 13 = 91." };
    expect(composed("cerebras", reply)).toEqual({ role: "assistant", content: "No, it is 7 times 13.", reasoning: "7 x 13 = 91." });
    const call = { id: "call_s1", type: "function", function: { name: "count_sheep", arguments: '{"field":"top"}' } };
    expect(composed("deepseek", { role: "assistant", content: null, tool_calls: [call] })).toMatchObject({
      reasoning_content: "",
      tool_calls: [call],
    });
    const marked = { role: "user", content: [{ type: "text", text: "List the stops.", cache_control: { type: "ephemeral" } }] };
    expect(composed("openrouter", marked)).toEqual(composed("openrouter", { role: "user", content: "List the stops." }));
  });
});
