import { describe, expect, it } from "vitest";
import { checkPrefixContinuity } from "../../continuity/check-prefix-continuity.ts";
import type { ObjectValue } from "../../json/value.ts";
import { gemini } from "./wire.ts";

const wire = gemini();
const question = { role: "user", parts: [{ text: "How far is the well?" }] };
const look = { name: "look", description: "Look.", parameters: { type: "OBJECT", properties: { b: {}, a: {} } } };
const ask = { name: "ask" };
const rest = {
  model: "gemini-3.8-flash",
  contents: [question],
  systemInstruction: { role: "system", parts: [{ text: "You know wells." }, { text: "Be brief." }] },
  tools: [{ functionDeclarations: [look, ask] }, { googleSearch: {} }],
  toolConfig: { functionCallingConfig: { mode: "AUTO" } },
  generationConfig: { temperature: 0, thinkingConfig: { thinkingLevel: "low" } },
};
const { model, contents } = rest;
const sdk = {
  model,
  contents,
  config: {
    systemInstruction: "You know wells.",
    tools: [{ functionDeclarations: [look, ask] }],
    temperature: 0,
    thinkingConfig: { thinkingLevel: "low" },
  },
};
const closed = (request: { model: string; contents: object }) =>
  wire.close(request, wire.open(request).head, wire.open(request).messages as readonly ObjectValue[]);

describe("a request", () => {
  it("is taken apart as REST has it, and put together to what it was", () => {
    const { head, messages, lead } = wire.open(rest);
    expect(head).toMatchObject({
      model,
      system: rest.systemInstruction.parts,
      tools: [look, ask, { googleSearch: {} }],
      params: { generationConfig: { thinkingConfig: { thinkingLevel: "low" } } },
    });
    expect(head.params).not.toHaveProperty("generationConfig.temperature");
    expect(messages).toBe(contents);
    expect(lead).toBe(0);
    expect(closed(rest)).toEqual(rest);
    expect(wire.systemText(head)).toBe("You know wells.\nBe brief.");
  });

  it("is taken apart as the SDK has it, and keeps its config", () => {
    const { head } = wire.open(sdk);
    expect(head).toMatchObject({
      system: [{ text: "You know wells." }],
      tools: [look, ask],
      params: { config: { thinkingConfig: { thinkingLevel: "low" } } },
    });
    expect(closed(sdk)).toEqual({ ...sdk, config: { ...sdk.config, systemInstruction: { parts: [{ text: "You know wells." }] } } });
    expect(wire.open({ model, contents, config: { systemInstruction: ["You", { text: "know." }] } } as never).head.system).toEqual([
      { text: "You" },
      { text: "know." },
    ]);
  });

  it("is read in snake_case, and answered in the host's spelling", () => {
    const snake = {
      model,
      contents,
      system_instruction: { parts: [{ text: "Be." }] },
      tools: [{ function_declarations: [look] }],
      generation_config: { thinking_config: {} },
      cached_content: "cachedContents/a",
    };
    const { head } = wire.open(snake);
    expect(head).toMatchObject({
      system: [{ text: "Be." }],
      tools: [look],
      params: { generation_config: { thinking_config: {} }, cached_content: "cachedContents/a" },
    });
    expect(closed(snake)).toEqual({ ...snake, tools: [{ functionDeclarations: [look] }] });
  });

  it("may have one text, one part, one content, or the parts of one, in the place of contents, as the SDK takes them", () => {
    const opened = (given: unknown) => wire.open({ model, contents: given as object }).messages;
    const one = [{ role: "user", parts: [{ text: "Hi." }] }];
    for (const given of ["Hi.", { text: "Hi." }, ["Hi."], [{ text: "Hi." }], one[0], one]) expect(opened(given)).toEqual(one);
    expect(opened(["Hi.", { inlineData: { mimeType: "image/png", data: "AA==" } }])).toMatchObject([
      { role: "user", parts: [{ text: "Hi." }, {}] },
    ]);
    expect(opened([])).toEqual([]);
    expect(() => opened(["Hi.", one[0]])).toThrow(expect.objectContaining({ code: "invalid-request", path: "$.contents[1]" }));
    expect(() => opened([7])).toThrow(expect.objectContaining({ code: "invalid-request", path: "$.contents[0]" }));
  });

  it("loses its head fields when the head has none, and gets them where it keeps such things", () => {
    const { head } = wire.open(rest);
    const bare = { ...head, system: [], tools: [], params: {} };
    expect(wire.close(rest, bare, [])).toEqual({ model, contents: [], toolConfig: rest.toolConfig, generationConfig: { temperature: 0 } });
    expect(wire.close({ model, contents, config: {} }, head, [])).toMatchObject({
      config: { systemInstruction: { parts: head.system }, tools: expect.any(Array) },
    });
  });

  it("never writes to what it was given", () => {
    const frozen = structuredClone(sdk);
    Object.freeze(frozen.config);
    wire.close(frozen, { ...wire.open(frozen).head, system: [{ text: "Other." }], params: {} }, []);
    expect(frozen).toEqual(sdk);
  });

  it("is named by the path of what is wrong with it", () => {
    const code = "invalid-request";
    expect(() => wire.open({ contents } as never)).toThrow(expect.objectContaining({ code, path: "$.model" }));
    expect(() => wire.open({ model } as never)).toThrow(expect.objectContaining({ code, path: "$.contents" }));
    expect(() => wire.open({ ...rest, tools: "none" } as never)).toThrow(expect.objectContaining({ code, path: "$.tools" }));
    expect(() => wire.open({ ...rest, tools: [7] } as never)).toThrow(expect.objectContaining({ code, path: "$.tools[0]" }));
    expect(() => wire.open({ ...sdk, config: { systemInstruction: 7 } } as never)).toThrow(
      expect.objectContaining({ code, path: "$.config.systemInstruction[0]" }),
    );
  });

  it("is known by its contents", () => {
    expect(wire.recognises({ contents: [] })).toBe(true);
    expect(wire.recognises({ model, contents: "Hi." })).toBe(true);
    expect(wire.recognises({ messages: [], contents: [] })).toBe(false);
    expect(wire.recognises({ messages: [] })).toBe(false);
  });
});

