import { describe, expect, it } from "vitest";
import { copyValue, type ObjectValue } from "../../json/value.ts";
import { type DialectName, dialects } from "./dialects.ts";
import { composeMessage, readMessage } from "./view.ts";

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const details = [
  { type: "reasoning.summary", summary: "7 x 13 = 91.", format: "openai-responses-v1", index: 0 },
  { type: "reasoning.encrypted", data: "AAAA", id: "rs_1", format: "openai-responses-v1", index: 0 },
];

function sent(given: object, name: DialectName): ObjectValue {
  const dialect = dialects[name];
  const { nativeRole, units } = readMessage(copyValue({ role: "assistant", ...given }) as ObjectValue, dialect);
  return composeMessage(nativeRole, units, dialect);
}

describe("reasoning (rule 15)", () => {
  it("is read under every name, and is the same under each", () => {
    const blocks = [{ reasoning_content: "Hm." }, { reasoning: "Hm." }, { reasoning: "Hm.", reasoning_content: "Hm." }].map(
      (given) => readMessage(copyValue({ role: "assistant", content: "Yes.", ...given }) as ObjectValue, dialects.openai).units[0],
    );
    for (const unit of blocks) expect(unit).toEqual({ kind: "reasoning", block: { reasoning: "Hm." }, bound: false, readable: "Hm." });
  });

  it.each<[DialectName, object]>([
    ["openai", {}],
    ["groq", {}],
    ["deepseek", { reasoning_content: "Hm." }],
    ["kimi", { reasoning_content: "Hm." }],
    ["qwen", { reasoning_content: "Hm." }],
    ["xai", { reasoning_content: "Hm." }],
    ["sglang", { reasoning_content: "Hm." }],
    ["llama-cpp", { reasoning_content: "Hm." }],
    ["cerebras", { reasoning: "Hm." }],
    ["vllm", { reasoning: "Hm." }],
    ["openrouter", { reasoning: "Hm." }],
  ])("goes out under the field of %s and no other", (name, field) => {
    for (const given of [{ reasoning_content: "Hm." }, { reasoning: "Hm." }]) {
      const { role: _role, content: _content, ...rest } = sent({ content: "Yes.", ...given }, name);
      expect(rest).toEqual(field);
    }
  });

  it("is a thinking part of Mistral's content", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    expect(sent({ content: "Yes.", reasoning_content: "Hm." }, "mistral")).toEqual({
      role: "assistant",
      content: [thinking, { type: "text", text: "Yes." }],
    });
    const given = {
      content: [
        { ...thinking, signature: "s", closed: true },
        { type: "text", text: "Yes." },
      ],
    };
    expect(sent(given, "mistral")).toEqual({ role: "assistant", ...given });
    expect(sent(given, "cerebras")).toEqual({ role: "assistant", content: "Yes.", reasoning: "Hm." });
    expect(readMessage(copyValue({ role: "assistant", ...given }) as ObjectValue, dialects.mistral).units[0]).toMatchObject({
      bound: true,
    });
  });

  it("goes as details verbatim where there are some, without the plain field", () => {
    const given = copyValue({ role: "assistant", content: "No.", reasoning: "7 x 13 = 91.", reasoning_details: details }) as ObjectValue;
    const { units } = readMessage(given, dialects.openrouter);
    expect(units[0]).toEqual({ kind: "reasoning", block: { reasoning_details: details }, bound: true, readable: "7 x 13 = 91." });
    const composed = composeMessage("assistant", units, dialects.openrouter);
    expect(composed.reasoning_details).toBe(given.reasoning_details);
    expect(composed).not.toHaveProperty("reasoning");
    expect(sent({ content: "No.", reasoning_details: details }, "deepseek")).toMatchObject({ reasoning_content: "7 x 13 = 91." });
  });

  it("keeps plain text beside details that say something else", () => {
    const given = copyValue({ role: "assistant", content: "No.", reasoning: "Seen.", reasoning_details: [details[1]] }) as ObjectValue;
    expect(readMessage(given, dialects.openrouter).units[0]).toMatchObject({
      block: { reasoning: "Seen.", reasoning_details: [details[1]] },
      readable: "Seen.",
    });
    expect(sent(given, "kimi")).toMatchObject({ reasoning_content: "Seen." });
  });

  it.each([
    [[{ type: "reasoning.text", text: "a" }], false],
    [[{ type: "reasoning.text", text: "a", signature: null }], false],
    [[{ type: "reasoning.text", text: "a", signature: "s" }], true],
    [[{ type: "reasoning.encrypted", data: "d" }], true],
  ])("is bound when a detail is signed or encrypted", (list, bound) => {
    const given = copyValue({ role: "assistant", content: "x", reasoning_details: list }) as ObjectValue;
    expect(readMessage(given, dialects.openrouter).units[0]).toMatchObject({ bound });
  });

  it("is an empty field of a DeepSeek message with calls, and only there", () => {
    for (const given of [{}, { reasoning_content: "" }, { reasoning_content: null }]) {
      expect(sent({ content: "", tool_calls: [call], ...given }, "deepseek")).toEqual({
        role: "assistant",
        content: null,
        reasoning_content: "",
        tool_calls: [call],
      });
      expect(sent({ content: "Yes.", ...given }, "deepseek")).toEqual({ role: "assistant", content: "Yes." });
    }
  });

  it("of a type that is not known is carried like any field (rule 55)", () => {
    expect(sent({ content: "x", reasoning: { effort: "high" } }, "openrouter")).toMatchObject({ reasoning: { effort: "high" } });
  });
});
