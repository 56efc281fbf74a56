import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { anthropic } from "./index.ts";

const wire = anthropic();
const recognised = (request: object): boolean => wire.recognises(copyValue(request) as ObjectValue);

describe("the wire as a whole", () => {
  it("recognises its requests by what only they have", () => {
    const messages = [{ role: "user", content: "hi" }];
    expect(recognised({ model: "claude-opus-5-5", messages })).toBe(true);
    expect(recognised({ model: "any", system: "s", messages })).toBe(true);
    expect(recognised({ model: "any", messages, tools: [{ name: "a", input_schema: {} }] })).toBe(true);
    expect(
      recognised({
        model: "any",
        messages: [...messages, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "b", input: {} }] }],
      }),
    ).toBe(true);
    expect(recognised({ model: "any", messages: [{ role: "user", content: [{ type: "image", source: { type: "url" } }] }] })).toBe(true);
  });

  it("recognises no request of another wire", () => {
    expect(recognised({ model: "gpt-6.2", messages: [{ role: "user", content: "hi" }] })).toBe(false);
    expect(recognised({ model: "claude-opus-5-5", messages: [{ role: "tool", tool_call_id: "a", content: "x" }] })).toBe(false);
    expect(recognised({ model: "claude-opus-5-5", messages: [], tools: [{ type: "function", function: { name: "a" } }] })).toBe(false);
    expect(recognised({ model: "gpt-6.2", input: [] })).toBe(false);
    expect(recognised({ contents: [] })).toBe(false);
  });

  it("takes a request apart and puts it together again", () => {
    const request = {
      model: "claude-opus-5-5",
      max_tokens: 9,
      system: "s",
      messages: [{ role: "user" as const, content: "hi" }],
      metadata: { user_id: "u" },
    };
    const { head, messages } = wire.open(request);
    const composed = messages.map((message) => {
      const { nativeRole, units } = wire.read(copyValue(message) as ObjectValue);
      return wire.compose(nativeRole, units);
    });
    expect(wire.close(request, head, composed)).toEqual({
      ...request,
      system: [{ type: "text", text: "s" }],
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    });
  });

  it("knows a host's own models", () => {
    const own = anthropic({ profiles: { "claude-at-home": { context: 64_000, bindsReasoning: "no" } } });
    expect(own.profile("claude-at-home")).toMatchObject({ context: 64_000, bindsReasoning: "no" });
  });
});