describe("calls without a signature", () => {
  const called = {
    role: "model",
    parts: [{ text: "I look." }, { functionCall: { name: "look", args: {} } }, { functionCall: { name: "ask", args: {} } }],
  };
  const sent = (asked: string, content: object) =>
    (
      wire.close({ model: asked, contents: [] }, { ...wire.open(rest).head, model: asked }, [content as ObjectValue]).contents as object[]
    )[0];

  it("get the documented stand-in on the first one of a content, where the model checks (GE-08)", () => {
    const [text, first, second] = called.parts;
    expect(sent("gemini-3.8-flash", called)).toEqual({
      role: "model",
      parts: [text, { ...first, thoughtSignature: "skip_thought_signature_validator" }, second],
    });
    expect(sent("gemini-2.5-pro", called)).toBe(called);
  });

  it("are left alone once signed, and the stand-in is the same object each time", () => {
    const signed = { role: "model", parts: [{ functionCall: { name: "look" }, thoughtSignature: "c2ln" }] };
    expect(sent("gemini-3.8-flash", signed)).toBe(signed);
    const frozen = Object.freeze(structuredClone(called));
    expect(sent("gemini-3.8-flash", frozen)).toBe(sent("gemini-3.8-flash", frozen));
  });
});

describe("a report names the place in the host's own request", () => {
  const report = (next: object, previous: object = rest) => checkPrefixContinuity(previous, next, { wire: wire as never });

  it("of a system text", () => {
    const parts = [{ text: "You know wells." }, { text: "Be long." }];
    expect(report({ ...rest, systemInstruction: { ...rest.systemInstruction, parts } })).toMatchObject({
      verdict: "breaks",
      path: "$.systemInstruction.parts[1].text",
    });
    expect(report({ ...sdk, config: { ...sdk.config, systemInstruction: "You swim." } }, sdk)).toMatchObject({
      path: "$.config.systemInstruction",
    });
    const one = { ...rest, systemInstruction: { parts: [{ text: "You." }] } };
    expect(report({ ...one, systemInstruction: { parts: [{ text: "We." }] } }, one)).toMatchObject({
      path: "$.systemInstruction.parts[0].text",
    });
  });

  it("of tools, each function for itself", () => {
    const one = { ...rest, tools: [{ functionDeclarations: [look, ask] }] };
    const other = { ...one, tools: [{ functionDeclarations: [look, { ...ask, description: "Ask." }] }] };
    expect(report(other, one)).toMatchObject({
      verdict: "breaks",
      path: "$.tools[0].functionDeclarations[1].description",
    });
    expect(report({ ...one, tools: [{ functionDeclarations: [ask, look] }] }, one)).toMatchObject({
      verdict: "equivalent",
      class: "order",
    });
    expect(report({ ...sdk, config: { ...sdk.config, tools: [{ functionDeclarations: [look] }] } }, sdk)).toMatchObject({
      path: "$.config.tools[0].functionDeclarations[1]",
      class: "removal",
    });
  });

  it("of parameters and contents", () => {
    expect(report({ ...rest, generationConfig: { thinkingConfig: { thinkingLevel: "high" } } })).toMatchObject({
      path: "$.generationConfig.thinkingConfig.thinkingLevel",
      class: "parameter",
    });
    expect(report({ ...rest, generationConfig: { ...rest.generationConfig, temperature: 1 }, toolConfig: {} })).toMatchObject({
      verdict: "continues",
    });
    expect(report({ ...rest, contents: [{ role: "user", parts: [{ text: "How deep?" }] }] })).toMatchObject({
      path: "$.contents[0].parts[0].text",
      at: 0,
    });
    expect(
      report({ ...sdk, contents: ["How far is the well?", "And how deep?"] }, { ...sdk, contents: "How far is the well?" }),
    ).toMatchObject({ verdict: "breaks" });
  });
});
