import { describe, expect, it } from "vitest";
import type { ObjectValue, Value } from "../../json/value.ts";
import type { HostMark, MarkPlan } from "../../wire/wire.ts";
import type { ChatRequest } from "./types.ts";
import { openaiChat } from "./wire.ts";

const claude = "anthropic/claude-sonnet-4.6";
const ephemeral = { type: "ephemeral" };
const plan = (...hostMarks: readonly HostMark[]): MarkPlan => ({
  mode: "automatic",
  ttl: undefined,
  hostMarks,
  repeatsTo: 0,
  lagging: undefined,
});
const at = (message: number, block: number, mark: Value = ephemeral): HostMark => ({ part: "messages", message, block, mark });
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };

const openrouter = openaiChat({ dialect: "openrouter" });
const request = {
  model: "m",
  messages: [
    { role: "system", content: [text("s1"), text("s2")] },
    { role: "user", content: [text("u"), { type: "image_url", image_url: { url: "x" } }] },
    { role: "assistant", content: null, reasoning: "Hm.", tool_calls: [call] },
    { role: "tool", content: [text("r")], tool_call_id: "c" },
    { role: "assistant", content: [text("a1"), text("a2")], reasoning: "Hm.", tool_calls: [call] },
  ],
  tools: [{ type: "function" }, { type: "function" }],
};

function marked(...marks: readonly HostMark[]): string {
  const out = openrouter.mark(request, plan(...marks));
  return JSON.stringify(out.messages).replace(/"cache_control":{"type":"ephemeral"}/g, '"MARK"');
}

describe("cache marks (rule 54)", () => {
  it("are not needed where the cache is automatic: the request goes as it is", () => {
    for (const dialect of ["openai", "deepseek", "mistral", "qwen"] as const)
      expect(openaiChat({ dialect }).mark(request, plan())).toBe(request);
    expect(openrouter.mark(request, plan())).toBe(request);
  });

  it("are one at the top for models behind OpenRouter that cache nothing without (facts 5)", () => {
    const given = { ...request, model: claude };
    expect(openrouter.mark(given, plan())).toEqual({ ...given, cache_control: ephemeral });
    expect(openrouter.mark(given, { ...plan(), mode: "planned", ttl: "1h" })).toEqual({
      ...given,
      cache_control: { type: "ephemeral", ttl: "1h" },
    });
    expect(openrouter.mark(given, { ...plan(), mode: "off" })).toBe(given);
    const own = { ...given, cache_control: { type: "ephemeral", ttl: "5m" } };
    expect(openrouter.mark(own, plan())).toBe(own);
    expect(openaiChat().mark(given, plan())).toBe(given);
  });

  it("at the top stay away from four marks of the host, and from another lifetime", () => {
    const given: ChatRequest = { ...request, model: claude };
    const four = openrouter.mark(given, plan(at(0, 0), at(0, 1), at(1, 0), at(1, 1)));
    expect(four).not.toHaveProperty("cache_control");
    expect(openrouter.mark(given, plan(at(0, 0)))).toHaveProperty("cache_control");
    expect(openrouter.mark(given, plan(at(0, 0, { type: "ephemeral", ttl: "1h" })))).not.toHaveProperty("cache_control");
  });

  it("of the host are put back on their part, in a copy", () => {
    const out = openrouter.mark(request, plan(at(1, 1), at(4, 2)));
    expect(out.messages[1]?.content).toEqual([text("u"), { type: "image_url", image_url: { url: "x" }, cache_control: ephemeral }]);
    expect(out.messages[4]?.content).toEqual([text("a1"), text("a2", { cache_control: ephemeral })]);
    expect(out.messages[0]).toBe(request.messages[0]);
    expect(out.tools).toBe(request.tools);
    expect(JSON.stringify(request)).not.toContain("cache_control");
  });

  it("of the host go back under the name they came with", () => {
    const out = openaiChat().mark({ model: "m", messages: [{ role: "user", content: "u" }] }, plan(at(0, 0, { mode: "explicit" })));
    expect(out.messages[0]).toEqual({ role: "user", content: [text("u", { prompt_cache_breakpoint: { mode: "explicit" } })] });
  });

  it("on reasoning, calls and results move to a part that may bear one", () => {
    expect(marked(at(4, 0))).toBe(marked(at(4, 2)));
    expect(marked(at(4, 3))).toBe(marked(at(4, 2)));
    expect(marked(at(2, 1))).toBe(marked(at(1, 1)));
    expect(marked(at(3, 0))).toContain('{"type":"text","text":"r","MARK"}');
    const alone = { model: "m", messages: [{ role: "assistant", content: null, tool_calls: [call] }] };
    expect(openrouter.mark(alone, plan(at(0, 0))).messages[0]).toBe(alone.messages[0]);
  });

  it("count the units of the message, its fields too", () => {
    const named = { model: "m", messages: [{ role: "user", content: [text("a"), text("b")], name: "Ida" }] };
    const marks = (block: number) =>
      (openrouter.mark(named, plan(at(0, block))).messages[0]?.content ?? []).map((part) => "cache_control" in part);
    expect([marks(1), marks(2)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("of the head count the parts of all leading messages, and the tools", () => {
    const out = openrouter.mark(request, plan({ part: "system", index: 1, mark: ephemeral }, { part: "tools", index: 0, mark: ephemeral }));
    expect(out.messages[0]?.content).toEqual([text("s1"), text("s2", { cache_control: ephemeral })]);
    expect(out.tools).toEqual([{ type: "function", cache_control: ephemeral }, { type: "function" }]);
    expect(marked({ part: "system", index: 9, mark: ephemeral })).not.toContain("MARK");
  });

  it("of which there are several in one message are put back each on its part, the last of two on one", () => {
    const request = { model: "m", messages: [{ role: "user", content: [text("a"), text("b"), text("c")] }] };
    const other = { type: "ephemeral", ttl: "1h" };
    const message = openrouter.compose("user", openrouter.read(request.messages[0] as ObjectValue).units);
    const marks: HostMark[] = [
      { part: "messages", message: 0, block: 0, mark: ephemeral },
      { part: "messages", message: 0, block: 2, mark: ephemeral },
      { part: "messages", message: 0, block: 2, mark: other },
    ];
    const out = openrouter.mark({ model: "m", messages: [message] }, plan(...marks));
    expect(out.messages[0]?.content).toEqual([text("a", { cache_control: ephemeral }), text("b"), text("c", { cache_control: other })]);
  });

  it("never change a shape where the dialect has marks (rule 1)", () => {
    for (const given of [
      { role: "user", content: "u" },
      { role: "tool", tool_call_id: "c", content: "r" },
    ]) {
      const composed = openrouter.compose(given.role, openrouter.read(given).units);
      const out = openrouter.mark({ model: "m", messages: [composed] }, plan(at(0, 0)));
      const { cache_control: _mark, ...part } = (out.messages[0] as unknown as { content: Record<string, unknown>[] }).content[0] as Record<
        string,
        unknown
      >;
      expect([part]).toEqual(composed.content);
    }
  });
});
